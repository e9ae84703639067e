# SPDX-License-Identifier: BSD-3-Clause
"""Folders of results as xarray, scikit-rf and PyVista know them."""
from __future__ import annotations

import functools
import html
import json
import math
import os
import pathlib
import re
import warnings
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas
    import pyvista
    import skrf
    import xarray

# Columns that tell rows apart, in the order in which the files have them.
AXES = ("frequency_hz", "source", "port", "mode", "excitation", "field", "contour", "cell", "theta_inc_deg", "phi_inc_deg",
        "polarization", "theta_deg", "phi_deg", "probe", "iteration", "evaluation", "what", "pass", "goal", "quantity")


class CurlewError(RuntimeError):
    """An error of a program, with its last line, or a folder without the requested results."""

    status: int | None = None
    """exit status of the program"""
    file: str | None = None
    line: int | None = None
    """place that the program names"""


class CurlewWarning(UserWarning):
    """A warning of a program, as it prints it; a picture that cannot be drawn."""


@functools.cache
def units() -> dict[str, str]:
    """{column: unit} of all tables.

    >>> units()["gain_dbi"]
    'dBi'
    """
    return json.loads((pathlib.Path(__file__).parent / "units.json").read_text())


def load(folder: str | os.PathLike) -> Result:
    """The Result of a folder, its Sweep, or the Touchstone of a file. @raises CurlewError if it is none"""
    if re.fullmatch(r"\.s\d+p", pathlib.Path(folder).suffix):
        return Touchstone(folder)
    path = pathlib.Path(folder) / "summary.json"
    if not path.exists():
        raise CurlewError(f"{folder} is no folder of results: {'summary.json is missing' if path.parent.exists() else 'it is not there'}")
    kind = Sweep if "sweep" in json.loads(path.read_text()) else Result
    return kind(folder)


class Result:
    """The folder of a run: `summary` is its summary.json."""

    def __init__(self, folder: str | os.PathLike):
        self.folder = pathlib.Path(folder)
        self.summary: dict[str, Any] = json.loads((self.folder / "summary.json").read_text())

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self.summary.get('program')}: {self.folder}, {self.summary.get('status')}>"

    @property
    def results(self) -> dict[str, Any]:
        """`results` of the summary."""
        return self.summary.get("results", {})

    @property
    def warnings(self) -> list[str]:
        """Warnings of the run."""
        return self.summary.get("warnings", [])

    def has(self, name: str) -> bool:
        return (self.folder / name).exists()

    def table(self, name: str) -> pandas.DataFrame:
        """A CSV file as it is, but with columns re_x and im_x as one complex x. @raises CurlewError if it does not exist"""
        import pandas

        try:
            table = pandas.read_csv(self.folder / name, comment="#")
        except FileNotFoundError:
            held = ", ".join(sorted(file.name for file in self.folder.glob("*.csv"))) or "none"
            raise CurlewError(f"{self.folder} holds no {name} (tables: {held})") from None
        except pandas.errors.ParserError as error:
            raise CurlewError(f"{self.folder / name}: {error}") from None
        for column in [c[3:] for c in table if c.startswith("re_") and f"im_{c[3:]}" in table]:
            table.insert(table.columns.get_loc(f"re_{column}"), column, table.pop(f"re_{column}") + 1j * table.pop(f"im_{column}"))
        return table

    def dataset(self, name: str) -> xarray.Dataset:
        """A CSV file over its axes, such as frequency_hz, port, theta_deg and phi_deg of farfield.csv, with `units` of every
        variable. Where rows are not every combination of the axes, over `row`."""
        table = self.table(name)
        axes = [axis for axis in AXES if axis in table]
        while axes and (table.duplicated(axes).any() or math.prod(table[axis].nunique() for axis in axes) != len(table)):
            axes.pop()
        data = table.set_index(axes).to_xarray() if axes else table.rename_axis("row").to_xarray()
        for variable in data.variables:
            if unit := units().get(variable):
                data[variable].attrs["units"] = unit
        return data.assign_attrs(source=str(self.folder / name), time_convention="exp(+jwt), peak phasors")

    def _s_like(self, rows: list[dict], ending: str, kind: type) -> xarray.DataArray:
        import numpy as np
        import xarray

        ports = [reference["port"] for reference in self.results["s_references"]]
        frequencies = [point["frequency_hz"] for point in self.results["s_parameters"]]
        values = np.full((len(frequencies), len(ports), len(ports)), np.nan, dtype=kind)
        for row in rows:
            for key, value in row.items():
                if found := re.fullmatch(rf"s(\d+)_(\d+){ending}", key):
                    value = complex(*value) if kind is complex else value
                    values[frequencies.index(row["frequency_hz"]), int(found[1]) - 1, int(found[2]) - 1] = value
        return xarray.DataArray(values, dims=("frequency_hz", "to", "from"), attrs={"units": "1"},
                                coords={"frequency_hz": ("frequency_hz", frequencies, {"units": "Hz"}), "to": ports, "from": ports})

    @property
    def s(self) -> xarray.DataArray:
        """S, complex, over frequency_hz, to and from (names of the ports' modes). @raises CurlewError without S"""
        if "s_parameters" not in self.results:
            raise CurlewError(f"{self.folder} holds no S-parameters")
        return self._s_like(self.results["s_parameters"], "", complex).rename("S")

    @property
    def s_error(self) -> xarray.DataArray:
        """Error bars of abs(S - exact), like `s`; NaN where there is none."""
        frequencies = {point["frequency_hz"] for point in self.results.get("s_parameters", [])}
        rows = [row for row in self.results.get("errors", []) if row["frequency_hz"] in frequencies]
        return self._s_like(rows, "_error", float).rename("S_error")

    def touchstone(self) -> pathlib.Path:
        """The file NAME.sNp. @raises CurlewError if there is none"""
        for file in sorted(self.folder.iterdir()):
            if re.fullmatch(r"\.s\d+p", file.suffix):
                return file
        raise CurlewError(f"{self.folder} holds no S-parameters")

    def network(self) -> skrf.Network:
        """S as a scikit-rf Network with the reference impedances of the run; its attribute `s_error` has the bars."""
        import skrf

        network = skrf.Network(str(self.touchstone()))
        network.s_error = self.s_error.values
        return network

    def fields(self, frequency: float | None = None, file: str = "fields.vtkhdf") -> pyvista.UnstructuredGrid:
        """Fields at the nearest frequency [Hz] (or mode), by default the middle frequency or the first mode; `field_data["step"]`
        is the value found, and a CurlewWarning says where it is not the one asked for."""
        from .draw.space import read_step

        grid = read_step(self.folder / file, frequency)
        found = float(grid.field_data["step"][0])
        if frequency and found and abs(found - frequency) > 1e-6 * abs(frequency):
            warnings.warn(f"{self.folder / file}: no fields at {frequency:.9g}; these are at {found:.9g}", CurlewWarning, stacklevel=2)
        return grid

    def regions(self) -> dict[str, pyvista.DataSet]:
        """{name: mesh} of the surfaces and volumes of the model, of solution.h5."""
        from .draw.model import read_regions

        return read_regions(self.folder / "solution.h5")

    def _rows(self) -> list[tuple[str, Any]]:
        return [(name, value) for name, value in self.results.items() if isinstance(value, (int, float, str))]

    def _repr_html_(self) -> str:
        """Main numbers, and a link to report.html."""
        cell = lambda value: f"{value:.6g}" if isinstance(value, float) else html.escape(str(value))
        rows = "".join(f"<tr><th>{html.escape(name)}</th><td>{cell(value)}</td></tr>" for name, value in self._rows())
        warned = "".join(f"<p>{html.escape(text)}</p>" for text in self.summary.get("warnings", []))
        report = html.escape(str(self.folder / "report.html"))
        return f'<p><b>{html.escape(repr(self)[1:-1])}</b>, <a href="{report}">report</a></p>{warned}<table>{rows}</table>'


class Touchstone(Result):
    """A Touchstone file of any program, as far as it is a result: `s`. @raises CurlewError if scikit-rf cannot read it"""

    def __init__(self, path: str | os.PathLike):
        import skrf

        self.folder, self.summary = pathlib.Path(path), {"results": {"s_parameters": True}}
        try:
            self._network = skrf.Network(str(path))
        except Exception as error:  # scikit-rf raises many kinds of exceptions
            raise CurlewError(f"{path}: not a Touchstone file that scikit-rf reads ({error})") from None

    @property
    def s(self) -> xarray.DataArray:
        import xarray

        names = self._network.port_names or [str(i + 1) for i in range(self._network.nports)]
        return xarray.DataArray(self._network.s, dims=("frequency_hz", "to", "from"), name="S", attrs={"units": "1"},
                                coords={"frequency_hz": self._network.f, "to": names, "from": names})

    @property
    def s_error(self) -> xarray.DataArray:
        return abs(self.s) * float("nan")

    def network(self) -> skrf.Network:
        return self._network


class Sweep(Result):
    """The folder of a sweep: the swept keys become dimensions."""

    @property
    def keys(self) -> list[str]:
        """Swept keys as sweep.csv names them, the first varying slowest: by their last words where these are unique."""
        return [entry.get("csv_column", entry["key"]) for entry in self.summary["sweep"]]

    @functools.cached_property
    def points(self) -> dict[tuple, Result]:
        """{values of the swept keys: Result} of the finished points."""
        table = self.table("sweep.csv")
        return {tuple(row[key] for key in self.keys): Result(self.folder / row["point"])
                for _, row in table.iterrows() if row["status"] == "done"}

    def over(self, quantity: Callable[[Result], xarray.DataArray | xarray.Dataset]) -> Any:
        """`quantity` of each point, with the swept keys as further dimensions; NaN at points that failed.

        sweep.over(lambda run: run.dataset("farfield.csv").gain_dbi.max())
        """
        import pandas
        import xarray

        places = pandas.MultiIndex.from_tuples(list(self.points), names=self.keys)
        joined = xarray.concat([quantity(run) for run in self.points.values()], dim="point", join="outer")
        return joined.assign_coords(xarray.Coordinates.from_pandas_multiindex(places, "point")).unstack("point")

    def dataset(self, name: str) -> xarray.Dataset:
        """A CSV file of all points; sweep.csv has the main numbers."""
        if name != "sweep.csv":
            return self.over(lambda run: run.dataset(name))
        table = self.table(name).set_index(self.keys)
        return table[[column for column in table if "." not in column]].to_xarray()

    @property
    def s(self) -> xarray.DataArray:
        return self.over(lambda run: run.s)

    @property
    def s_error(self) -> xarray.DataArray:
        return self.over(lambda run: run.s_error)

    def network(self) -> skrf.NetworkSet:
        """The Networks of all points as a scikit-rf NetworkSet with the swept keys as parameters."""
        from skrf.networkSet import NetworkSet

        networks = []
        for values, run in self.points.items():
            networks.append(run.network())
            networks[-1].params = dict(zip(self.keys, values))
        return NetworkSet(networks, name=self.folder.name)

    def _rows(self) -> list[tuple[str, Any]]:
        return [(", ".join(f"{key} = {value}" for key, value in zip(self.keys, values)), repr(run)[1:-1])
                for values, run in self.points.items()]
