# SPDX-License-Identifier: BSD-3-Clause
"""Failures of the GPU."""
import concurrent.futures
import random
import shutil
import sys
import time

from faults.cases import DEVICE_CASES, ONE_FILE, ON_DEVICE
from faults.places import twice
from faults.processes import Lost
from faults.results import digest, left_out, not_finite

#: how far a run that the host has taken over may differ: both hold their own tolerances
TAKEN_OVER_WITHIN = 1e-3


def device_counts(shop, program, more):
    """Requests for device memory and checked calls of an undisturbed run, which becomes the reference."""
    place = shop.place(program)
    counter = place.parent / "counts"
    result = shop.run(program, place, *more, *ON_DEVICE, environment={"CURLEW_COUNT_DEVICE": str(counter)})
    if result.returncode != 0:
        sys.exit(f"{program} {' '.join([*more, *ON_DEVICE])} fails undisturbed: {result.stderr}")
    shop.references[program], shop.places[program] = digest(place), place
    return [int(word) for word in counter.read_text().split()] if counter.exists() else [0, 0]


def device_fault(shop, program, more, kind, number):
    """The run ends with one line and status 3, or the host takes over; then an undisturbed run succeeds."""
    place = shop.place(program)
    result = shop.run(program, place, *more, *ON_DEVICE, environment={"CURLEW_FAIL_DEVICE": f"{kind} {number}"})
    shop.require_sound(program, place, result, {0, 3})
    if place.exists() and (bad := not_finite(place)):
        raise Lost(f"not a number in {bad}")
    may_lack = left_out(place)
    if result.returncode == 0 and program not in ONE_FILE:
        shop.require_reference(program, place, result, TAKEN_OVER_WITHIN, may_lack)
    if result.returncode == 3 and program in ONE_FILE and place.exists():
        raise Lost("a file after a failure")
    if number % 10 == 1:
        again = shop.run(program, place, *more, *ON_DEVICE, *([] if program in ONE_FILE else ["--resume"]))
        shop.require_sound(program, place, again, {0})
        if program not in ONE_FILE:
            shop.require_reference(program, place, again, TAKEN_OVER_WITHIN, may_lack)
    shutil.rmtree(place.parent)


def device_absent(shop, program):
    """No card: --device cuda says so, --device auto goes without."""
    none = {"CUDA_VISIBLE_DEVICES": ""}
    place = shop.place(program)
    result = shop.run(program, place, *ON_DEVICE, environment=none)
    shop.require_sound(program, place, result, {3})
    if "device" not in result.stderr or place.exists():
        raise Lost(f"without a card: {result.stderr}")
    place = shop.place(program)
    result = shop.run(program, place, "--device", "auto", environment=none)
    shop.require_sound(program, place, result, {0})
    shop.require_reference(program, place, result)


#: what happens to a run on the GPU
DEVICE_FAULTS = ["no card", "threads", "memory", "calls"]


def device_strikes(shop, program, more, faults, in_time):
    """Name of the fault and a function that is true or raises Lost, for every n; in time only, the function is None after it."""
    def strike(kind, number):
        if not in_time():
            return None
        if kind == "threads":  # of the host
            twice(shop, program, number, *more, *ON_DEVICE)
        else:
            device_fault(shop, program, more, kind, number)
        return True

    places = [(kind, number) for kind, total in zip(("memory", "calls"), device_counts(shop, program, more))
              for number in range(1, total + 1, max(1, -(-total // shop.writes)))]
    random.Random(shop.seed).shuffle(places)
    places = [*(("threads", number) for number in (1, 2, 8, 64)), *places]
    return [(kind, lambda kind=kind, number=number: strike(kind, number)) for kind, number in places if kind in faults]


def device(shop, wanted, faults, quick, jobs, seconds):
    """@param quick only what happens without a card, which a machine without one can try
    @param seconds for all cases"""
    lost = []

    def judge(name, kind, strike):
        try:
            return strike()
        except Lost as error:
            lost.append(f"{name}, {kind}: {error}")
            print(lost[-1], file=sys.stderr, flush=True)
            return False

    print("| case | " + " | ".join(faults) + " |\n|" + "---|" * (len(faults) + 1), flush=True)
    cases = [case for case in DEVICE_CASES if not wanted or case[1] in wanted]
    end = time.monotonic() + seconds
    for number, (name, program, more) in enumerate(cases):
        now = time.monotonic()
        due = now + (end - now) / (len(cases) - number)
        cells = dict.fromkeys(faults, "-")
        if not more and "no card" in faults:
            shop.references.pop(program, None)  # that of the host
            cells["no card"] = "0/1" if judge(name, "no card", lambda: device_absent(shop, program)) is False else "1/1"
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            futures = {}
            for kind, strike in [] if quick else device_strikes(shop, program, more, faults, lambda: time.monotonic() < due):
                futures.setdefault(kind, []).append(pool.submit(judge, name, kind, strike))
            for kind, verdicts in futures.items():
                run = [v.result() for v in verdicts if v.result() is not None]
                cells[kind] = f"{sum(run)}/{len(run)}" + (f" of {len(verdicts)}" if len(run) < len(verdicts) else "")
        print(f"| {name} | " + " | ".join(cells.values()) + " |", flush=True)
    return lost
