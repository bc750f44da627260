"""`python -m env_lib`: the command line."""

import sys

from env_lib.cli import main

if __name__ == "__main__":
    sys.exit(main())
