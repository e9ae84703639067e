# SPDX-License-Identifier: BSD-3-Clause
"""Runs the programs of curlew, reads what they wrote and draws it. Nothing is computed here.

    import curlew_em as curlew
    result = curlew.run("fem-solve", "filter.toml", {"frequency.points": 11})
    result.s.sel({"to": "port2 TE10", "from": "port1 TE10"})      # xarray, complex, over frequency_hz
    result.dataset("ports.csv").beta_per_m                        # xarray over frequency_hz, port and mode, with units
    result.network().plot_s_smith()                               # scikit-rf
    result.fields(10e9).plot(scalars="E_abs")                     # PyVista
    curlew.plot(result)                                           # PNG pictures of all that is there
    sweep = curlew.run("fem-solve", "iris.toml", sweep={"mesh.parameters.gap": [10, 12, 14]})
    sweep.s                                                       # one dimension more

Units stand in `attrs` and in the names of columns; phasors are peak values with exp(+jwt).
"""
from .draw import plot
from .programs import dry_run, program, program_of, run
from .results import CurlewError, CurlewWarning, Result, Sweep, load

__all__ = ["CurlewError", "CurlewWarning", "Result", "Sweep", "dry_run", "load", "plot", "program", "program_of", "run"]
