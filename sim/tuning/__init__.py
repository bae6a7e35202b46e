"""Searches and games about games: equilibria of styles, values of tiles, better players."""
