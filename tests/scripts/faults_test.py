#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""tests/faults/run with a program that loses something: each loss is found and named.

usage: faults_test.py BIN SOURCE_DIR
"""
import pathlib
import re
import subprocess
import sys
import tempfile


def losing(what):
    """mom2d with tests/faults/losing_calls.c before it, and before failing_calls.c"""
    return f'LD_PRELOAD="LIBRARY${{LD_PRELOAD:+:$LD_PRELOAD}}" CURLEW_LOSE={what} exec SOUND "$@"'


def resumed(how):
    """mom2d whose runs fail that continue from the state of another"""
    return f'case "$*" in *--resume*) {how} ;; esac; exec SOUND "$@"'


#: the fake mom2d, the fault that must show it, cells survived and run (a thread that writes meets a limit of memory sooner or
#: later), and the message of a lost one
LOSSES = [
    (losing("half"), ["kill at files", "--quick"], "0/2", "cannot be read"),
    (losing("kept"), ["kill at files", "--quick"], "1/2", "ended without solved_1.h5"),
    # a part of a process that lives on, as of one with an unknown name
    (resumed('SOUND "$@"; for word; do test -d "$word" && touch "$word/a.csv.part-1"; done; exit 0'),
     ["kill in files", "--quick"], "0/2", "other results in ['a.csv.part-1']"),
    (losing("kept"), ["spoiled"], "0/5", "ended without solved_1.h5"),
    ('SOUND "$@" || kill -SEGV $$', ["no memory", "--quick"], "[123]/4", "status -11"),
    (losing("lock"), ["two runs"], "1/2", "the second run: 0"),
    # the values of another radius, as from a program that does not check saved files
    (resumed('exec SOUND "$@" --set contour.0.radius=1.01'), ["spoiled"], "0/5", "other results"),
    (resumed("kill -SEGV $$"), ["spoiled"], "0/5", "ends with -11"),
]


def require_found(binaries, inputs, options, *texts):
    done = subprocess.run([sys.executable, pathlib.Path(sys.argv[2], "tests/faults/run"), binaries, "--program", "mom2d",
                           "--inputs", inputs, *options], capture_output=True, text=True)
    said = done.stdout + done.stderr
    if done.returncode == 77:
        print(said)
        sys.exit(77)
    if missing := [text for text in texts if not re.search(text, said)]:
        sys.exit(f"{options}: nothing of {missing} in\n{said}")
    if done.returncode != 1:
        sys.exit(f"{options}: status {done.returncode} with\n{said}")


def main():
    sound = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory(prefix="curlew-losing-") as name:
        folder = pathlib.Path(name)
        library = folder / "losing_calls.so"
        source = pathlib.Path(sys.argv[2], "tests/faults/losing_calls.c")
        subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", library, source, "-ldl"], check=True)
        (folder / "bin").mkdir()
        (folder / "bin/em-mesh").symlink_to(sound / "em-mesh")
        program = folder / "bin/mom2d"
        for text, fault, cell, said in LOSSES:
            text = text.replace("LIBRARY", str(library)).replace("SOUND", f"'{sound}/mom2d'")
            program.write_text(f"#!/bin/sh\n{text}\n")
            program.chmod(0o755)
            require_found(folder / "bin", folder / "inputs", ["--fault", *fault], rf"\| mom2d \| {cell} \|", re.escape(said))
        # Too few samples show no growth.
        require_found(sound, folder / "inputs", ["--soak", "2"], "are too few: take more points")
    return 0


if __name__ == "__main__":
    sys.exit(main())
