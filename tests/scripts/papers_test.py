#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The table of the papers' rows in docs/measured/validation.md: all 55, each with a figure and a command or a reason;
benchmarks, cases and configs of the commands are there.

usage: papers_test.py SOURCE_DIR
"""
import pathlib
import re
import shlex
import sys

ROWS = {"D": 12, "C": 10, "T": 10, "N": 12, "F": 11}  # 55
PROGRAMS = {"em-bench", "em-ngim", "fem-assemble", "fem-solve", "fe-iiee", "ie-solve", "mom2d", "mom2d_test", "mpirun"}

root = pathlib.Path(sys.argv[1])
page = (root / "docs/measured/validation.md").read_text(encoding="utf-8")
table = page.split("## The papers' tables")[1].split("\n## ")[0]
rows = [[cell.strip() for cell in line.strip("|").split(" | ")] for line in table.splitlines() if re.match(r"\| \d", line)]
benches = "".join(path.read_text(encoding="utf-8") for path in (root / "apps/bench").glob("*.cpp"))
faults = []
for number, row in enumerate(rows, 1):
    if len(row) != 5 or row[0] != str(number) or not all(row):
        faults.append(f"row {number}: needs its number and five cells: {row}")
        continue
    commands = [shlex.split(c) for c in re.findall(r"`([^`]+)`", row[4])]
    if not any(c[0] in PROGRAMS for c in commands) and not row[4].startswith(("left out:", "not there:")):
        faults.append(f"row {number}: neither a command nor a reason: {row[4]}")
    for bench in (c for c in commands if c[0] == "em-bench"):
        for name in [bench[1]] + [value for option, value in zip(bench, bench[1:]) if option == "--case"]:
            if f'"{name}"' not in benches:
                faults.append(f"row {number}: em-bench has no {name}")
    for config in (word for c in commands for word in c if word.startswith("configs/")):
        if not (root / config).exists():
            faults.append(f"row {number}: {config} is not there")
counts = {paper: sum(row[1].startswith(paper + ",") for row in rows if len(row) > 1) for paper in ROWS}
if counts != ROWS:
    faults.append(f"rows of each paper: {counts}, not {ROWS}")
sys.exit("\n".join(faults) if faults else 0)
