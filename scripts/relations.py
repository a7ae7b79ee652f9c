#!/usr/bin/python3
"""docs/relations.svg: the map of the laws, from the list that the command prints.

    scripts/relations.py [COMMAND]     by default build/release/microslip

Places of the boxes and short conditions stand here; a relation without them ends the script.
"""

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

PLACES = {
    # Sliders.
    "backlash(jenkins)": (440, 690), "scaled(jenkins)": (600, 690), "jenkins+linear": (760, 690),
    "two-state": (940, 690), "jenkins": (540, 590), "iwan-uniform": (210, 590),
    "iwan4": (100, 470), "iwan-table": (210, 470), "masing-backbone": (325, 470), "masing": (440, 470),
    "iwan-pinning": (55, 350), "iwan5": (140, 350), "iwan-power": (220, 350), "iwan-density": (220, 250),
    "maxwell-slip": (555, 425),
    "duhem+duhem": (325, 340), "masing-smooth": (415, 260), "prandtl-ishlinskii": (530, 340),
    "chaboche": (820, 620), "menegotto-pinto": (680, 630),
    # Differential laws.
    "bouc": (920, 590), "dahl": (785, 525), "valanis": (990, 470), "bouc-kernel": (1090, 470),
    "bouc-wen": (670, 340), "lugre": (800, 285), "duhem": (910, 340), "bouc-wen-hardening": (540, 220),
    "bouc-wen-degrading": (540, 120), "bouc-wen-asymmetric": (705, 160), "lampaert": (845, 190),
    "duhem-rate": (970, 220), "baber-noori": (850, 105), "rocking": (400, 140),
    # Viscoelastic laws.
    "maxwell": (1240, 590), "zener": (1200, 470), "generalized-maxwell": (1200, 350),
    "convolution": (1310, 470), "kelvin-voigt": (1460, 590), "generalized-kelvin-voigt": (1460, 470),
    "linear+viscous": (1460, 690),
    # Elastic laws.
    "linear": (1220, 240), "power": (1140, 150), "gap": (1280, 150), "backlash(linear)": (1200, 60),
    "table": (1350, 60), "unilateral": (1430, 150), "flag": (1490, 60),
}

# The label, and where along the arrow it stands if not in the middle.
LABELS = {
    ("jenkins", "masing"): ("one element",), ("jenkins", "prandtl-ishlinskii"): ("one play", 0.35),
    ("iwan-uniform", "masing"): ("N → ∞", 0.45), ("iwan4", "iwan5"): ("θ = 1", 0.6),
    ("iwan4", "iwan-pinning"): ("KP = 0", 0.6), ("iwan-uniform", "iwan4"): ("χ = β = 0",),
    ("iwan-uniform", "masing-backbone"): ("own curve", 0.6),
    ("masing", "prandtl-ishlinskii"): ("a play each", 0.6), ("masing", "masing-smooth"): ("m → ∞", 0.7),
    ("iwan4", "iwan-power"): ("always", 0.6), ("iwan-power", "iwan-density"): ("ρ = Rφᵡ",),
    ("iwan-uniform", "iwan-table"): ("one bar",), ("jenkins+linear", "two-state"): ("b2 = 0",),
    ("bouc", "bouc-wen"): ("n = 1, γ = 0", 0.78), ("jenkins", "bouc-wen"): ("n → ∞", 0.4),
    ("bouc-wen", "bouc-wen-hardening"): ("uy = 1", 0.6),
    ("bouc-wen-hardening", "bouc-wen-degrading"): ("d0 → ∞",),
    ("bouc-wen", "bouc-wen-asymmetric"): ("δ = 0", 0.75), ("jenkins", "dahl"): ("n = 0",),
    ("bouc", "dahl"): ("n = 1",), ("bouc", "valanis"): ("κ = 0",),
    ("bouc", "duhem"): ("A ∓ αz", 0.45), ("valanis", "duhem"): ("formula", 0.4),
    ("bouc-wen", "duhem"): ("formula", 0.3), ("dahl", "duhem"): ("formula", 0.65),
    ("jenkins", "duhem"): ("steps", 0.3), ("masing", "duhem+duhem"): ("one each", 0.6),
    ("bouc", "bouc-kernel"): ("one exponential", 0.6), ("duhem", "duhem-rate"): ("without v", 0.4),
    ("lugre", "duhem-rate"): ("σ1 = σ2 = 0", 0.5), ("dahl", "lugre"): ("zs = zc", 0.9),
    ("zener", "generalized-maxwell"): ("one branch",), ("maxwell", "zener"): ("e1 = 0", 0.6),
    ("maxwell", "convolution"): ("one exponential", 0.4),
    ("bouc-wen", "lampaert"): ("fs = fc", 0.7), ("kelvin-voigt", "generalized-kelvin-voigt"): ("one element",),
    ("kelvin-voigt", "linear+viscous"): ("always",), ("linear", "power"): ("n = 1",),
    ("linear", "gap"): ("gap = 0",), ("gap", "backlash(linear)"): ("always",),
    ("gap", "table"): ("corners",), ("unilateral", "table"): ("a corner",),
    ("jenkins+linear", "chaboche"): ("γ = 0, Q = 0",), ("bouc", "chaboche"): ("k → ∞, fy → 0",),
    ("jenkins+linear", "menegotto-pinto"): ("R0 → ∞", 0.55), ("bouc-wen", "baber-noori"): ("no losses", 0.85),
    ("bouc-wen-hardening", "rocking"): ("k1 = k2",), ("masing", "maxwell-slip"): ("ratio = 1", 0.6),
    ("linear", "flag"): ("k2 = k1", 0.4), ("table", "flag"): ("β = 0",),
    ("jenkins", "backlash(jenkins)"): ("gap = 0",), ("jenkins", "scaled(jenkins)"): ("gains",),
}

HEIGHT = 26


def width(name):
    return 7 * len(name) + 20


def edge(at, towards, name):
    """Where the line from the middle of a box leaves it."""
    dx, dy = towards[0] - at[0], towards[1] - at[1]
    part = min(width(name) / 2 / abs(dx) if dx else 9e9, HEIGHT / 2 / abs(dy) if dy else 9e9)
    return at[0] + part * dx, at[1] + part * dy


def main():
    command = sys.argv[1] if len(sys.argv) > 1 else str(ROOT / "build/release/microslip")
    relations = json.loads(subprocess.run([command, "models", "--relations", "--json"], check=True,
                                          capture_output=True, text=True).stdout)
    arrows, labels = [], []
    for relation in relations:
        pair = relation["special"], relation["general"]
        for name in pair:
            if name not in PLACES:
                sys.exit(f"{name} has no place in scripts/relations.py")
        if pair not in LABELS:
            sys.exit(f"{pair[0]} to {pair[1]} has no label in scripts/relations.py")
        start, end = (PLACES[name] for name in pair)
        x1, y1 = edge(start, end, pair[0])
        x2, y2 = edge(end, start, pair[1])
        dashes = ' stroke-dasharray="5 4"' if relation["kind"] == "limit" else ""
        arrows.append(f'<path d="M{x1:.0f} {y1:.0f} L{x2:.0f} {y2:.0f}" stroke="#456" fill="none" '
                      f'marker-end="url(#a)"{dashes}/>')
        text, part = (*LABELS[pair], 0.5)[:2]
        labels.append(f'<text x="{x1 + part * (x2 - x1):.0f}" y="{y1 + part * (y2 - y1) + 4:.0f}" '
                      'text-anchor="middle" font-size="10" fill="#234" stroke="white" stroke-width="3" '
                      f'paint-order="stroke">{text}</text>')
    used = {name for relation in relations for name in (relation["special"], relation["general"])}
    boxes = []
    for name, (x, y) in PLACES.items():
        if name not in used:
            sys.exit(f"{name} is in no relation any more: remove it from scripts/relations.py")
        w = width(name)
        boxes.append(f'<rect x="{x - w / 2:.0f}" y="{y - HEIGHT // 2}" width="{w}" height="{HEIGHT}" '
                     f'rx="6" fill="#eaf2f8" stroke="#456"/>'
                     f'<text x="{x}" y="{y + 4}" text-anchor="middle">{name}</text>')
    head = ('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1570 730" font-family="sans-serif" '
            'font-size="12">\n<!-- Written by scripts/relations.py from what `microslip models --relations` prints. -->\n<title>Which law is a special case of which</title>\n'
            '<defs><marker id="a" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" '
            'orient="auto"><path d="M0 0 L8 4 L0 8 z" fill="#456"/></marker></defs>\n'
            '<rect width="1570" height="730" fill="white"/>\n')
    (ROOT / "docs/relations.svg").write_text(
        head + "\n".join(arrows + labels + boxes) + "\n</svg>\n", encoding="utf-8")


if __name__ == "__main__":
    main()
