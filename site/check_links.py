"""Every link of the site that stays on it leads to a page, and every anchor to a place. Usage: check_links.py FOLDER"""

import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


class Page(HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.links, self.places = [], set()
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        of = dict(attributes)
        self.places.update(of[key] for key in ("id", "name") if of.get(key))
        self.links += [of[key] for key in ("href", "src") if of.get(key)]


def main(folder):
    root = Path(folder).resolve()
    pages = {path: Page(path.read_text(encoding="utf-8")) for path in root.rglob("*.html")
             if not path.is_relative_to(root / "cpp") and not path.is_relative_to(root / "app")}
    wrong, seen = [], 0
    for path, page in pages.items():
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc or link.startswith(("data:", "#__")):
                continue
            seen += 1
            target = path if not parts.path else root / unquote(parts.path).lstrip("/") if parts.path.startswith("/") \
                else (path.parent / unquote(parts.path)).resolve()
            if target.is_dir():
                target = target / "index.html"
            anchor = unquote(parts.fragment)
            if path.name == "404.html":
                continue  # is served from any depth
            if not target.is_file():
                wrong.append(f"{path.relative_to(root)}: {link} leads nowhere")
            elif anchor and target in pages and anchor not in pages[target].places:
                wrong.append(f"{path.relative_to(root)}: {link} has no such place")
    print(f"{len(pages)} pages, {seen} links on the site, {len(wrong)} wrong")
    print("\n".join(wrong[:50]))
    return 1 if wrong or not pages else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
