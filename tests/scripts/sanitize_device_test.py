#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""scripts/sanitize-device with a tool and test programs made for it: findings, failures and hanging tests are reported.

usage: sanitize_device_test.py SOURCE_DIR
"""
import os
import pathlib
import subprocess
import sys
import tempfile

PROGRAM = """#!/bin/sh
case "$1" in --gtest_list_tests) printf 'DeviceA.\\n  One\\n  Two\\nSizes/DeviceB.\\n  Three/0  # GetParam() = 4\\n' ;; esac
"""
TOOL = """#!/bin/sh
case "$*" in
  *One*) echo '========= ERROR SUMMARY: 0 errors' ;;
  *Two*) {two} ;;
  *Three/0*) echo '========= RACECHECK SUMMARY: 0 hazards displayed (0 errors, 0 warnings)' ;;
  *) exit 5 ;;
esac
"""


def table(two, *options):
    """@param two what the tool does for the second test"""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for file, text in {"sparse_test": PROGRAM, "compute-sanitizer": TOOL.replace("{two}", two)}.items():
            (folder / file).write_text(text)
            (folder / file).chmod(0o755)
        return subprocess.run([sys.argv[1] + "/scripts/sanitize-device", name, "--test", "sparse_test", "--tool", "memcheck",
                               *options],
                              capture_output=True, text=True, env={**os.environ, "PATH": f"{name}:/usr/bin:/bin"})


def require(done, status, *texts):
    for text in texts:
        if text not in done.stdout:
            sys.exit(f"no \"{text}\" in\n{done.stdout}{done.stderr}")
    if done.returncode != status:
        sys.exit(f"status {done.returncode}, not {status}\n{done.stdout}{done.stderr}")


require(table("echo '========= ERROR SUMMARY: 0 errors'"), 0, "Sizes/DeviceB.Three/0 | memcheck |", "3 runs", "no report")
require(table("echo '========= ERROR SUMMARY: 7 errors'; exit 99"), 1, " | 7 |")
require(table("echo '========= ERROR SUMMARY: 1 error'; exit 99"), 1, " | 1 |")
require(table("echo '========= ERROR SUMMARY: 0 errors'; exit 1"), 1, " | failed |")
require(table("exit 0"), 1, " | failed |")
require(table("sleep 5", "--limit", "0.5"), 1, " | no end |", "| `sparse_test` | 2/3 |")
require(table("exit 1", "--except", "Two mem"), 0, "2 runs", "| `sparse_test` | 2/2 |")
require(table("exit 1", "--only", "DeviceA.One|Three.*mem"), 0, "2 runs", "no report")
require(table("exit 1", "--total", "0"), 1, "| not run |", "| `sparse_test` | 0/3 |")
require(table("exit 1", "--list"), 0, "sparse_test Sizes/DeviceB.Three/0 memcheck")
