"""`python -m sim` is the command `sim`."""

from sim.cli import main

if __name__ == "__main__":
    main()
