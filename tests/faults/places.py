# SPDX-License-Identifier: BSD-3-Clause
"""Odd clocks, names, locales and streams, and numbers of threads."""
import subprocess

from faults.cases import ANY_THREADS, SAYS
from faults.processes import Lost
from faults.results import digest, largest_difference


def surroundings(shop, program, quick):
    def calm(name=None, more=(), within=0.0, **options):
        place = shop.place(program, name)
        shop.require_reference(program, place, shop.run(program, place, *more, **options), within)

    preload = {"LD_PRELOAD": str(shop.library), "CURLEW_CLOCK_BACK": "1"}
    yield lambda: calm(environment=preload)
    if program not in SAYS:
        yield lambda: calm("with space and ünïcödé 日本 'quotes\"")
    yield lambda: calm(environment={"HOME": "/nonexistent", "TMPDIR": "/nonexistent"})
    if quick:
        return
    if program not in SAYS:
        yield lambda: calm("/".join(["n" * 200] * 5))
    # The libraries' numbers of threads are in the environment: without it BLAS rounds otherwise.
    yield lambda: calm(more=("--threads", "1"), bare=True, within=0.0 if program in ANY_THREADS else 1e-9)
    for locale in ("de_DE", "tr_TR"):
        if (place := shop.locale(locale)) is not None:
            yield lambda: calm(environment={"LC_ALL": f"{locale}.UTF-8", "LOCPATH": str(place)})

    def too_long():
        place = shop.place(program).parent / ("n" * 300)
        result = shop.run(program, place)
        shop.require_sound(program, place, result, {2, 3})

    def closed():
        place = shop.place(program)
        arguments = [word for word in shop.arguments(program, place) if word != "-q"]  # what is said goes nowhere
        process = subprocess.run(["sh", "-c", 'exec "$@" <&- >&- 2>&-', "sh", *arguments], cwd=shop.folder, env=shop.environment)
        if process.returncode != 3:
            raise Lost(f"status {process.returncode} where stdout is closed")
        if (found := digest(place)) != shop.reference(program):
            raise Lost(f"without standard streams {sorted(k for k in found if found[k] != shop.reference(program).get(k))} differ")

    if program not in SAYS:
        yield too_long
        yield closed


def twice(shop, program, number, *more):
    """The same bits from run to run; and for any number of threads, where that is promised. By cuDSS it is, if asked for."""
    environment = {"OMP_NUM_THREADS": str(number), "CURLEW_CUDSS_DETERMINISTIC": "1"}
    found, places = [], [shop.place(program) for _ in range(2)]
    for place in places:
        result = shop.run(program, place, *more, "--threads", str(number), environment=environment)
        shop.require_reference(program, place, result, 0.0 if program in ANY_THREADS else 1e-9)
        found.append(digest(place))
    if found[0] != found[1]:
        raise Lost(f"{number} threads: another run, other bits in {sorted(k for k in found[0] if found[0][k] != found[1].get(k))}, "
                   f"solutions differ by {largest_difference(*places):.1e}")


def threads(shop, program, quick):
    for number in (1, 2) if quick else (1, 2, 3, 4, 8, 64):
        yield lambda: twice(shop, program, number)
