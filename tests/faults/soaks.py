# SPDX-License-Identifier: BSD-3-Clause
"""Memory and open files of many points in one process, and of many processes."""
import random
import shutil
import subprocess
import sys
import time

import numpy as np

from faults.cases import ON_DEVICE
from faults.processes import Lost, ended, memory_and_handles

#: points that show a small leak
MANY = 300


def growth_allowed(points):
    """(memory, handles): 1 % and none over a long soak. A short one sees the noise of allocators and threads, some 2 % of
    28 MiB; its handles have a step instead."""
    return (0.01, 0.0) if points >= MANY else (0.05, 0.0)


#: MiB: memory that asks for large pages gets one in the place of many small ones where the system has it
ONE_LARGE_PAGE = 2.1

#: handles: files that a point has open while it is computed and written. The few samples of a short soak may see none of
#: them in one half and all in the other; a handle lost at each of 60 points is 15 from half to half
OPEN_AT_TIMES = 8

#: samples in each half of what is compared
FEWEST = 3


def require_flat(name, sizes, unit, most, of=np.median, step=0.0):
    """@param most growth from the first to the second half of what is given, as a part
    @param step growth that is none, in the unit"""
    half = len(sizes) // 2
    if half < FEWEST:
        raise Lost(f"{name}: {len(sizes)} samples of {unit} are too few: take more points")
    first, last = float(of(sizes[:half])), float(of(sizes[half:]))
    print(f"soak: {name}: {last:.1f} {unit}, {100 * (last / first - 1):+.2f} % over the last half", flush=True)
    if last > max((1 + most) * first, first + step):
        raise Lost(f"{name} grows from {first:.1f} to {last:.1f} {unit}")


def device_memory():
    """MiB in use on the first GPU, which no other process should use meanwhile."""
    said = subprocess.run(["nvidia-smi", "-i", "0", "--query-gpu=memory.used", "--format=csv,noheader,nounits"],
                          capture_output=True, text=True, check=True).stdout
    return float(said)


def long_sweep(shop, program, sweep, points, on_device):
    """One process through a sweep: memory and handles of its last half are flat."""
    place = shop.place(program)
    process = shop.start(program, place, "--sweep", f"{sweep}:{points}", *(ON_DEVICE if on_device else []))
    samples = []
    while process.poll() is None:
        on_card = device_memory() if on_device else 0.0
        if (sample := memory_and_handles(process)) is None:
            break
        samples.append((*sample, on_card))
        time.sleep(0.02)
    result = ended(process)
    if result.returncode != 0:
        raise Lost(f"{program}: status {result.returncode}: {result.stderr[-300:]}")
    memory, of_handles = growth_allowed(points)
    last_half = samples[len(samples) // 2 : -max(1, len(samples) // 50)]  # without the table at the end
    page, files = (ONE_LARGE_PAGE, OPEN_AT_TIMES) if points < MANY else (0, 0)  # many points show a leak behind them
    require_flat(f"{program}, {points} points", [size for size, _, _ in last_half], "MiB", memory, step=page)
    require_flat(f"{program}, {points} points", [handles for _, handles, _ in last_half], "handles", of_handles, step=files)
    if on_device:
        require_flat(f"{program}, {points} points", [size for _, _, size in last_half], "MiB on the GPU", memory)
    shutil.rmtree(place.parent)


def many_restarts(shop, program, count):
    """Runs into one folder, every other one killed and resumed: no files accumulate there, and the last runs take as much
    memory and as many handles as the first."""
    shop.reference(program)
    numbers, place, sizes, handles = random.Random(shop.seed), shop.place(program), [], []
    for number in range(count):
        told = place.parent / "peak"
        process = shop.start(program, place, *(["--resume"] if number % 2 else []), environment={
            "LD_PRELOAD": str(shop.library), "CURLEW_PEAK_FILE": str(told)})
        if number % 2 == 0:
            time.sleep(numbers.uniform(0.1, 0.7) * shop.seconds[program])
            process.kill()
            ended(process)
            continue
        result = ended(process)
        if result.returncode != 0:
            raise Lost(f"{program}: restart {number} ends with {result.returncode}: {result.stderr[-300:]}")
        size, files = told.read_text().split()
        sizes.append(int(size) / 1024)
        handles.append(int(files))
        if (place / "summary.json").exists():
            (place / "summary.json").unlink()  # the next restart has something to do
    shop.require_resumed(program, place)
    left = {p.name for p in place.iterdir()} - {p.name for p in shop.places[program].iterdir()}
    if left:
        raise Lost(f"{program}: {count} restarts left {sorted(left)}")
    most = growth_allowed(count)[0]
    require_flat(f"{program}, {count} restarts", sizes, "MiB at most", most, np.max)  # who resumes late takes less
    require_flat(f"{program}, {count} restarts", handles, "handles at the end", 0.0, np.max)
    shutil.rmtree(place.parent)


def soak(shop, points, restarts, programs, on_device):
    """Long sweeps in one process, and restarts, which are on the host."""
    sweeps = {"fem-solve": "material.0.epsilon_r=1:1.3", "mom2d": "contour.0.radius=0.9:1.1",
              "ie-solve": "frequency.values=2e8:2.2e8"}
    strikes = [(long_sweep, program, sweep, points, on_device) for program, sweep in sweeps.items() if points > 0]
    strikes += [(many_restarts, program, restarts) for program in sweeps if not on_device]
    lost = []
    for strike, program, *arguments in strikes:
        if programs and program not in programs:
            continue
        try:
            strike(shop, program, *arguments)
        except Lost as error:
            lost.append(f"soak: {error}")
            print(lost[-1], file=sys.stderr, flush=True)
    return lost
