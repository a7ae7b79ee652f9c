"""The command `microslip` that was built together with this module: python3 -m microslip, and the
script of that name that an installation puts beside its Python."""

import os
import sys

from ._command import _executable
from ._core import Error


def main():
    try:
        program = _executable()
    except Error as error:
        sys.exit(f"microslip: {error}")
    os.execv(program, ["microslip", *sys.argv[1:]])


if __name__ == "__main__":
    main()
