#!/usr/bin/env python3
"""What a laboratory does to a record: noise, an offset, a delay between channels, and the like.

    python3 spoil.py CLEAN.csv SPOILT.csv [--columns t,u,f] [--noise f=0.01] [--offset f=3] [--drift f=0.5]
        [--delay f=5] [--gain u=1000] [--clip f=2] [--every 5] [--digits 4] [--seed 1]

Reads a table as microslip writes it, whose headings are the first line, and writes the columns named.
--noise NAME=PART      normal, a part of the largest value of the column
--offset NAME=VALUE    added to the column
--drift NAME=VALUE     a line from 0 to VALUE at the last row
--delay NAME=ROWS      the channel comes so many rows late
--gain NAME=FACTOR     another unit
--clip NAME=VALUE      the amplifier gives no more than this
--every N              only every so many rows
--digits N             significant digits that are written
Python's standard library is enough.
"""

import argparse
import csv
import random


def pairs(words):
    return {name: float(value) for name, value in (word.split("=") for word in words)}


def options():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("clean")
    p.add_argument("spoilt")
    p.add_argument("--columns")
    for name in ("noise", "offset", "drift", "delay", "gain", "clip"):
        p.add_argument("--" + name, action="append", default=[], metavar="NAME=VALUE")
    p.add_argument("--every", type=int, default=1)
    p.add_argument("--digits", type=int, default=6)
    p.add_argument("--seed", type=int, default=1)
    return p.parse_args()


def main():
    o = options()
    with open(o.clean, newline="", encoding="utf-8") as file:
        rows = list(csv.reader(line for line in file if not line.startswith("#")))
    table = {name: [float(row[i]) for row in rows[1:]] for i, name in enumerate(rows[0])}
    names = o.columns.split(",") if o.columns else list(table)
    late = {name: int(n) for name, n in pairs(o.delay).items()}
    noise, offset, drift, gain, clip = map(pairs, (o.noise, o.offset, o.drift, o.gain, o.clip))
    columns = []
    for name in names:
        x = table[name]
        x = x[:1] * late.get(name, 0) + x[:len(x) - late.get(name, 0)]
        size = max(map(abs, x))
        draw = random.Random(f"{o.seed} {name}")
        x = [value + offset.get(name, 0) + drift.get(name, 0) * i / (len(x) - 1) +
             noise.get(name, 0) * size * draw.gauss(0, 1) for i, value in enumerate(x)]
        most = clip.get(name, float("inf"))
        columns.append([gain.get(name, 1) * max(-most, min(most, value)) for value in x][::o.every])
    with open(o.spoilt, "w", encoding="utf-8") as file:
        file.write(",".join(names) + "\n")
        for row in zip(*columns):
            file.write(",".join(f"{value:.{o.digits}g}" for value in row) + "\n")


if __name__ == "__main__":
    main()
