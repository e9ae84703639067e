# SPDX-License-Identifier: BSD-3-Clause
"""Memory that is at an end."""
import resource
import shutil

from faults.cases import DONE
from faults.processes import Lost
from faults.results import digest, left_out


def memory(shop, program, quick):
    def strike(limit):
        place = shop.place(program)
        result = shop.run(program, place, preexec=lambda: resource.setrlimit(resource.RLIMIT_DATA, (limit, limit)))
        if result.returncode != 127:  # the system could not even load the libraries, and has said so
            shop.require_sound(program, place, result, {DONE.get(program, 0), 3})
        shop.require_resumed(program, place)

    for mebibytes in (8, 32) if quick else (4, 6, 8, 10, 12, 14, 16, 18, 20, 24, 28, 32, 48, 64, 128):
        yield lambda: strike(mebibytes << 20)


def exhausted_memory(shop, program, quick):
    """Large requests for memory fail from the n-th on: in each stage that makes any, from reading to writing."""
    total = shop.count(program, "CURLEW_COUNT_MEMORY")
    numbers = sorted({1, total // 3, 2 * total // 3, total}) if quick else range(1, total + 1, max(1, total // shop.writes))

    def strike(number):
        place = shop.place(program)
        result = shop.run(program, place, environment={
            "LD_PRELOAD": str(shop.library), "CURLEW_NO_MEMORY_AT": str(number)})
        shop.require_sound(program, place, result, {DONE.get(program, 0), 3})
        if result.returncode == 0 and (missing := left_out(place)):
            wanted = shop.reference(program)
            if bad := [name for name, value in digest(place).items() if not name.endswith("summary.json") and value != wanted.get(name)]:
                raise Lost(f"other results in {bad}")
            if set(wanted) - set(digest(place)) - missing:
                raise Lost("more is missing than the estimate of the error")
            shop.require_reference(program, place, shop.run(program, place))
        else:
            shop.require_resumed(program, place)
        shutil.rmtree(place.parent)

    for number in numbers:
        yield lambda: strike(number)
