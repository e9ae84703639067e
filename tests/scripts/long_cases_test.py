#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Runs a share of the cases that take long, named DISABLED_ for GoogleTest: a run of all tests does not include all of them.

Usage: long_cases_test.py BIN K/N|today/N      CURLEW_SHARE=K/N in the environment comes first
"""
import os
import pathlib
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))
from shares import share_of


def long_cases(program):
    """[(program, case)]"""
    if b"DISABLED_" not in program.read_bytes():
        return []
    suite, cases = "", []
    for line in subprocess.run([program, "--gtest_list_tests"], capture_output=True, text=True, check=True).stdout.splitlines():
        name = line.split("#")[0].rstrip()
        if not line.startswith(" "):
            suite = name
        elif "DISABLED_" in suite + name:
            cases.append((program, suite + name.strip()))
    return cases


def main():
    text = os.environ.get("CURLEW_SHARE") or sys.argv[2]
    share, of = share_of(text) or sys.exit(f"long_cases_test: {text} must be K/N with K from 1 to N, or today/N")
    cases = [case for program in sorted(pathlib.Path(sys.argv[1]).glob("*_test")) for case in long_cases(program)]
    failed = 0
    for program, case in cases[share - 1::of]:
        done = subprocess.run([program, "--gtest_also_run_disabled_tests", f"--gtest_filter={case}"], capture_output=True, text=True)
        print(done.stdout if done.returncode else f"{program.name} {case}: passes", flush=True)
        failed += done.returncode != 0
    print(f"long_cases_test: share {share}/{of} of {len(cases)} cases, {failed} fail")
    return 1 if failed or not cases else 0


if __name__ == "__main__":
    sys.exit(main())
