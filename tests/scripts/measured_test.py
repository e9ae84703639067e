#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""scripts/measured on pages made for it: a table of figures with and without its command, and tables of words.

usage: measured_test.py SOURCE_DIR
"""
import pathlib
import runpy
import subprocess
import sys
import tempfile

FIGURES = "# Speed\n\n| case | s |\n|---|---|\n| one | 0.3 |\n| two | 1.5e-3 |\n"
WORDS = "# Keys\n\n| key | for |\n|---|---|\n| order | 1 is the default |\n| size | metres |\n| name | words |\n"
PAGES = [
    (FIGURES, 1),
    (FIGURES + "\nMeasured by: `em-bench vector`\n", 0),
    (FIGURES + "\n## Next\n\nMeasured by: `em-bench vector`\n", 1),
    (FIGURES + "\nMeasured by: `scripts/no-such-script`\n", 1),
    (FIGURES.replace("0.3", "0.3 (tests/unit)").replace("1.5e-3", "1 (tests/cli)"), 0),
    (WORDS, 0),
]

with tempfile.TemporaryDirectory() as folder:
    page = pathlib.Path(folder) / "page.md"
    for text, status in PAGES:
        page.write_text(text, encoding="utf-8")
        done = subprocess.run([sys.argv[1] + "/scripts/measured", "--check", str(page)], capture_output=True, text=True)
        if done.returncode != status:
            sys.exit(f"status {done.returncode}, not {status}, of\n{text}\n{done.stderr}")
    faults_of = runpy.run_path(sys.argv[1] + "/scripts/measured")["faults_of"]
    faults_of.__globals__["DATA"] = pathlib.Path(folder) / "data"  # as if the page were one of docs/measured: figures come from data alone
    for text, count in [(FIGURES + "\nMeasured by: `em-bench vector`\n", 1), ("# A\n\n| test | in |\n|---|---|\n| one | tests/1 |\n", 0)]:
        page.write_text(text, encoding="utf-8")
        if len(faults := list(faults_of(page))) != count:
            sys.exit(f"{faults} of\n{text}")

readme = (pathlib.Path(sys.argv[1]) / "README.md").read_text(encoding="utf-8")
readme_faults = runpy.run_path(sys.argv[1] + "/scripts/measured")["readme_faults"]
for wrong in (("2.2 s (", "1.2 s ("), ("| 7.11 s", "| 7.31 s"), ("| 115 (", "| 116 (")):
    if wrong[0] not in readme:
        sys.exit(f"README.md: {wrong[0]} is not there: name another figure")
    if len(found := list(readme_faults(readme.replace(*wrong)))) != 1 or list(readme_faults(readme)):
        sys.exit(f"README.md with {wrong[1]}: {found}")
