# SPDX-License-Identifier: BSD-3-Clause
"""Processes that must end, by their own or by a fault."""
import os
import pathlib
import subprocess
import time


class Lost(Exception):
    """A fault that was not survived, and how."""


class Ended:
    def __init__(self, returncode, stderr):
        self.returncode, self.stderr = returncode, stderr


def processor_seconds(number):
    """Processor time of a process and of those that it has started."""
    try:
        fields = pathlib.Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()
        children = pathlib.Path(f"/proc/{number}/task/{number}/children").read_text().split()
    except OSError:
        return 0.0
    ticks = sum(int(word) for word in fields[11:15])  # its own, and of those that it has waited for
    return ticks / os.sysconf("SC_CLK_TCK") + sum(map(processor_seconds, children))


#: s of the processor that a run may take, and of the clock for which it may stand still: on shared cores it is only slow
LIMIT = 120


def ended(process):
    taken, moved = 0.0, time.monotonic()
    while True:
        try:
            _, errors = process.communicate(timeout=1)
            return Ended(process.returncode, errors)
        except subprocess.TimeoutExpired:
            now = processor_seconds(process.pid)
            if now > taken:
                taken, moved = now, time.monotonic()
            if taken > LIMIT or time.monotonic() - moved > LIMIT:
                process.kill()
                process.communicate()
                raise Lost(f"does not end: {taken:.0f} s of the processor") from None


def memory_and_handles(process):
    """Resident MiB and open files of a process; nothing once it has ended."""
    folder = pathlib.Path(f"/proc/{process.pid}")
    try:
        return int((folder / "statm").read_text().split()[1]) * 4096 / 2**20, len(list((folder / "fd").iterdir()))
    except (OSError, IndexError):
        return None
