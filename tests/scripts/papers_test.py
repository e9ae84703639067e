#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The table of the papers' rows in docs/measured/validation.md: all 55, each with a figure and a command or a reason;
benchmarks and cases of the commands are there, and programs take the configs (each its own by schema_test, others by a dry run).

usage: papers_test.py SOURCE_DIR BIN_DIR
"""
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

ROWS = {"D": 12, "C": 10, "T": 10, "N": 12, "F": 11}  # 55
PROGRAMS = {"em-bench", "em-ngim", "fem-assemble", "fem-solve", "fe-iiee", "ie-solve", "mom2d", "mom2d_test", "mpirun"}

root, bin_dir = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
page = (root / "docs/measured/validation.md").read_text(encoding="utf-8")
table = page.split("## The papers' tables")[1].split("\n## ")[0]
rows = [[cell.strip() for cell in line.strip("|").split(" | ")] for line in table.splitlines() if re.match(r"\| \d", line)]
benches = "".join(path.read_text(encoding="utf-8") for path in (root / "apps/bench").glob("*.cpp"))
faults, runs = [], set()
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
    for words in ([word for word in c if word != "mpirun"] for c in commands):
        if len(words) > 1 and words[1].startswith("configs/"):
            runs.add((words[0], words[1]))


def program_of(config):
    """The program with which tests/cli/schema_test.cpp does a dry run of a config."""
    text = (root / config).read_text(encoding="utf-8")
    marks = {"[[variable]]": "em-optimize", "[truncation]": "fe-iiee", "[[contour]]": "mom2d", "[formulation]": "ie-solve"}
    return next((program for mark, program in marks.items() if f"\n{mark}" in text), "fem-solve")


faults += [f"{config}: is not there" for _, config in runs if not (root / config).is_file()]
runs = {(program, config) for program, config in runs if (root / config).is_file() and program != program_of(config)}
with tempfile.TemporaryDirectory() as folder:
    for number, (program, config) in enumerate(sorted(runs)):
        done = subprocess.run([bin_dir / program, root / config, "--dry-run", "--device", "cpu", "-o", f"{folder}/{number}"],
                              capture_output=True, text=True, check=False)
        if done.returncode != 0:
            faults.append(f"{program} {config}: {done.stderr.strip().splitlines()[-1]}")
counts = {paper: sum(row[1].startswith(paper + ",") for row in rows if len(row) > 1) for paper in ROWS}
if counts != ROWS:
    faults.append(f"rows of each paper: {counts}, not {ROWS}")
sys.exit("\n".join(faults) if faults else 0)
