"""What the Markdown of the repository needs to become a web site: files that pages name outside docs, a picture-led
start page, the explorer on the page of each law, and pages of functions from the stubs and the header."""

import ast
import base64
import json
import os
import re
from pathlib import Path

from mkdocs.structure.files import File

ROOT = Path(__file__).resolve().parents[1]
BUILD = Path(os.environ.get("MICROSLIP_BUILD", ROOT / "build/release"))
EXPLORER = ROOT / "web/dist/index.html"
GENERATED = ROOT / "build/site-pages"
LINK = re.compile(r"(?<=\]\()([^)#\s]+)(#[^)\s]*)?(?=\))")


def _outside(page, target):
    """A path below the root that a link of a page names outside docs, or None."""
    if "://" in target or target.startswith("mailto:"):
        return None
    path = Path(os.path.normpath(Path("docs") / Path(page).parent / target))
    return None if path.parts[0] == "docs" or path.parts[0] == ".." else path


# ---------------------------------------------------------------------------------- generated pages

def _page(name, text):
    path = GENERATED / name
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")


def _signature(node):
    return f"{node.name}({ast.unparse(node.args)})" + (f" -> {ast.unparse(node.returns)}" if node.returns else "")


def _python_page(stubs):
    """Functions and classes of the module, as the stubs declare them."""
    parts = ["# Python functions\n\nGenerated from the stubs of the module, which come from the table of laws. "
             "[The page about Python](../python.md) begins with examples; `help(microslip.fit)` says what each option means.\n"]
    laws, others = [], []
    for node in ast.parse(stubs).body:
        if isinstance(node, ast.FunctionDef):
            entry = f"### `{node.name}`\n\n```python\n{_signature(node)}\n```\n\n{ast.get_docstring(node) or ''}\n"
            law = node.returns is not None and ast.unparse(node.returns) == "Law" and node.name not in ("law", "load_law")
            (laws if law else others).append(entry)
        elif isinstance(node, ast.ClassDef):
            members = [_signature(m) for m in node.body if isinstance(m, ast.FunctionDef) and not m.name.startswith("_")]
            members += [ast.unparse(m) for m in node.body if isinstance(m, ast.AnnAssign)]
            others.append(f"### class `{node.name}`\n\n{ast.get_docstring(node) or ''}\n\n```python\n" +
                          "\n".join(members) + "\n```\n")
    return "\n".join([*parts, "## Work on records and structures\n", *others, "## Laws\n", *laws])


def _c_page(header):
    """The functions of the header, each below its comment."""
    parts = ["# C functions\n\nGenerated from [`microslip.h`](../../bindings/c/microslip.h), where the comments stand. "
             "[The page about C](../c.md) begins with a whole program.\n"]
    for comment, code in re.findall(r"^/\*\*?((?:[^*]|\*(?!/))*)\*/\n((?:(?!/\*|#)[^\n]+\n)+)", header, re.M):
        words = " ".join(line.strip().lstrip("*").strip() for line in comment.splitlines()).strip(" -")
        name = re.search(r"^\} (microslip_\w+);", code, re.M) or re.search(r"\b(microslip_\w+)\s*\(", code) or \
            re.search(r"\b(microslip_\w+)\b", code)
        if name:
            parts.append(f"## `{name.group(1)}`\n\n{words}\n\n```c\n{code.rstrip()}\n```\n")
    return "\n".join(parts)


def _cpp_page():
    """The public headers with what each begins with."""
    parts = ["# C++ headers\n\nGenerated from the headers that are installed. "
             '<a href="../cpp/annotated.html">All classes</a> and <a href="../cpp/files.html">all files</a> are in the '
             "reference that Doxygen makes of them; [a program to start from](../design/README.md) says how they fit together.\n"]
    include = ROOT / "include/microslip"
    for folder in sorted(path for path in include.rglob("*") if path.is_dir() and "detail" not in path.parts):
        rows = []
        for header in sorted(folder.glob("*.hpp")):
            words = re.search(r"^((?:[ ]*///[^\n]*\n)+)", header.read_text(encoding="utf-8"), re.M)
            text = " ".join(line.strip().lstrip("/").strip() for line in words.group(1).splitlines()) if words else ""
            first = re.split(r"(?<=[.:])\s", text, maxsplit=1)[0].rstrip(":").replace("|", "\\|").replace("<", "&lt;")
            rows.append(f"| `microslip/{header.relative_to(include)}` | {first} |")
        if rows:
            parts.append(f"## {folder.relative_to(include)}\n\n| header | |\n|---|---|\n" + "\n".join(rows) + "\n")
    return "\n".join(parts)


def on_files(files, config):
    _page("contributing.md", (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").replace("](docs/", "]("))
    stubs = BUILD / "python/microslip/__init__.pyi"
    _page("reference/python.md", _python_page(stubs.read_text(encoding="utf-8")) if stubs.exists() else
          "# Python functions\n\nThis build has no Python module; `make python` builds it.\n")
    _page("reference/cpp.md", _cpp_page())
    _page("reference/c.md", _c_page((ROOT / "bindings/c/microslip.h").read_text(encoding="utf-8")))

    def add(path, base):
        files.append(File(path, str(base), config["site_dir"], config["use_directory_urls"]))
    for path in GENERATED.rglob("*.md"):
        add(str(path.relative_to(GENERATED)), GENERATED)
    for kind in ("*.svg", "*.png", "*.ipynb"):
        for path in (GENERATED / "notebooks").glob(kind):
            add(str(path.relative_to(GENERATED)), GENERATED)
    add("site/extra.css", ROOT)
    add("site/extra.js", ROOT)
    wanted = set()
    for page in list(files.documentation_pages()):
        text = Path(page.abs_src_path).read_text(encoding="utf-8")
        for target, _ in LINK.findall(text):
            path = _outside(page.src_path, target)
            if path and (ROOT / path).is_file() and path.suffix != ".md":
                wanted.add(str(path))
    for path in sorted(wanted):
        add(path, ROOT)
    if EXPLORER.exists():
        (GENERATED / "app").mkdir(parents=True, exist_ok=True)
        (GENERATED / "app/index.html").write_bytes(EXPLORER.read_bytes())
        add("app/index.html", GENERATED)
    return files


# ------------------------------------------------------------------------------------------- pages

def _lists_begin_with_a_blank(text):
    """Where Markdown needs a blank line before a list or a table, and readers of the source do not."""
    out, fenced = [], False
    for line in text.split("\n"):
        if line.lstrip().startswith("```"):
            fenced = not fenced
        begins = re.match(r"([-*] |\d+\. |\|)", line)
        before = out[-1] if out else ""
        if begins and not fenced and before.strip() and not re.match(r"\s*([-*] |\d+\. |\|| )", before):
            out.append("")
        out.append(line)
    return "\n".join(out)


def _addresses(text, page):
    def place(match):
        path = _outside(page.file.src_path, match.group(1))
        if path is None:
            return match.group(0)
        anchor = match.group(2) or ""
        up = os.path.relpath(".", Path(page.file.src_path).parent)
        if str(path) == "CONTRIBUTING.md":
            return os.path.join(up, "contributing.md") + anchor
        if str(path) == "README.md":
            return os.path.join(up, "README.md")
        if path.suffix == ".md" or not (ROOT / path).is_file():
            return "SOURCE:" + str(path)
        return os.path.join(up, str(path)) + anchor
    text = LINK.sub(place, text)
    # What is only in the source is named, not linked.
    return re.sub(r"\[([^\]]*)\]\(SOURCE:([^)]*)\)", r"\1 (`\2` in the source)", text)


HERO = """# microslip

**Frictional hysteresis, simulated, measured, fitted and put into vibrating structures.** Where parts rub, the force depends on the
history of the displacement: loops open, minor loops nest inside them, each cycle dissipates energy. Laws are integrated
exactly, fits say what a record does not determine, and every figure of the source literature is recomputed.

<div class="cards">
<a class="card" href="fit.html"><img src="gallery/fit.svg" alt="a record and the law fitted to it"><b>I have a loop</b> Which law, which parameters, how sure?</a>
<a class="card" href="respond.html"><img src="gallery/one-joint.svg" alt="frequency responses of a mass with a joint"><b>I have a structure with joints</b> Responses, ring-down, modes.</a>
<a class="card" href="ringdown.html"><img src="gallery/ringdown.svg" alt="damping against amplitude"><b>I have a decay</b> Frequency and damping against amplitude.</a>
<a class="card" href="laws/index.html"><img src="gallery/laws.svg" alt="loops of four laws"><b>I look for a law</b> Each on a page of its own, with what it does in minor loops.</a>
<a class="card" href="joint.html"><img src="gallery/lap-joint.svg" alt="loop of a lap joint"><b>I have geometry</b> Lap joints and cracked plates to loops.</a>
<a class="card" href="reproductions.html"><img src="gallery/spiral.svg" alt="a reproduction"><b>Is it right?</b> The literature, recomputed and compared.</a>
</div>

"""


def _embedded(law):
    state = base64.urlsafe_b64encode(json.dumps({"laws": [{"model": law, "set": {}}]}).encode()).rstrip(b"=").decode()
    return (f'\n<iframe class="explorer" loading="lazy" title="{law}: its loop while its parameters move" '
            f'src="../app/index.html?embed#{state}"></iframe>\n\n'
            f'[The same law in the whole explorer](../app/index.html#{state})\n')


def on_page_markdown(text, page, config, files):
    name = page.file.src_path
    text = _lists_begin_with_a_blank(_addresses(text, page))
    if name == "README.md":
        text = HERO + text.replace("# Documentation\n", "## All pages\n", 1)
    law = re.fullmatch(r"laws/([a-z0-9-]+)\.md", name)
    if law and EXPLORER.exists():
        picture = re.search(r"!\[[^\]]*\]\([^)]*\)\n", text)
        if picture:
            text = text[:picture.end()] + _embedded(law.group(1)) + text[picture.end():]
    return text


def on_page_content(html, page, config, files):
    """Pictures have words for people who do not see them: the name of what is drawn, where the page gives none."""
    return re.sub(r'<img (?![^>]*\balt=)([^>]*\bsrc="[^"]*?([^"/]+)\.\w+")', r'<img alt="\2" \1', html)
