# SPDX-License-Identifier: BSD-3-Clause
"""The command `curlew`: runs a config by the program that it is for, and draws results."""
from __future__ import annotations

import argparse
import json
import pathlib
import shutil
import subprocess
import sys
import warnings

from .results import CurlewError, CurlewWarning

EXAMPLES = """examples:
  curlew run filter.toml --set frequency.points=11      every option of the programs
  curlew plot results/filter                            PNG pictures of all that is there, into that folder
  curlew plot results/filter --only field --frequency 10e9 --normal y --kind svg
  curlew plot results/coarse results/fine --labels coarse fine -o compared
  curlew view results/filter                            the model and its fields in a browser
  curlew view patch.geo --unit mm                       the regions of a geometry before any run
  curlew paraview results/horn --state horn.pvsm        a scene for ParaView
"""
SCENE = """Fields on a cut through the middle, surface currents, and the pattern of farfield.csv as a surface (also pattern.vtp in the folder),
a view of each. Needs pvpython of ParaView 5.11 or later; several frequencies in a file need 5.12."""


def field_options(parser: argparse.ArgumentParser, frequency: str = "the middle one", array: str = "E_abs, J_abs, ...",
                  normal: str = "the plane that shows most of the structure", limit: str = "0.5 %% of the points lie above") -> None:
    """The options of pictures of fields, with the defaults that their help names."""
    parser.add_argument("--frequency", type=float, metavar="HZ", help=f"draw the nearest frequency (of modes: this number); default: {frequency}")
    parser.add_argument("--array", help=f"array of the file, such as E_re; default: {array}")
    parser.add_argument("--component", choices="xyz", help="component of a vector; default: its length")
    parser.add_argument("--normal", choices="xyz", help=f"normal of the plane; default: {normal}")
    parser.add_argument("--at", type=float, metavar="METRES", help="position of the plane along its normal")
    parser.add_argument("--limit", type=float, help=f"greatest value of the colours; default: {limit}")


def options_of(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser("curlew", description=__doc__, epilog=EXAMPLES, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True, metavar="run | plot | view | paraview")
    commands.add_parser("run", help="CONFIG.toml [options of its program]")
    plot = commands.add_parser("plot", help="pictures of results", description="PNG or SVG pictures of a run, a sweep, or several runs in one picture.")
    plot.add_argument("results", nargs="+", type=pathlib.Path, help="folders of results, or Touchstone files")
    plot.add_argument("-o", "--output", type=pathlib.Path, help="folder of the pictures; default: the first folder of results")
    plot.add_argument("--labels", nargs="+", default=[], help="names of several results in the legend")
    plot.add_argument("--only", nargs="+", default=[], metavar="NAME", help="draw only these pictures: s, field, pattern, ...")
    plot.add_argument("--kind", choices=["png", "svg"], default="png")
    plot.add_argument("--scale", choices=["db", "linear"], default="db", help="scale of the colours of fields and currents")
    field_options(plot)
    view = commands.add_parser("view", help="model and fields in a browser", description="Writes one page that needs no network, and opens it.")
    view.add_argument("results", type=pathlib.Path, help="folder of results, mesh.h5, or a geometry with the options of em-mesh")
    view.add_argument("-o", "--output", type=pathlib.Path, help="the page; default: view.html in the folder, which a browser opens")
    field_options(view)
    scene = commands.add_parser("paraview", help="a scene for ParaView", description=SCENE)
    scene.add_argument("results", type=pathlib.Path, help="folder of results")
    scene.add_argument("--state", type=pathlib.Path, metavar="FILE.pvsm", help="state file for File > Load State; Play animates the phase")
    scene.add_argument("--picture", type=pathlib.Path, metavar="FILE.png", help="write a picture of all views")
    scene.add_argument("--animation", type=pathlib.Path, metavar="FOLDER", help="write a PNG for every phase of a period")
    scene.add_argument("--frames", type=int, default=24, help="number of phases of the animation")
    field_options(scene, "the first one", "E, for E_re and E_im", "y", "the greatest value")
    scene.set_defaults(array="E", normal="y")
    options, rest = parser.parse_known_args(arguments)
    if rest and not (options.command == "view" and options.results.is_file()):
        parser.error(f"unknown: {' '.join(rest)}")
    if options.command == "paraview" and options.frames < 2:
        scene.error("--frames: 2 or more")
    options.rest = rest
    return options


def paraview(options: argparse.Namespace) -> int:
    """Runs the scene in ParaView's own Python, with the pattern that PyVista has made of a far field."""
    pvpython = shutil.which("pvpython")
    if pvpython is None:
        raise CurlewError("there is no pvpython: it comes with ParaView (Debian: python3-paraview)")
    if (options.results / "farfield.csv").exists():
        from .draw.space import write_pattern

        print(write_pattern(options.results, options.frequency), flush=True)
    scene = pathlib.Path(__file__).parent / "draw/paraview_scene.py"
    return subprocess.run([pvpython, scene, json.dumps(vars(options), default=str)], check=False).returncode


def main(arguments: list[str] | None = None) -> int:
    arguments = sys.argv[1:] if arguments is None else arguments
    try:
        if arguments[:1] == ["run"] and arguments[1:]:
            from .programs import become, program_of

            become(program_of(arguments[1]), arguments[1:])
        options = options_of(arguments)
        if options.command == "paraview":
            return paraview(options)
        field = {name: getattr(options, name, None) for name in ("frequency", "array", "component", "normal", "at", "limit")}
        if options.command == "plot":
            from .draw import plot

            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always", CurlewWarning)
                made = plot(options.results, options.output, only=options.only, kind=options.kind, labels=options.labels,
                            scale=options.scale, **field)
            print("\n".join(map(str, made)))
            failed = [f"curlew plot: {w.message}" for w in caught if issubclass(w.category, CurlewWarning)]
            print("\n".join(failed), end="\n" if failed else "", file=sys.stderr)
            return 1 if failed else 0
        elif options.command == "view":
            from .draw.page import view

            print(view(options.results, options.output, options.rest, **field))
        else:
            raise CurlewError("run needs a config: curlew run CONFIG.toml")
    except CurlewError as error:
        print(f"curlew: {error}" if error.status is None else error, file=sys.stderr)
        return error.status or 2
    except ModuleNotFoundError as error:
        print(f"curlew: {error.name} is not installed: pip install 'curlew-em[plot]', in a source tree scripts/setup", file=sys.stderr)
        return 3
    return 0


if __name__ == "__main__":
    sys.exit(main())
