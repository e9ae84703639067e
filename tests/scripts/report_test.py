#!/usr/bin/env python3
"""report.html of small runs of every program: sound HTML without network, with the curves of what the run has found.

Usage: report_test.py BIN SOURCE. The numbers of the charts are in the page as JSON. Where Chromium is installed the pages are
opened in it, 400 pixels wide: an error of a script, what is wider than the page, and small letters fail; places of points count.
"""
import cmath
import csv
import html
import html.parser
import importlib.util
import json
import math
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

VOID = {"meta", "link", "br", "hr", "img", "input", "wbr"}
FAST = ["--set", "space.order=1"]
OFF = ["--set", "accuracy.estimate=off"]
TITLE = '</h1><script>alert("1 & 2")</script>'
# Runs of seconds: program, config, options, headings, number of curves, whether the sphere is there.
RUNS = [
    ("fem-solve", "wr90", [*FAST, *OFF, "--set", "frequency.points=4"], ["S-parameters", "Model"], 2 + 1 + 2 + 1 + 1, False),  # S12 and S21 are one curve
    ("fem-solve", "dipole", [*FAST, "--set", "output.far_field.phi=[0, 360, 13]"], ["Far field"], 2 + 2, True),
    ("fem-solve", "rectangular_cavity", [*FAST], ["Modes", "Model"], 0, False),
    ("fem-solve", "acoustic_cylinder", [*FAST], ["Sound pressure"], 2, False),
    ("fem-solve", "vibrating_sphere", [*FAST], ["Sound pressure"], 1 + 2, False),
    ("fe-iiee", "sphere_in_air", [*FAST], ["Scattering", "Convergence"], 3, False),
    ("ie-solve", "dipole_strip", [], ["S-parameters", "Far field", "Model"], 2, False),
    ("ie-solve", "pec_sphere", ["--set", "mesh.size=0.12"], ["Scattering", "Model"], 1, False),
    ("mom2d", "circle", ["--set", f"title={TITLE}"], ["Scattering", "Currents"], 3, False),
    ("mom2d", "strip", [], ["Scattering", "Currents"], 8 + 8 + 2 + 8, False),
]
# Entries of equal size share a place in the legend; numbers stand for the # of what --results says; labels have their units.
WORDS = {"wr90": ['"S12 = S21"', '"frequency (GHz)"', '"abs S (dB)"', '"group delay (ns)"', "walls: pec", "port1: port"],
         "rectangular_cavity": ["bar of resonance number 2"], "dipole": ['"gain (dBi)"', '"theta 90°"', '"polar"'],
         "acoustic_cylinder": ['"frequency (Hz)"', '"level (dB re 20 µPa)"'], "pec_sphere": ['"radar cross-section (dBsm)"', "dB re "],
         "circle": ['"surface current (A/m)"', '"echo width (dBm)"']}


class Page(html.parser.HTMLParser):
    """Checks that elements are closed in order; gathers headings, curves and links."""

    def __init__(self, text):
        super().__init__()
        self.title = ""
        self.open, self.headings, self.links, self.figures, self.faults = [], [], [], [], []
        self.kind = None
        self.feed(text)
        if self.open:
            self.faults.append(f"not closed: {self.open}")

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if tag not in VOID:
            self.open.append(tag)
        if tag == "script":
            self.kind = attributes.get("class")
        for name in ("href", "src"):
            if name in attributes:
                self.links.append(attributes[name])

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        if tag not in VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.faults.append(f"</{tag}> closes nothing")

    def charts(self, kind="line"):
        return {data["title"]: data for name, data in self.figures if name == "chart" and data["kind"] == kind}

    def curves(self):
        """The charts with two points or more."""
        return [curve for name, data in self.figures if name == "chart" for curve in data["curves"] if len(curve["x"]) > 1]

    def handle_data(self, data):
        if self.open and self.open[-1] == "script" and self.kind:
            self.figures.append((self.kind, json.loads(data)))
        if self.open and self.open[-1] == "h1":
            self.title += data
        if self.open and self.open[-1] == "h2":
            self.headings.append(data)


TICKS = {"barred": "0"}  # the highest of the first chart of a folder


def find_browser():
    return shutil.which("chromium") or shutil.which("google-chrome")


DARK = {"dipole", "circle"}  # opened in the dark and without WebGL, the others in the light and with it
axe = importlib.util.find_spec("axe_core_python")
RULES = pathlib.Path(axe.origin).with_name("axe.min.js").as_uri() if axe else ""

# The page in a frame as narrow as a phone; what it says comes back as the title of the outer page, with the faults that axe finds by
# the rules of WCAG 2.1 AA.
FRAME = """<!DOCTYPE html><title>nothing</title><iframe src="report.html" style="width:400px;height:900px;border:0"></iframe><script>
onload = () => setTimeout(async () => {
  const frame = document.querySelector("iframe"), page = frame.contentDocument, of = name => [...page.querySelectorAll(name)], rules = "RULES";
  if (rules) await new Promise(done => { const script = page.createElement("script"); script.src = rules, script.onload = done, page.head.append(script); });
  const found = rules ? (await frame.contentWindow.axe.run({runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"]})).violations : [];
  document.title = JSON.stringify({
    axe: found.map(v => `${v.id}, ${v.nodes.length} times: ${v.nodes[0].html.slice(0, 120)}`),
    bare: of("canvas").map(c => c.getContext("2d")).filter(pen => pen && new Uint32Array(pen.getImageData(0, 0, pen.canvas.width, pen.canvas.height).data.buffer).filter(v => v).length < 500).length,
    wide: page.documentElement.scrollWidth, curves: of(".curve").map(p => p.getAttribute("d")),
    ticks: of("figure svg").slice(0, 1).flatMap(s => [...s.querySelectorAll("text[text-anchor=end]")].map(t => t.textContent)),
    letters: Math.min(99, ...of("svg text").map(t => t.getBoundingClientRect().height)),
    points: Object.fromEntries(of("figure").map(f => [f.firstChild.textContent, [...f.querySelectorAll("circle:not(.grid):not(.frame)")].map(c => [+c.getAttribute("cx"), +c.getAttribute("cy")])]))});
}, 500);
</script>"""


def opened(folder, scratch):
    """(lines of what is wrong in Chromium, places of points {title: [(x, y)]}); (None, None) without Chromium."""
    program = find_browser()
    if program is None:
        return None, None
    (folder / "frame.html").write_text(FRAME.replace("RULES", RULES))
    kind = ["--blink-settings=preferredColorScheme=0", "--disable-3d-apis"] if folder.name in DARK else ["--use-angle=swiftshader", "--enable-unsafe-swiftshader"]
    run = subprocess.run([program, "--headless", "--no-sandbox", "--disable-gpu", "--allow-file-access-from-files", "--enable-logging=stderr",
                          "--v=0", f"--user-data-dir={scratch}/profile", "--virtual-time-budget=20000", "--dump-dom", *kind,
                          f"file://{folder}/frame.html"], capture_output=True, text=True, timeout=120)
    (folder / "frame.html").unlink()
    wrong = [line for line in run.stderr.splitlines() if "CONSOLE" in line and "GL Driver Message" not in line]
    found = re.search("<title>(.*?)</title>", run.stdout, re.DOTALL)
    if not found or found[1] == "nothing":
        return wrong + ["Chromium says nothing"], {}
    said = json.loads(html.unescape(found[1]))
    if said["wide"] > 400:
        wrong.append(f"{said['wide']} pixels wide on a phone of 400")
    if said["bare"]:
        wrong.append(f"{said['bare']} empty bodies")
    if said["letters"] < 12:
        wrong.append(f"letters of {said['letters']} pixels")
    if said["ticks"] and TICKS.get(folder.name, said["ticks"][-1]) != said["ticks"][-1]:
        wrong.append(f"ticks of the first chart {said['ticks']}")
    wrong += [f"axe: {text}" for text in said["axe"]]
    wrong += [f"curve {d[:40]!r}" for d in said["curves"] if not d.startswith("M") or "NaN" in d or "Infinity" in d]
    return wrong, said["points"]


def check(run, binaries, source, scratch):
    """Lines of what is wrong with the report of one run."""
    program, config, options, headings, count, has_ball = run
    folder = scratch / config
    subprocess.run([binaries / program, source / "configs" / f"{config}.toml", "-q", "-o", folder, "--device", "cpu",
                    *options], check=True, stdout=subprocess.DEVNULL)
    wrong, page, places = check_page(folder, scratch)
    wrong += [f"no heading {h}" for h in headings if h not in page.headings]
    if len(page.curves()) != count:
        wrong.append(f"{len(page.curves())} curves, {count} are to be there")
    if config in VALUES:
        wrong += VALUES[config](folder, page, places)
    text = (folder / "report.html").read_text()
    for word in WORDS.get(config, []):
        if word not in text:
            wrong.append(f"{word!r} is missing")
    if config == "circle" and page.title != TITLE:
        wrong.append(f"title {page.title!r}")
    if has_ball != any("patterns" in data for _, data in page.figures):
        wrong.append(f"ball: must be {has_ball}")
    files = json.loads((folder / "summary.json").read_text())["files"]
    wrong += [f"{name} is not linked" for name in files if name not in page.links]
    return [f"{program} {config}: {line}" for line in wrong]


def check_page(folder, scratch):
    """Lines of what is wrong with a page by itself; the page."""
    path = folder / "report.html"
    text = path.read_text()
    page = Page(text)
    wrong = list(page.faults)
    if len(text) > 3 << 20:
        wrong.append(f"{len(text)} bytes")
    for link in page.links:
        if "://" in link or (not link.startswith("data:") and not (folder / link).exists()):
            wrong.append(f"link {link}")
    more, places = opened(folder, scratch)
    return wrong + (more or []), page, places


def unlike(name, found, exact, tolerance):
    """A line if lists of numbers differ by more."""
    apart = max((abs(a - b) for a, b in zip(found, exact)), default=0)
    return [f"{name}: {found} for {exact}"] if len(found) != len(exact) or apart > tolerance else []


def check_guide(folder, page, places):
    """S of a guide without reflection: a phase that lags by beta L, the delay of its group velocity; on the Smith chart inductive is up."""
    points = json.loads((folder / "summary.json").read_text())["results"]["s_parameters"]
    f = [point["frequency_hz"] for point in points]
    s21 = [complex(*point["s2_1"]) for point in points]
    charts, (level, phase, delay) = page.charts(), (page.charts()[title]["curves"] for title in ("S-parameters", "Phase", "Group delay"))
    curve = lambda curves: next(c for c in curves if c["name"] == "S12 = S21")
    wrong = unlike("frequency in GHz", curve(level)["x"], [v / 1e9 for v in f], 1e-9)
    wrong += unlike("abs S in dB", curve(level)["y"], [20 * math.log10(abs(s)) for s in s21], 1e-4)
    wrong += unlike("phase", curve(phase)["y"], [math.degrees(cmath.phase(s)) for s in s21], 1e-2)
    beta = [math.sqrt((2 * math.pi * v / 299792458) ** 2 - (math.pi / 22.86e-3) ** 2) for v in f]
    exact = [30 * 2 * math.pi * v / 299792458**2 / b * 1e6 for v, b in zip(f, beta)]  # d beta / d omega; parabolas through three of the four points
    wrong += unlike("group delay in ns", curve(delay)["y"], exact, 0.05 * max(exact))
    smith = page.charts("smith")[next(iter(page.charts("smith")))]["curves"][0]
    wrong += unlike("Re gamma", smith["re"], [point["s1_1"][0] for point in points], 1e-6)
    wrong += unlike("Im gamma", smith["im"], [point["s1_1"][1] for point in points], 1e-6)
    if charts["Standing wave ratio"]["curves"][0]["y"][0] < 1:
        wrong.append("standing wave ratio below 1")
    if places:
        drawn = places["S-parameters"]
        if not all(a[0] < b[0] for a, b in zip(drawn[:3], drawn[1:4])):
            wrong.append("frequencies do not go to the right")
    return wrong


def check_bars(scratch):
    """Bars above 0 dB of curves below leave 0 as the top of the axis."""
    (scratch / "barred").mkdir()
    text = (scratch / "wr90/report.html").read_text()
    level = re.search(r'class="chart">(.*?)</script>', text, re.DOTALL)[1]
    chart = json.loads(level)
    for curve in chart["curves"]:
        curve |= {"low": [y - 9 for y in curve["y"]], "high": [y + 4 for y in curve["y"]]}
    (scratch / "barred/report.html").write_text(text.replace(level, json.dumps(chart)))
    return [f"bars: {line}" for line in opened(scratch / "barred", scratch)[0] or []]


def check_strip_dipole(folder, page, places):
    """Z of a short dipole is capacitive: below the middle of its Smith chart; its pattern is greatest at 90 degrees, to the right."""
    polar = next(iter(page.charts("polar").values()))["curves"][0]
    wrong = unlike("maximum at", [polar["x"][max(range(len(polar["y"])), key=polar["y"].__getitem__)]], [90], 1e-9)
    if places:
        (x, y), *_ = places[next(iter(page.charts("smith")))]
        middle = 200 - 16  # of a page of 400 pixels with its margins
        gamma = complex(*json.loads((folder / "summary.json").read_text())["results"]["s_parameters"][0]["s1_1"])
        if (x - middle) * gamma.real < 0 or (y > 158) != (gamma.imag < 0):
            wrong.append(f"gamma {gamma} at {x}, {y}")
    return wrong


VALUES = {"wr90": check_guide, "dipole_strip": check_strip_dipole}


PLANE = """
[[output.near_field]]
name = "middle"
positions = [[0, 5.08, 0], [0, 5.08, 30], [22.86, 5.08, 0]]
points = [31, 21]
"""


def check_cut(binaries, source, scratch):
    """|E| of TE10 on a plane is that of the sine across the guide and the same all along it, in the numbers of the page; the wave
    moves along +z when the phase grows."""
    config = scratch / "plane.toml"
    config.write_text((source / "configs/wr90.toml").read_text().replace("../meshes", str(source.resolve() / "meshes")) + PLANE)
    folder = scratch / "plane"
    subprocess.run([binaries / "fem-solve", config, "-q", "-o", folder, *OFF, "--set", "frequency.values=[10e9]", "--set",
                    "output.fields=false"], check=True, stdout=subprocess.DEVNULL)
    wrong, page, _ = check_page(folder, scratch)
    bodies = [data for kind, data in page.figures if kind == "body" and "scenes" in data]
    if "Fields on cuts" not in page.headings or not bodies or [scene["name"] for scene in bodies[0]["scenes"]] != ["E", "H"]:
        return ["cut: not in the page"]
    part, = bodies[0]["scenes"][0]["parts"]
    if len(bodies[0]["points"]) != 3 * 31 * 21 or len(bodies[0]["faces"]) != 6 * 30 * 20 or part["unit"] != "V/m":
        return [f"cut: {len(bodies[0]['points'])} numbers of points, {len(bodies[0]['faces'])} corners"]
    field = [complex(a, b) for a, b in zip(part["re"][1::3], part["im"][1::3])]  # E_y, the first axis the faster
    largest = max(map(abs, field))
    for row in range(21):
        for column in range(31):
            if abs(abs(field[31 * row + column]) / largest - math.sin(math.pi * row / 20)) > 0.02:
                return wrong + [f"cut: no sine at {column}, {row}"]
    delay = cmath.phase(field[31 * 10 + 10] / field[31 * 10])
    beta = math.sqrt((2 * math.pi * 10e9 / 299792458) ** 2 - (math.pi / 22.86e-3) ** 2)
    if abs(delay + beta * 10e-3) > 0.03:
        wrong.append(f"cut: phase over 10 mm {delay}, {-beta * 10e-3} is right")
    return wrong


def check_sweep(binaries, source, scratch):
    """A sweep over two keys: a curve of each result for each value of the second, and the pages of the points."""
    folder = scratch / "sweep"
    subprocess.run([binaries / "mom2d", source / "configs/circle.toml", "-q", "-o", folder, "--sweep",
                    "contour.0.cells=16,24,32", "--sweep", "formulation.equation=efie,cfie"],
                   check=True, stdout=subprocess.DEVNULL)
    wrong, page, _ = check_page(folder, scratch)
    families = {title: chart["curves"] for title, chart in page.charts().items() if chart["family"]}
    names = {curve["name"] for curve in page.curves()} - {curve["name"] for curves in families.values() for curve in curves}
    if names != {"equation = efie", "equation = cfie"} or "points" not in dict(page.figures):
        wrong.append(f"curves {names}")
    curves = families.get("Bistatic echo width of all points", [])
    if [curve["name"] for curve in curves[:2]] != ["cells = 16, equation = efie", "cells = 16, equation = cfie"] or len(curves) != 6:
        wrong.append(f"families {list(families)}, {[curve['name'] for curve in curves]}")
    for number, curve in enumerate(curves, 1):  # the echo width of the point's own table
        with open(folder / f"point_{number:04}/echo_width.csv") as file:
            rows = list(csv.DictReader(line for line in file if line[0] != "#"))
        wrong += unlike(f"echo width of point {number}", sorted(curve["y"]), sorted(float(row["width_dbm"]) for row in rows), 1e-3)
    return [f"sweep: {line}" for line in wrong]


def check_family(binaries, source, scratch):
    """S over frequency of all points of a sweep comes first, results before what judges them."""
    folder = scratch / "family"
    subprocess.run([binaries / "fem-solve", source / "configs/iris.toml", "-q", "-o", folder, *FAST, "--set", "frequency.values=[9e9, 10e9]",
                    "--set", "mesh.size=12", "--sweep", "mesh.parameters.gap=11,13"], check=True, stdout=subprocess.DEVNULL)
    wrong, page, _ = check_page(folder, scratch)
    warned = [json.loads(file.read_text())["warnings"] for file in sorted(folder.glob("point_*/summary.json"))]
    if f"{sum(map(bool, warned))} of 2 points have warnings; gap = 11: {html.escape(warned[0][0])}" not in (folder / "report.html").read_text():
        wrong.append(f"not on the page: {warned}")
    charts = page.charts()
    chart = charts.get("S12 = S21 of all points", {"curves": []})
    for number, gap in enumerate((11, 13)):
        points = json.loads((folder / f"point_000{number + 1}/summary.json").read_text())["results"]["s_parameters"]
        exact = [20 * math.log10(abs(complex(*point["s1_2"]))) for point in points]
        curve = next((c for c in chart["curves"] if c["name"] == f"gap = {gap}"), {"y": []})
        wrong += unlike(f"S of gap {gap}", curve["y"], exact, 1e-4)
    if list(charts)[0] not in ("S11 = S22 of all points", "S12 = S21 of all points") or not any(title.startswith("reciprocity_error: ") for title in list(charts)[4:]):
        wrong.append(f"charts {list(charts)}")
    if charts.get("s1_1_db_max: greatest abs S over the frequencies, first mode incident", {}).get("y") != "s1_1_db_max (dB)":
        wrong.append("no unit and meaning of s1_1_db_max")
    if re.search("<h2>Table</h2>.*reciprocity_.*<details>", (folder / "report.html").read_text(), re.DOTALL):
        wrong.append("the table has checks of the runs")
    return [f"family: {line}" for line in wrong]


TUNED = """title = "tuned"
[model]
config = "{config}"
[[variable]]
parameter = "mesh.parameters.gap"
range = [10, 14]
start = 12
[[goal]]
quantity = "S11"
frequency = ["9 GHz", "10 GHz"]
below = -4
[[goal]]
quantity = "S11"
frequency = ["11 GHz", "12 GHz", 3]
below = -1
[optimization]
max_evaluations = 3
"""


def check_optimiser(binaries, source, scratch):
    """Before and after in their colours, with a gap between two bands, and the limits, above which curves are not to be."""
    (scratch / "model.toml").write_text((source / "configs/iris.toml").read_text().replace("../meshes", str(source.resolve() / "meshes"))
                                        .replace("order = 2", "order = 1"))
    (scratch / "tune.toml").write_text(TUNED.format(config=scratch / "model.toml"))
    folder = scratch / "tune"
    subprocess.run([binaries / "em-optimize", scratch / "tune.toml", "-q", "-o", folder], check=True, stdout=subprocess.DEVNULL)
    wrong, page, _ = check_page(folder, scratch)
    chart = page.charts()["S11 before and after; shaded: goal missed"]
    before, after = chart["curves"]
    with open(folder / "goals.csv") as file:
        rows = list(csv.DictReader(line for line in file if line[0] != "#"))
    gap = [i for i, y in enumerate(before["y"]) if y is None]
    if len(gap) != 1 or (before["x"][gap[0] - 1], before["x"][gap[0] + 1]) != (10, 11):
        wrong.append(f"gap between the bands: {before['x']}, {gap}")
    there = lambda curve: [y for y in curve["y"] if y is not None]
    wrong += unlike("before", there(before), [float(row["start"]) for row in rows], 1e-4)
    wrong += unlike("after", there(after), [float(row["best"]) for row in rows], 1e-4)
    wrong += unlike("mask", chart["masks"][0], [9, 10, -4, 1], 1e-9) + unlike("mask", chart["masks"][1], [11, 12, -1, 1], 1e-9)
    if (before["name"], before["colour"], after["name"], after["colour"]) != ("start", 1, "best", 0) or "Steps of the optimisation" not in page.charts():
        wrong.append(f"optimiser: {before['name']}, {after['name']}, {list(page.charts())}")
    return [f"optimiser: {line}" for line in wrong]


def main():
    binaries, source = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    with tempfile.TemporaryDirectory() as scratch:
        wrong = [line for run in RUNS for line in check(run, binaries, source, pathlib.Path(scratch))]
        wrong += check_cut(binaries, source, pathlib.Path(scratch)) + check_bars(pathlib.Path(scratch))
        for more in (check_sweep, check_family, check_optimiser):
            wrong += more(binaries, source, pathlib.Path(scratch))
        subprocess.run([binaries / "mom2d", source / "configs/circle.toml", "-q", "--no-report", "-o",
                        f"{scratch}/without"], check=True, stdout=subprocess.DEVNULL)
        if pathlib.Path(scratch, "without/report.html").exists():
            wrong.append("--no-report: the page is there")
    opened = f"opened in Chromium{', without faults by axe' * bool(RULES)}" if find_browser() else "no Chromium: not opened"
    print("\n".join(wrong) or f"reports of {len(RUNS) + 4} runs are sound; {opened}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
