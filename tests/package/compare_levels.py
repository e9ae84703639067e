#!/usr/bin/env python3
"""Runs of one config with the library at several levels: each took another one, the first the processor's highest, and
results agree to rounding.

Usage: compare_levels.py HIGHEST FOLDER ...   from the highest level to the lowest
"""
import json
import pathlib
import sys

highest, folders = sys.argv[1], sys.argv[2:]
summaries = [json.loads(pathlib.Path(folder, "summary.json").read_text()) for folder in folders]
taken = [summary["machine"]["arch"] for summary in summaries]
print("taken:", ", ".join(taken))
assert taken[0] == highest, f"the processor has {highest}"
assert taken == sorted(taken, reverse=True) and taken[-1] == "x86-64-v2", taken


def numbers(summary):
    return [complex(*value) for point in summary["results"]["s_parameters"] for name, value in sorted(point.items())
            if name.startswith("s")]


first, *others = map(numbers, summaries)
assert len(first) >= 8
apart = max(abs(a - b) for other in others for a, b in zip(first, other, strict=True))
print(f"S differ by {apart:.1e}")
# Elements and their sums are rounded to 1e-16 each, the factors' growth adds some digits: 1e-9 is no wrong formula.
assert apart < 1e-9, apart
