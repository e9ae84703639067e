# SPDX-License-Identifier: BSD-3-Clause
"""scripts/peers makes a row of medians, and none of answers that differ.

usage: peers_test.py SOURCE_DIR
"""
import runpy
import sys

row_of = runpy.run_path(sys.argv[1] + "/scripts/peers")["row_of"]

row = row_of("p", 7, ("a", [3, 1, 2], [1.0, 2j]), ("b", [8, 4, 6], [1.0, 2.0001j]))
if row != ["p", 7, "a", "2", "b", "6", "3", "4e-05"]:
    sys.exit(f"a row {row}")
for answer in ([1.0, -2j], [1.0], [float("nan"), 2j], [1.0, 2.01j]):  # another sign, fewer numbers, none, beyond the bar
    try:
        row_of("p", 7, ("a", [1], answer), ("b", [1], [1.0, 2j]))
    except ValueError:
        continue
    sys.exit(f"a row of {answer}")
row_of("p", 7, ("a", [1], [1.0, 2.01j]), ("b", [1], [1.0, 2j]), 0.01)
