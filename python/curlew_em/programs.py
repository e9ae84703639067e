# SPDX-License-Identifier: BSD-3-Clause
"""Finds the programs and runs them; nothing is computed here."""
from __future__ import annotations

import os
import pathlib
import re
import shutil
import subprocess
import sys
import warnings
from collections.abc import Mapping, Sequence
from typing import Any

from . import geometry, toml
from .results import CurlewError, CurlewWarning, Result, load

_BUNDLED = pathlib.Path(__file__).parent / "_programs" / "bin"


def program(name: str) -> str:
    """Path of a program: of this package, else of the PATH. @raises CurlewError if there is none"""
    if (_BUNDLED / name).exists():
        return str(_BUNDLED / name)
    own = os.path.dirname(sys.executable)  # where a package without programs has starters that would find themselves
    found = shutil.which(name, path=os.pathsep.join(p for p in os.environ.get("PATH", "").split(os.pathsep) if p != own))
    if found is None:
        raise CurlewError(f"{name} is neither in this package nor on the PATH (of a source tree: export PATH=$PWD/build/release/bin:$PATH)")
    return found


def _environment() -> dict[str, str]:
    """Environment of programs, with the folder of the MKL of this Python (`pip install mkl`)."""
    library = next(pathlib.Path(sys.prefix, "lib").glob("libmkl_rt.so.*"), None)
    return {**({"CURLEW_MKL": str(library)} if library else {}), **os.environ}


def program_of(config: str | os.PathLike) -> str:
    """Name of the program that a config is for, as em-lint knows it. @raises CurlewError if it is no config"""
    return complete("em-lint", [config, "--version"]).split()[0]


def complete(name: str, arguments: Sequence[str | os.PathLike]) -> str:
    """Output of a program. @raises CurlewError if it fails"""
    said = subprocess.run([program(name), *map(str, arguments)], capture_output=True, text=True, check=False)
    if said.returncode != 0:
        raise _error_of(said.stderr, name, said.returncode)
    return said.stdout


def _error_of(stderr: str, name: str, status: int) -> CurlewError:
    """The last line of a program, with the file and line that it names."""
    line = (stderr.strip() or f"{name} ended with status {status}").splitlines()[-1]
    error = CurlewError(line)
    error.status = status
    if place := re.match(rf"{re.escape(name)}: ([^:]+):(\d+): ", line):
        error.file, error.line = place[1], int(place[2])
    return error


def _written(config: Mapping[str, Any], output: pathlib.Path) -> pathlib.Path:
    """OUTPUT.toml of a dictionary; a model of Gmsh's Python as [mesh] file becomes OUTPUT.geo or .msh."""
    path = output.with_suffix(".toml")
    path.parent.mkdir(parents=True, exist_ok=True)
    tables = dict(config)
    mesh = dict(tables.get("mesh", {}))
    model: Any = mesh.get("file")
    if hasattr(model, "getPhysicalGroups"):
        mesh["file"] = str(geometry.save(model, config, path))
    if "file" in mesh:
        tables["mesh"] = {**mesh, "file": os.path.relpath(mesh["file"], path.parent)}
    path.write_text(toml.text(tables))
    return path


def _bar(name: str, wanted: bool | None):
    """A progress line, on a terminal and if tqdm is installed."""
    if wanted or (wanted is None and sys.stderr.isatty()):
        try:
            from tqdm.auto import tqdm

            return tqdm(desc=name, bar_format="{desc} [{elapsed}]")
        except ImportError:
            pass
    return None


def run(name: str | None, config: str | os.PathLike | Mapping[str, Any], keys: Mapping[str, Any] | None = None, *,
        sweep: Mapping[str, Sequence[Any]] | None = None, output: str | os.PathLike | None = None,
        options: Sequence[str] = (), progress: bool | None = None) -> Result:
    """Runs a program on a config and returns its Result, of a sweep its Sweep.

    name: of the program; None finds it. config: path of a .toml, or its tables as a dictionary, which is kept as OUTPUT.toml;
    its mesh may be `gmsh.model`, and paths in it count from the folder of OUTPUT.toml but for that of the mesh.
    keys: {"table.key": value} as with --set; sweep: {"table.key": values} as with --sweep, all combinations.
    output: folder of the results (default results/NAME of the config, with _sweep behind it for a sweep).
    progress: whether a line shows it; by default on a terminal.
    Warnings of the program are Python warnings. @raises CurlewError, with `status`, `file` and `line`, if the program fails
    """
    name, command, output = _command(name, config, keys, sweep, output, options)
    bar, said = _bar(name, progress), []
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                          env=_environment()) as running:
        for line in running.stderr or ():
            said.append(line)
            if line.startswith(f"{name}: warning: "):
                warnings.warn(line.strip(), CurlewWarning, stacklevel=2)
            elif bar is not None:
                bar.set_description(line.strip())
    if bar is not None:
        bar.close()
    if running.returncode != 0:
        raise _error_of("".join(said), name, running.returncode)
    return load(output)


def dry_run(name: str | None, config: str | os.PathLike | Mapping[str, Any], keys: Mapping[str, Any] | None = None, *,
            output: str | os.PathLike | None = None) -> str:
    """What `run` with these arguments would need, as a text: sizes, memory and time of each stage. @raises CurlewError as `run`"""
    name, command, _ = _command(name, config, keys, None, output, ["--dry-run"])
    return complete(name, command[1:])


def _command(name: str | None, config: str | os.PathLike | Mapping[str, Any], keys: Mapping[str, Any] | None,
             sweep: Mapping[str, Sequence[Any]] | None, output: str | os.PathLike | None,
             options: Sequence[str]) -> tuple[str, list[str], pathlib.Path]:
    """Name of the program, command line and folder of results of `run`; the config of a dictionary is written."""
    swept = bool(sweep) or any(str(option).startswith("--sweep") for option in options)
    stem = config.get("title", "run") if isinstance(config, Mapping) else pathlib.Path(config).stem
    output = pathlib.Path(output or pathlib.Path("results") / (re.sub(r"\W+", "_", stem) + "_sweep" * swept))
    if isinstance(config, Mapping):
        config = _written(config, output)
    name = name or program_of(config)
    command = [program(name), str(config), "--output", str(output), *map(str, options)]
    for key, value in (keys or {}).items():
        command += ["--set", f"{key}={value if isinstance(value, str) else toml.value(value)}"]
    for key, values in (sweep or {}).items():
        command += ["--sweep", f"{key}={','.join(v if isinstance(v, str) else toml.value(v) for v in values)}"]
    return name, command, output


def become(name: str, arguments: Sequence[str]) -> None:
    """Replaces this process by the program."""
    path = program(name)
    os.execv(path, [path, *arguments])


def _start() -> None:
    """Runs the program with the name of this process."""
    try:
        become(pathlib.Path(sys.argv[0]).name, sys.argv[1:])
    except CurlewError as error:
        sys.exit(str(error))
