# SPDX-License-Identifier: BSD-3-Clause
"""Sets up ParaView for a folder of results: fields on a cut, surface currents and the pattern as a surface, a view of each.

`curlew paraview` starts it in ParaView's own Python, with its options as JSON. What is shown is Re(ARRAY exp(j phase)), a component or
the size of this vector, which the animation turns.
"""
import json
import pathlib
import sys
import types

from paraview import simple

# The animation of a state changes the function itself: a calculator has no phase.
TRACK = """
import math
from paraview import simple
def start_cue(self): pass
def tick(self):
    phase = 2 * math.pi * self.GetClockTime()
    for name, function in {functions!r}.items():
        simple.FindSource(name).Function = function.format("(%.9f)" % math.cos(phase), "(%.9f)" % math.sin(phase))
def end_cue(self): pass
"""


def opened(file, nearest):
    reader = simple.VTKHDFReader(registrationName=file.name, FileName=str(file))
    reader.UpdatePipelineInformation()
    times = list(reader.TimestepValues)
    time = min(times, key=lambda t: abs(t - nearest)) if times and nearest is not None else times[0] if times else 0.0
    simple.UpdatePipeline(time=time, proxy=reader)
    if len(times) > 1:  # the animation's clock is the phase, so that the frequency stays
        reader = simple.ForceTime(registrationName=file.stem, Input=reader, ForcedTime=time, IgnorePipelineTime=1)
        simple.UpdatePipeline(proxy=reader)
    return reader


def wave(source, name, array, component):
    """(calculator whose array NAME is Re(ARRAY exp(j phase)) at phase 0, its function as a format with the cosine and the sine, where its
    values are, the greatest size)"""
    places = {"Point Data": source.PointData, "Cell Data": source.CellData}
    place = next((place for place, data in places.items() if data.GetArray(array + "_re")), None)
    if place is None:
        there = ", ".join(sorted(a.GetName() for data in places.values() for a in data))
        raise SystemExit(f"curlew paraview: no array {array}_re (there are {there})")
    of = f"_{component.upper()}" if component else ""
    function = f"{{0}}*{array}_re{of} - {{1}}*{array}_im{of}"
    function = function if component else f"mag({function})"
    calculator = simple.Calculator(registrationName=name, Input=source, AttributeType=place, ResultArrayName=name, Function=function.format(1, 0))
    return calculator, function, place.split()[0].upper() + "S", places[place].GetArray(array + "_abs").GetRange(0)[1]


def show(source, axis, place, array, least, most):
    """A view along an axis, or at a slant, with the array in colours from least to most."""
    view = simple.CreateView("RenderView")
    view.Background, view.UseColorPaletteForBackground, view.OrientationAxesLabelColor = [1, 1, 1], 0, [0, 0, 0]
    display = simple.Show(source, view)
    simple.ColorBy(display, (place, array))
    colours = simple.GetColorTransferFunction(array)
    colours.ApplyPreset("Cool to Warm" if least == -most else "Inferno (matplotlib)", True)
    colours.RescaleTransferFunction(least, most)
    bar = simple.GetScalarBar(colours, view)
    bar.TitleColor = bar.LabelColor = [0, 0, 0]
    display.SetScalarBarVisibility(view, True)
    display.LineWidth = 3
    view.CameraFocalPoint = [0, 0, 0]
    view.CameraPosition = [(-1.0 if axis == "y" else 1.0) * (letter == axis) for letter in "xyz"] if axis else [1.0, -1.0, 0.7]
    view.CameraViewUp = [0, 1, 0] if axis == "z" else [0, 0, 1]
    view.ResetCamera(False)
    return view


def fields_view(file, options):
    reader = opened(file, options.frequency)
    bounds = reader.GetDataInformation().GetBounds()
    axis = "xyz".index(options.normal)
    middle = [(bounds[2 * i] + bounds[2 * i + 1]) / 2 for i in range(3)]
    low, high = bounds[2 * axis:2 * axis + 2]
    place = middle[axis] if options.at is None else options.at
    inside = 1e-5 * (high - low)  # a cut along the outer faces, a plane of symmetry say, finds nothing
    middle[axis] = min(max(place, low + inside), high - inside) if low <= place <= high else place
    calculated, function, kind, size = wave(reader, "field", options.array, options.component)
    cut = simple.Slice(registrationName="cut", Input=calculated)
    cut.SliceType.Origin, cut.SliceType.Normal = middle, [float(i == axis) for i in range(3)]
    simple.UpdatePipeline(proxy=cut)
    if not cut.GetDataInformation().GetNumberOfPoints():
        raise SystemExit(f"curlew paraview: {options.normal} = {place:g} m does not cut the mesh ({low:g} to {high:g} m)")
    most = options.limit or size
    view = show(cut, options.normal, kind, "field", -most if options.component else 0, most)
    simple.Show(simple.Outline(registrationName="outline", Input=reader), view)
    return view, {"field": function}


def currents_view(file, options):
    reader = opened(file, options.frequency)
    names = {array.GetName() for array in (*reader.PointData, *reader.CellData)}
    array = next((name for name in ("J", "J_combined", "J_1") if name + "_re" in names), "J")
    calculated, function, kind, size = wave(reader, "current", array, None)
    simple.UpdatePipeline(proxy=calculated)
    return show(calculated, None, kind, "current", 0, size), {"current": function}


def pattern_view(file, options):
    reader = simple.XMLPolyDataReader(registrationName="pattern", FileName=[str(file)])
    simple.UpdatePipeline(proxy=reader)
    return show(reader, None, "POINTS", "dB", *reader.PointData.GetArray("dB").GetRange(0)), {}


VIEWS = {"fields.vtkhdf": fields_view, "currents.vtkhdf": currents_view, "pattern.vtp": pattern_view}


def main():
    options = types.SimpleNamespace(**json.loads(sys.argv[1]))
    folder = pathlib.Path(options.results).resolve()
    found = [file for file in VIEWS if (folder / file).exists()]
    if not found:
        raise SystemExit(f"curlew paraview: {options.results} has none of {', '.join(VIEWS)}")
    simple._DisableFirstRenderCameraReset()
    views, functions = zip(*(VIEWS[file](folder / file, options) for file in found))
    layout, size, cell = simple.CreateLayout("curlew"), [700 * len(found), 600], 0
    for number, view in enumerate(views):  # side by side
        cell = layout.SplitHorizontal(cell, 1 / (len(views) - number)) if view is not views[-1] else cell
        layout.AssignView(cell, view)
        cell += 1
    layout.SetSize(*size)
    scene, functions = simple.GetAnimationScene(), {name: text for each in functions for name, text in each.items()}
    if functions:
        scene.PlayMode = "Sequence"
        scene.StartTime, scene.EndTime, scene.NumberOfFrames, scene.Loop = 0, 1 - 1 / options.frames, options.frames, 1
        scene.Cues.append(simple.PythonAnimationCue(Script=TRACK.format(functions=functions)))
    if options.picture:
        simple.SaveScreenshot(options.picture, layout, ImageResolution=size)
    if options.state:
        simple.SaveState(options.state)
    if options.animation and functions:
        frames = pathlib.Path(options.animation)
        frames.mkdir(parents=True, exist_ok=True)
        simple.SaveAnimation(str(frames / "phase.png"), layout, ImageResolution=size, FrameWindow=[0, options.frames - 1])


if __name__ == "__main__":
    main()
