# SPDX-License-Identifier: BSD-3-Clause
"""Disks that are full, folders that are closed, and two runs in one folder."""
import os
import shutil
import signal
import time

from faults.cases import ONE_FILE, SAYS
from faults.processes import Lost, ended
from faults.results import digest


def full_disk(shop, program, quick):
    if program in SAYS:
        return

    total = shop.count(program, "CURLEW_COUNT_FILE")
    numbers = sorted({1, total // 3, 2 * total // 3, total}) if quick else range(1, total + 1, max(1, total // shop.writes))

    def strike(number):
        place = shop.place(program)
        result = shop.run(program, place,
                          environment={"LD_PRELOAD": str(shop.library), "CURLEW_FAIL_AT": str(number)})
        shop.require_sound(program, place, result, {0, 3})
        if result.returncode == 3 and place.is_dir():  # files are renamed one after the other: those there are whole
            wanted = shop.reference(program)
            for name, value in digest(place).items():
                if name in wanted and name != "summary.json" and value != wanted[name]:
                    raise Lost(f"half of {name} after write {number}")
        shop.require_resumed(program, place)
        shutil.rmtree(place.parent)

    for number in numbers:
        yield lambda: strike(number)


def folders(shop, program, quick):
    if program in SAYS:
        return

    def read_only():
        place = shop.place(program)
        place.parent.chmod(0o555)
        result = shop.run(program, place, preexec=lambda: os.getuid() == 0 and os.setuid(65534))
        place.parent.chmod(0o755)
        shop.require_sound(program, place, result, {3})
        shop.require_reference(program, place, shop.run(program, place))

    def vanished():
        place = shop.place(program)
        process = shop.start(program, place)
        time.sleep(0.5 * shop.seconds[program])
        shutil.rmtree(place.parent, ignore_errors=True)
        result = ended(process)
        shop.require_sound(program, place, result)
        place.parent.mkdir(parents=True, exist_ok=True)
        shop.require_reference(program, place, shop.run(program, place))

    def file_in_the_way():
        place = shop.place(program)
        place.mkdir() if program in ONE_FILE else place.write_text("")
        result = shop.run(program, place)
        shop.require_sound(program, place, result, {2, 3})

    shop.reference(program)
    shop.folder.chmod(0o755)
    yield read_only
    yield vanished
    yield file_in_the_way


def two_runs(shop, program, quick):
    def second():
        place = shop.place(program)
        first = shop.start_until(program, place, ".lock")
        stopped = os.waitid(os.P_PID, first.pid, os.WSTOPPED | os.WEXITED | os.WNOWAIT)
        if stopped.si_code != os.CLD_STOPPED:
            raise Lost(f"the first run ended without a lock: {ended(first).stderr}")
        result = shop.run(program, place)
        first.send_signal(signal.SIGCONT)
        shop.require_reference(program, place, ended(first))
        if result.returncode != 2 or f"process {first.pid}" not in result.stderr:
            raise Lost(f"the second run: {result.returncode} {result.stderr}")

    def stale():
        place = shop.place(program)
        place.mkdir()
        (place / ".lock").write_text("another run, process 1 on another machine")
        shop.require_reference(program, place, shop.run(program, place))

    if program not in ONE_FILE:
        yield second
        yield stale
