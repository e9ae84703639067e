# SPDX-License-Identifier: BSD-3-Clause
"""Runs the scripts as a user does, each in a fork of this process: what tests and scripts import is read once for all."""
import os
import pathlib
import runpy
import subprocess
import sys
import tempfile
import traceback
import warnings

INTERPRETERS_FILTERS = warnings.filters[:]  # before unittest shows every warning


def run_script(path: pathlib.Path, *arguments) -> subprocess.CompletedProcess:
    """subprocess.run([python, path, *arguments], capture_output=True, text=True) without a new interpreter."""
    command = [str(path), *map(str, arguments)]
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
        sys.stdout.flush()
        sys.stderr.flush()
        child = os.fork()
        if child == 0:
            os._exit(_main_of(command, out.fileno(), err.fileno()))
        _, status = os.waitpid(child, 0)
        out.seek(0)
        err.seek(0)
        return subprocess.CompletedProcess(command, os.waitstatus_to_exitcode(status), out.read(), err.read())


def _main_of(command: list, out: int, err: int) -> int:
    """Exit status of the script, whose output goes to the two files, as with a separate interpreter."""
    os.dup2(out, 1)
    os.dup2(err, 2)
    warnings.filters[:] = INTERPRETERS_FILTERS
    sys.argv = command
    sys.path.insert(0, os.path.dirname(command[0]))
    status = 0
    try:
        runpy.run_path(command[0], run_name="__main__")
    except SystemExit as end:
        status = end.code
        if isinstance(status, str):
            print(status, file=sys.stderr)
            status = 1
    except BaseException:  # the interpreter's last resort
        traceback.print_exc()
        status = 1
    sys.stdout.flush()
    sys.stderr.flush()
    return int(status or 0)
