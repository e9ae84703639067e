# SPDX-License-Identifier: BSD-3-Clause
"""Runs that a signal ends: at random, at a file, in a file, in a library call."""
import random
import shutil
import signal
import subprocess
import time

from faults.cases import FACTORS, KEPT, ONE_FILE, OURS, PROCESSES, SAYS
from faults.processes import Lost, ended


def moments(shop, program, count):
    shop.reference(program)
    numbers = random.Random(f"{shop.seed} {program}")
    return [numbers.uniform(0, 1.1 * shop.seconds[program]) for _ in range(count)]


def wait_for_processes(place):
    """Processes started by a killed mpirun end by themselves."""
    for _ in range(200):
        running = subprocess.run(["pgrep", "-f", str(place)], capture_output=True, text=True).stdout
        if not running:
            return
        time.sleep(0.1)
    raise Lost(f"processes still run 20 s after mpirun was killed: {running.split()}")


def struck(shop, program, number, moment):
    place = shop.place(program)
    process = shop.start(program, place)
    time.sleep(moment)
    process.send_signal(number)
    result = ended(process)
    if program in PROCESSES:
        wait_for_processes(place)
    if number == signal.SIGKILL:
        shop.require_whole(program, place)
    else:  # a signal before the program has a handler ends it at once
        shop.require_sound(program, place, result, OURS | {-number})
    shop.require_resumed(program, place)
    if list(place.parent.rglob("*.part-*")) or (program not in ONE_FILE and (place / ".lock").exists()):
        raise Lost("a part or a lock is left after the run that resumed")


def killed_at(shop, program, name):
    """Starts a run that stops at the named file, and kills it there. @return its folder and the file"""
    place = shop.place(program)
    file = place if program in ONE_FILE else place / name
    process = shop.start_until(program, place, name)
    while process.poll() is None and not file.exists():
        time.sleep(0.001)
    process.kill()
    ended(process)
    if not file.exists():
        raise Lost(f"ended without {name}")
    return place, file


def kills(shop, program, quick):
    for moment in moments(shop, program, 2 if quick else 20):
        yield lambda: struck(shop, program, signal.SIGKILL, moment)


def at_files(shop, program, quick, strike):
    """The function for each of at most 20 files that a program writes."""
    if program in SAYS:
        return
    names = list(shop.reference(program)) + ([KEPT[program]] if program in KEPT else [])
    for name in names[-2:] if quick else names[::-(-len(names) // 20)]:
        yield lambda: strike(name)


def kills_at_files(shop, program, quick):
    """A result gets its name when it is complete: a run is killed as soon as the name exists."""
    def strike(name):
        place, _ = killed_at(shop, program, name)
        shop.require_whole(program, place)
        shop.require_resumed(program, place)
        shutil.rmtree(place.parent)

    return at_files(shop, program, quick, strike)


def kills_in_files(shop, program, quick):
    """A result is written under a temporary name: a run killed meanwhile leaves none under the final name, and the next run
    in the folder removes the rest."""
    def strike(name):
        place = shop.place(program)
        file = place if program in ONE_FILE else place / name
        process = shop.start(program, place, environment={
            "LD_PRELOAD": str(shop.library), "CURLEW_STOP_IN": f"/{place.parent.name}/{file.relative_to(place.parent)}.part-"})
        while process.poll() is None and not list(file.parent.glob(f"{file.name}.part-*")):
            time.sleep(0.001)
        process.kill()
        ended(process)
        if file.exists() or not list(file.parent.glob(f"{file.name}.part-*")):
            raise Lost(f"{name} was not written beside its place")
        shop.require_whole(program, place)
        shop.require_resumed(program, place)
        if parts := [str(path) for path in place.parent.rglob("*.part-*")]:
            raise Lost(f"the run after it leaves {parts}")
        shutil.rmtree(place.parent)

    return at_files(shop, program, quick, strike)


def signals(shop, program, quick):
    shop.reference(program)
    numbers = random.Random(f"{shop.seed} {program} signals")
    for number in [signal.SIGTERM] if quick else 3 * [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]:
        moment = numbers.uniform(0.2, 0.9) * shop.seconds[program]
        yield lambda: struck(shop, program, number, moment)


def stuck(shop, program, quick):
    """A signal during a library call that checks no flag: the run ends within seconds."""
    def strike(number):
        place = shop.place(program)
        reached = place.parent / "stuck"
        process = shop.start(program, place, environment={"LD_PRELOAD": str(shop.library), "CURLEW_STUCK_FILE": str(reached)})
        while process.poll() is None and not reached.exists():
            time.sleep(0.01)
        process.send_signal(number)
        start = time.monotonic()
        result = ended(process)
        shop.require_sound(program, place, result, {130})
        if "did not stop" not in result.stderr and program != "em-optimize":  # whose solver says it
            raise Lost(f"was not stuck: {result.stderr}")
        if (seconds := time.monotonic() - start) > 15:
            raise Lost(f"ends {seconds:.0f} s after the signal")
        shop.require_resumed(program, place)

    if program in (["fem-solve"] if quick else FACTORS):  # each takes the ten seconds that a run is given
        shop.reference(program)
        for number in [signal.SIGHUP] if quick else [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]:
            yield lambda: strike(number)
