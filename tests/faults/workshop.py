# SPDX-License-Identifier: BSD-3-Clause
"""A folder with small inputs of all programs, how to run them, and what a run must leave."""
import itertools
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time

import h5py
import numpy as np

from faults.cases import CASES, DONE, HERE, MESHES, ONE_FILE, OPEN_MPI, OURS, PROCESSES, RESUMED_WITHIN, ROOT, SAYS, binary
from faults.processes import Lost, ended
from faults.results import digest, solutions


class Workshop:
    """A folder with small inputs of all programs, and how to run them."""

    def __init__(self, binaries, folder, seed, writes, inputs):
        self.binaries, self.folder, self.seed = pathlib.Path(binaries).resolve(), folder, seed
        self.environment = dict(os.environ, OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1", **OPEN_MPI)
        self.counter, self.writes = itertools.count(1), writes
        shutil.copytree(HERE / "configs", folder, dirs_exist_ok=True)
        with h5py.File(folder / "points.h5", "w") as file:
            numbers = np.random.default_rng(1)
            file["sources"] = numbers.random((2000, 3))
            file["charges"] = numbers.random(2000) + 1j * numbers.random(2000)
        for name, (geometry, *options) in MESHES.items():
            if inputs and (inputs / name).exists():
                shutil.copy(inputs / name, folder / name)
                continue
            self.finish("em-mesh", [str(ROOT / "meshes" / geometry), *options, "-o", name])
            if inputs:
                inputs.mkdir(parents=True, exist_ok=True)
                shutil.copy(folder / name, inputs / name)
        self.library = folder / "failing_calls.so"
        subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", self.library,
                        HERE / "failing_calls.c", "-ldl"], check=True)
        self.references, self.places, self.seconds = {}, {}, {}

    def reference(self, program):
        if program not in self.references:
            place = self.place(program)
            start = time.monotonic()
            ended = self.run(program, place)
            if ended.returncode != DONE.get(program, 0):
                sys.exit(f"{program} fails undisturbed: {ended.stderr}")
            self.seconds[program] = time.monotonic() - start
            self.references[program], self.places[program] = digest(place), place
        return self.references[program]

    def place(self, program, name=None):
        """A new name for results; the folder stays away from other cases, the name itself stays the same."""
        top = self.folder / f"case{next(self.counter)}" / (name or "")
        top.mkdir(parents=True)
        return top / ("out.txt" if program in SAYS else "out.h5" if program in ONE_FILE else "out")

    def arguments(self, program, place, *more):
        device = [] if "--device" in more else ["--device", "cpu"]
        output = [] if program in SAYS else ["-o", str(place), "-q"]
        under = ["mpirun", "-quiet", "-n", str(PROCESSES[program])] if program in PROCESSES else []
        return [*under, str(self.binaries / binary(program)), *CASES[program], *device, *output, *more]

    def locale(self, name):
        """Where a locale is made for these runs, as few machines have it; nothing where it cannot be made."""
        place = self.folder / "locales"
        place.mkdir(exist_ok=True)
        if not (place / f"{name}.UTF-8").exists():
            made = shutil.which("localedef") and subprocess.run(
                ["localedef", "-i", name, "-f", "UTF-8", place / f"{name}.UTF-8"], capture_output=True)
            if not made or made.returncode != 0:
                print(f"no localedef, or no locale {name}: left out", file=sys.stderr)
                return None
        return place

    def start(self, program, place, *more, environment=(), preexec=None, bare=False):
        """@param bare without any environment"""
        return subprocess.Popen(self.arguments(program, place, *more), cwd=self.folder, stdout=subprocess.DEVNULL,
                                stderr=subprocess.PIPE, text=True, errors="replace", preexec_fn=preexec,
                                env={} if bare else {**self.environment, **dict(environment)})

    def start_until(self, program, place, name):
        """A run that stops by itself (SIGSTOP) once the named file of its folder is there, however busy the machine is."""
        return self.start(program, place, environment={
            "LD_PRELOAD": str(self.library),
            "CURLEW_STOP_AT": f"/{place.parent.name}/{place.name}" + ("" if program in ONE_FILE else f"/{name}")})

    def run(self, program, place, *more, **options):
        result = ended(self.start(program, place, *more, **options))
        if program in SAYS:
            place.write_text("".join(f"{line}\n" for line in result.stderr.splitlines() if "warning" in line))
        return result

    def count(self, program, variable):
        """How often an undisturbed run does what tests/faults/failing_calls.c counts; the most of a program and those
        that it starts."""
        place = self.place(program)
        counter = place.parent / "counter"  # em-mesh may write nowhere else
        self.run(program, place, environment={"LD_PRELOAD": str(self.library), variable: str(counter)})
        return max(map(int, counter.read_text().split()))

    def finish(self, program, arguments):
        subprocess.run([self.binaries / program, *arguments, "-q"], cwd=self.folder, check=True,
                       stdout=subprocess.DEVNULL, env=self.environment)

    def require_resumed(self, program, place):
        """The run after a fault gives the result of an undisturbed run."""
        result = self.run(program, place, *([] if program in ONE_FILE else ["--resume"]))
        self.require_reference(program, place, result, RESUMED_WITHIN.get(program, 0.0))

    def require_sound(self, program, place, result, allowed=OURS):
        """One line, a status of ours, no half-written file."""
        if result.returncode not in allowed:
            raise Lost(f"status {result.returncode}: {result.stderr[-300:]}")
        errors = [line for line in result.stderr.splitlines() if "warning" not in line]
        says_one = program not in SAYS and result.returncode not in (0, 130) and result.returncode > 0
        if says_one and len(errors) != 1:
            raise Lost(f"{len(errors)} lines for status {result.returncode}: {result.stderr[-300:]}")
        parts = [str(p) for p in place.parent.rglob("*.part-*")] if place.parent.exists() else []
        if parts and result.returncode != -signal.SIGKILL:
            raise Lost(f"left {parts}")

    def require_whole(self, program, place):
        """Files of a killed run under the names of results are complete; saved solutions can be read."""
        wanted = {} if program in PROCESSES else self.reference(program)  # several processes round by who is first
        for name, value in digest(place, unfinished=False).items():
            if value != wanted.get(name, value):
                raise Lost(f"left half of {name}")

    def require_reference(self, program, place, result, within=0.0, may_lack=frozenset()):
        """@param within relative difference that is allowed; 0 asks for the same bits
        @param may_lack files that need not be there, where differences are allowed"""
        if result.returncode != DONE.get(program, 0):
            raise Lost(f"the run after it ends with {result.returncode}: {result.stderr[-300:]}")
        found, wanted = digest(place), self.reference(program)
        if within > 0:
            if others := (set(found) ^ set(wanted)) - may_lack:
                raise Lost(f"other files: {sorted(others)}")
            values = solutions(place)
            for name, want in solutions(self.places[program]).items():
                if not np.max(np.abs(values[name] - want)) <= within * np.max(np.abs(want)):
                    raise Lost(f"{name} differs by more than {within}")
        elif found != wanted:
            raise Lost(f"other results in {sorted(k for k in {*found, *wanted} if found.get(k) != wanted.get(k))}")
