# SPDX-License-Identifier: BSD-3-Clause
"""Imported before numpy by scripts that people start: where this Python has none, they continue with the one that
scripts/setup has filled."""
import importlib.util
import os
import pathlib
import sys

PYTHON = pathlib.Path(__file__).resolve().parent.parent / "build/venv/bin/python"

if importlib.util.find_spec("numpy") is None:
    if not PYTHON.exists():
        sys.exit(f"{pathlib.Path(sys.argv[0]).name}: numpy is not there: scripts/setup installs it")
    if pathlib.Path(sys.prefix) != PYTHON.parent.parent:
        os.execv(PYTHON, [PYTHON, *sys.argv])
