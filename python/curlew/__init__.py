# SPDX-License-Identifier: BSD-3-Clause
"""Runs the programs of curlew and reads what they wrote. Nothing is computed here.

    import curlew
    result = curlew.run("fem-solve", "filter.toml", {"frequency.points": 11})
    result.summary["results"]["s2_1_db_max"]
    result.table("ports.csv")["beta_per_m"]      # NumPy
    result.dataset("ports.csv", ["frequency_hz", "port", "mode"]).beta_per_m      # xarray
    result.network().plot_s_db()                 # scikit-rf

Units stand in the names of columns; phasors are peak values with exp(+jwt).
"""
import csv
import json
import os
import pathlib
import shutil
import subprocess

__all__ = ["CurlewError", "Result", "program", "run"]
_BUNDLED = pathlib.Path(__file__).parent / "_programs" / "bin"


class CurlewError(RuntimeError):
    """A program ended with an exit status other than 0; the text is its own line."""


def program(name):
    """Path of a program: of this package, else of the PATH. @raises CurlewError if there is none"""
    if (_BUNDLED / name).exists():
        return str(_BUNDLED / name)
    found = shutil.which(name)
    if found is None:
        raise CurlewError(f"{name} is neither in this package nor on the PATH")
    return found


def run(name, config, keys=None, output=None, options=()):
    """Runs a program on a config and returns its Result.

    keys: {"table.key": value} as with --set; output: folder of the results (default results/NAME of the config,
    results/NAME_sweep with --sweep among the options).
    """
    kind = "_sweep" if any(str(option).startswith("--sweep") for option in options) else ""
    output = pathlib.Path(output or pathlib.Path("results") / (pathlib.Path(config).stem + kind))
    command = [program(name), str(config), "-q", "--output", str(output), *options]
    for key, value in (keys or {}).items():
        command += ["--set", f"{key}={value if isinstance(value, str) else json.dumps(value)}"]
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
    if done.returncode != 0:
        raise CurlewError(done.stderr.strip() or f"{name} ended with status {done.returncode}")
    return Result(output)


class Result:
    """The folder of a run."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.summary = json.loads((self.folder / "summary.json").read_text())

    def table(self, name):
        """{column: NumPy array} of a CSV file; columns of words are arrays of text."""
        import numpy as np

        with open(self.folder / name, newline="") as lines:
            rows = list(csv.reader(line for line in lines if not line.startswith("#")))
        columns = {}
        for title, cells in zip(rows[0], zip(*rows[1:])):
            try:
                columns[title] = np.array([float(cell) if cell else np.nan for cell in cells])
            except ValueError:
                columns[title] = np.array(cells)
        return columns

    def dataset(self, name, over=()):
        """A CSV file as an xarray Dataset: over its rows, or over the columns named in `over`, of which the file must hold
        every combination once: result.dataset("farfield.csv", ["frequency_hz", "theta_deg", "phi_deg"])."""
        import numpy as np
        import xarray

        table = self.table(name)
        if not over:
            return xarray.Dataset({title: ("row", values) for title, values in table.items()})
        axes = {title: np.unique(table[title]) for title in over}
        shape = tuple(len(axis) for axis in axes.values())
        places = np.ravel_multi_index([np.searchsorted(axis, table[title]) for title, axis in axes.items()], shape)
        if len(places) != np.prod(shape) or len(np.unique(places)) != len(places):
            raise CurlewError(f"{name}: not one row for each combination of {', '.join(over)}")
        order = np.argsort(places)
        values = {title: (tuple(over), column[order].reshape(shape)) for title, column in table.items() if title not in over}
        return xarray.Dataset(values, coords=axes)

    def network(self):
        """S-parameters as a scikit-rf Network."""
        import skrf

        files = [f for f in self.summary["files"] if pathlib.Path(f).suffix.startswith(".s") and f.endswith("p")]
        if not files:
            raise CurlewError(f"{self.folder} holds no S-parameters")
        return skrf.Network(str(self.folder / files[0]))


def _start(name):
    """The program in place of this process, with the arguments of the command line."""
    import sys

    path = program(name)
    os.execv(path, [path, *sys.argv[1:]])
