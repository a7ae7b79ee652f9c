"""Which versions lie in the folder of the site: versions.json, which its pages read, and the way to the newest.

    python3 site/versions.py build/site
"""

import json
import sys
from pathlib import Path


def main(folder):
    root = Path(folder)
    numbers = sorted((tuple(map(int, path.parent.name.split("."))) for path in root.glob("*.*.*/index.html")
                      if path.parent.name.replace(".", "").isdigit()), reverse=True)
    names = [".".join(map(str, number)) for number in numbers]
    if not names:
        raise SystemExit(f"{root} holds no version")
    (root / "versions.json").write_text(json.dumps(
        [{"version": name, "title": name, "aliases": ["latest"] if name == names[0] else []} for name in names]) + "\n",
        encoding="utf-8")
    (root / "index.html").write_text(
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>microslip</title>'
        f'<meta http-equiv="refresh" content="0; url={names[0]}/index.html">'
        f'<a href="{names[0]}/index.html">microslip {names[0]}</a></html>\n', encoding="utf-8")
    print("versions: " + ", ".join(names))


if __name__ == "__main__":
    main(*sys.argv[1:])
