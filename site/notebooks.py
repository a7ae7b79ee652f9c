"""The Python examples as notebooks, executed: pages for the site, and notebooks to take away.

    PYTHONPATH=build/release/python python3 site/notebooks.py FOLDER [NAME...]

The examples are the only source: the text at the top of a file and comments that begin a part become text, the rest
becomes cells. Pictures appear in the notebook, so what writes them into a folder is left out.
"""

import ast
import os
import sys
from pathlib import Path

import nbformat
from nbconvert import MarkdownExporter
from nbconvert.preprocessors import ExecutePreprocessor

EXAMPLES = Path(__file__).resolve().parents[1] / "examples/python"
# What only a program needs, by how its line begins.
LEFT_OUT = ("import sys", "from pathlib", "import matplotlib\n", "matplotlib.use", "folder =", "figure.savefig",
            "axes.figure.savefig", "plt.savefig")


def parts(source):
    """Text and code, from the docstring and the comments at the left margin that follow a blank line."""
    tree = ast.parse(source)
    first = tree.body[0]
    title, _, _ = ast.get_docstring(tree).partition("\n")
    yield "text", f"# {title}"
    lines = source.splitlines(keepends=True)[first.end_lineno:]
    lines = [line for line in lines if not line.startswith(LEFT_OUT)]
    code, text = [], []
    for line, before in zip(lines, ["\n", *lines]):
        begins = line.startswith("# ") and not before.strip()
        if begins or (text and not code and line.startswith("# ")):
            if "".join(code).strip():
                yield "code", "".join(code).strip()
                code, text = [], []
            text.append(line[2:].strip())
            continue
        if text and not code:
            yield "text", " ".join(text)
        code.append(line)
        if line.strip():
            text = []
    if "".join(code).strip():
        yield "code", "".join(code).strip()


def _quiet(code):
    """A cell that ends with a call for its effect shows the picture, not what the call returns."""
    last = ast.parse(code).body[-1]
    called = isinstance(last, ast.Expr) and isinstance(last.value, ast.Call)
    return code + ";" if called and ast.unparse(last.value.func) != "print" else code


def notebook(source):
    book = nbformat.v4.new_notebook(metadata={"kernelspec": {"name": "python3", "display_name": "Python 3",
                                                             "language": "python"}})
    for kind, content in parts(source):
        cell = nbformat.v4.new_markdown_cell(content) if kind == "text" else nbformat.v4.new_code_cell(_quiet(content))
        cell.id = f"part-{len(book.cells)}"
        book.cells.append(cell)
    # Pictures as they are drawn, as drawings.
    setup = nbformat.v4.new_code_cell("%config InlineBackend.figure_formats = ['svg']")
    setup.id = "pictures"
    book.cells.insert(1, setup)
    return book


def main(folder, *names):
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    # The notebook runs in its folder.
    os.environ["PYDEVD_DISABLE_FILE_VALIDATION"] = "1"
    os.environ["PYTHONPATH"] = os.pathsep.join(os.path.abspath(p) for p in os.environ.get("PYTHONPATH", "").split(os.pathsep))
    for path in sorted(EXAMPLES.glob("*.py")):
        if names and path.stem not in names:
            continue
        book = notebook(path.read_text(encoding="utf-8"))
        ExecutePreprocessor(timeout=600, kernel_name="python3").preprocess(book, {"metadata": {"path": str(folder)}})
        nbformat.write(book, folder / f"{path.stem}.ipynb")
        # The page does without the cell that only sets up pictures.
        del book.cells[1]
        text, resources = MarkdownExporter().from_notebook_node(book, {"unique_key": path.stem})
        note = f"\n\nGenerated from `examples/python/{path.name}` and executed with this version: " \
               f'<a href="{path.stem}.ipynb">the notebook</a>.\n\n'
        title, _, rest = text.partition("\n")
        text = title + note + rest
        for name, content in resources["outputs"].items():
            (folder / Path(name).name).write_bytes(content)
            text = text.replace(name, Path(name).name)
        (folder / f"{path.stem}.md").write_text(text, encoding="utf-8")
        print(f"{path.stem}: {len(book.cells)} cells, {len(resources['outputs'])} pictures")


if __name__ == "__main__":
    main(*sys.argv[1:])
