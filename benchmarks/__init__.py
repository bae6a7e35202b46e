"""Measurements of speed: against C++, against OpenSpiel, over versions."""
