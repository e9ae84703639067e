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


def of_points(reader, array):
    """Whether ARRAY_re has values at points, not at cells."""
    for at_points, data in ((True, reader.PointData), (False, reader.CellData)):
        if data.GetArray(array + "_re"):
            return at_points
    names = sorted(a.GetName() for data in (reader.PointData, reader.CellData) for a in data)
    raise SystemExit(f"curlew paraview: no array {array}_re (there are {', '.join(names)})")


def wave(source, name, array, component):
    """Re(ARRAY exp(j phase)) at phase 0, as array NAME of a calculator of this name; with its function as a format with the cosine and
    the sine."""
    of = f"_{component.upper()}" if component else ""
    function = f"{{0}}*{array}_re{of} - {{1}}*{array}_im{of}"
    function = function if component else f"mag({function})"
    calculator = simple.Calculator(registrationName=name, Input=source)
    calculator.AttributeType = "Point Data" if of_points(source, array) else "Cell Data"
    calculator.ResultArrayName = name
    calculator.Function = function.format(1, 0)
    return calculator, function


def limit_of(source, array):
    data = source.PointData if of_points(source, array) else source.CellData
    return data.GetArray(array + "_abs").GetRange(0)[1]


def show(source, view, array, at_points, least, most, signed):
    display = simple.Show(source, view)
    simple.ColorBy(display, ("POINTS" if at_points else "CELLS", array))
    display.RescaleTransferFunctionToDataRange(False, True)
    colours = simple.GetColorTransferFunction(array)
    colours.ApplyPreset("Cool to Warm" if signed else "Inferno (matplotlib)", True)
    colours.RescaleTransferFunction(least, most)
    bar = simple.GetScalarBar(colours, view)
    bar.TitleColor = bar.LabelColor = [0, 0, 0]
    display.SetScalarBarVisibility(view, True)
    return display


def new_view():
    view = simple.CreateView("RenderView")
    view.Background = [1, 1, 1]
    view.UseColorPaletteForBackground = 0
    view.OrientationAxesLabelColor = [0, 0, 0]
    return view


def side_by_side(views):
    layout, cell = simple.CreateLayout("curlew"), 0
    for number, view in enumerate(views):
        left = len(views) - number
        following = layout.SplitHorizontal(cell, 1 / left) + 1 if left > 1 else 0
        layout.AssignView(following - 1 if left > 1 else cell, view)
        cell = following
    layout.SetSize(700 * len(views), 600)
    return layout


def look_along(view, axis):
    direction = [0.0, 0.0, 0.0] if axis else [1.0, -1.0, 0.7]
    if axis:
        direction["xyz".index(axis)] = -1.0 if axis == "y" else 1.0
    view.CameraFocalPoint = [0, 0, 0]
    view.CameraPosition = direction
    view.CameraViewUp = [0, 1, 0] if axis == "z" else [0, 0, 1]
    view.ResetCamera(False)


def fields_view(file, options):
    reader = opened(file, options.frequency)
    bounds = reader.GetDataInformation().GetBounds()
    axis = "xyz".index(options.normal)
    middle = [(bounds[2 * i] + bounds[2 * i + 1]) / 2 for i in range(3)]
    if options.at is not None:
        middle[axis] = options.at
    low, high = bounds[2 * axis:2 * axis + 2]
    inside = 1e-5 * (high - low)  # a cut along the outer faces, a plane of symmetry say, finds nothing
    if low <= middle[axis] <= high:
        middle[axis] = min(max(middle[axis], low + inside), high - inside)
    calculated, function = wave(reader, "field", options.array, options.component)
    cut = simple.Slice(registrationName="cut", Input=calculated)
    cut.SliceType.Origin = middle
    cut.SliceType.Normal = [float(i == axis) for i in range(3)]
    simple.UpdatePipeline(proxy=cut)
    if not cut.GetDataInformation().GetNumberOfPoints():
        raise SystemExit(f"curlew paraview: {options.normal} = {middle[axis]:g} m does not cut the mesh "
                         f"({low:g} to {high:g} m)")
    view = new_view()
    most = options.limit or limit_of(reader, options.array)
    show(cut, view, "field", of_points(reader, options.array), -most if options.component else 0, most, options.component)
    simple.Show(simple.Outline(registrationName="outline", Input=reader), view)
    look_along(view, options.normal)
    return view, {"field": function}


def currents_view(file, options):
    reader = opened(file, options.frequency)
    names = {array.GetName() for array in (*reader.PointData, *reader.CellData)}
    array = next((name for name in ("J", "J_combined", "J_1") if name + "_re" in names), "J")
    calculated, function = wave(reader, "current", array, None)
    simple.UpdatePipeline(proxy=calculated)
    view = new_view()
    show(calculated, view, "current", of_points(reader, array), 0, limit_of(reader, array), False)
    look_along(view, None)
    return view, {"current": function}


def pattern_view(file, options):
    reader = simple.XMLPolyDataReader(registrationName="pattern", FileName=[str(file)])
    simple.UpdatePipeline(proxy=reader)
    view = new_view()
    least, most = reader.PointData.GetArray("dB").GetRange(0)
    show(reader, view, "dB", True, least, most, False).LineWidth = 3
    look_along(view, None)
    return view, {}


VIEWS = {"fields.vtkhdf": fields_view, "currents.vtkhdf": currents_view, "pattern.vtp": pattern_view}


def animate_phase(functions, frames):
    scene = simple.GetAnimationScene()
    scene.PlayMode = "Sequence"
    scene.StartTime, scene.EndTime, scene.NumberOfFrames = 0, 1 - 1 / frames, frames
    track = simple.PythonAnimationCue()
    track.Script = TRACK.format(functions=functions)
    scene.Cues.append(track)
    scene.Loop = 1
    return scene


def main():
    options = types.SimpleNamespace(**json.loads(sys.argv[1]))
    folder = pathlib.Path(options.results).resolve()
    found = [file for file in VIEWS if (folder / file).exists()]
    if not found:
        raise SystemExit(f"curlew paraview: {options.results} has none of {', '.join(VIEWS)}")
    simple._DisableFirstRenderCameraReset()
    views, functions = [], {}
    for file in found:
        view, more = VIEWS[file](folder / file, options)
        views.append(view)
        functions |= more
    layout = side_by_side(views)
    scene = animate_phase(functions, options.frames) if functions else None
    if options.picture:
        simple.SaveScreenshot(options.picture, layout, ImageResolution=[700 * len(found), 600])
    if options.state:
        simple.SaveState(options.state)
    if options.animation and scene:
        frames = pathlib.Path(options.animation)
        frames.mkdir(parents=True, exist_ok=True)
        simple.SaveAnimation(str(frames / "phase.png"), layout, ImageResolution=[700 * len(found), 600],
                             FrameWindow=[0, options.frames - 1])


if __name__ == "__main__":
    main()
