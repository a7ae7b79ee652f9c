"""Writes microslip/_options.py: what the help of each command says about its options.

    python3 bindings/python/tools/make_options.py build/release/microslip [FILE]

The build writes the file into the package, where docstrings take their texts from it.
"""

import pprint
import re
import subprocess
import sys

COMMANDS = ("fit", "loops", "damping", "ringdown", "respond", "joint", "cracks", "reduce", "reproduce",
            "export-fmu", "identify")


def options_of(text):
    """Long name of each option → its sentence, from the text of --help."""
    found, name = {}, None
    for line in text.splitlines():
        option = re.match(r"  (?:-\w, )?--([\w-]+)(.*)$", line)
        if option:
            name = option.group(1)
            rest = re.split(r"\s{2,}", option.group(2).strip() if option.group(2).startswith("  ") else
                            option.group(2).strip(), maxsplit=1)
            has_value = bool(option.group(2)) and not option.group(2).startswith("  ")
            found[name] = rest[1] if has_value and len(rest) > 1 else "" if has_value else rest[0]
        elif name and re.match(r" {20,}\S", line):
            found[name] = (found[name] + " " + line.strip()).strip()
        else:
            name = None
    return found


def main(command, path=None):
    table = {name: options_of(subprocess.run([command, name, "--help"], check=True, capture_output=True,
                                             text=True, encoding="utf-8").stdout) for name in COMMANDS}
    text = '"""Written by tools/make_options.py from the help of the command."""\n\nOPTIONS = ' + \
        pprint.pformat(table, width=110, sort_dicts=False) + "\n"
    if path:
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    else:
        print(text, end="")


if __name__ == "__main__":
    main(*sys.argv[1:])
