#!/usr/bin/env python3
"""report.html of small runs of every program: sound HTML without network, with the curves of what the run has found.

Usage: report_test.py BIN SOURCE. Where Chromium is installed the pages are opened in it: an error of a script fails.
"""
import cmath
import html.parser
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
# What runs in seconds: program, config, options, headings, least number of curves, whether the ball is there.
RUNS = [
    ("fem-solve", "wr90", [*FAST, *OFF, "--set", "frequency.points=4"], ["S-parameters"], 2 + 2, False),  # S12 and S21 are one line
    ("fem-solve", "dipole", [*FAST, "--set", "output.far_field.phi=[0, 360, 13]"], ["Far field"], 1, True),  # round about: four cuts are one line
    ("fem-solve", "rectangular_cavity", [*FAST], ["Modes"], 0, False),
    ("fem-solve", "acoustic_cylinder", [*FAST], ["Sound pressure"], 2, False),
    ("fe-iiee", "sphere_in_air", [*FAST], ["Scattering", "Convergence"], 3, False),
    ("ie-solve", "dipole_strip", [], ["S-parameters", "Far field"], 2, False),  # one frequency: no curve of S
    ("ie-solve", "pec_sphere", ["--set", "mesh.size=0.12"], ["Scattering"], 1, False),
    ("mom2d", "circle", ["--set", f"title={TITLE}"], ["Scattering", "Currents"], 2, False),
    ("mom2d", "strip", [], ["Scattering"], 1, False),
]
# Curves that hide each other share a place in the legend; numbers stand for the # of what --results says.
WORDS = {"wr90": ["S1,2 and S2,1</span>"], "rectangular_cavity": ["bar of resonance number 2"],
         "dipole": ["phi 0° and phi"], "circle": ["Surface current, "]}


class Page(html.parser.HTMLParser):
    """Checks that elements are closed in order; gathers headings, curves and links."""

    def __init__(self, text):
        super().__init__()
        self.title = ""
        self.open, self.headings, self.links, self.curves, self.faults, self.ids = [], [], [], [], [], set()
        self.feed(text)
        if self.open:
            self.faults.append(f"not closed: {self.open}")

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if tag not in VOID:
            self.open.append(tag)
        self.ids.add(attributes.get("id"))
        for name in ("href", "src"):
            if name in attributes:
                self.links.append(attributes[name])
        if tag == "path" and attributes.get("class") == "curve":
            self.curves.append(attributes["d"])
            if not attributes["d"].startswith("M") or "nan" in attributes["d"] or "inf" in attributes["d"]:
                self.faults.append(f"curve {attributes['d'][:40]!r}")

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        if tag not in VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.faults.append(f"</{tag}> closes nothing")

    def handle_data(self, data):
        if self.open and self.open[-1] == "h1":
            self.title += data
        if self.open and self.open[-1] == "h2":
            self.headings.append(data)


def find_browser():
    return shutil.which("chromium") or shutil.which("google-chrome")


def chromium_errors(path, scratch):
    """Lines of the console; None without Chromium."""
    program = find_browser()
    if program is None:
        return None
    run = subprocess.run([program, "--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr", "--v=0",
                          f"--user-data-dir={scratch}/profile", f"--screenshot={scratch}/page.png", f"file://{path}"],
                         capture_output=True, text=True, timeout=120)
    lines = [line for line in run.stderr.splitlines() if "CONSOLE" in line]
    return lines + ([] if pathlib.Path(scratch, "page.png").stat().st_size > 10000 else ["an empty picture"])


def check(run, binaries, source, scratch):
    """Lines of what is wrong with the report of one run."""
    program, config, options, headings, least, has_ball = run
    folder = scratch / config
    subprocess.run([binaries / program, source / "configs" / f"{config}.toml", "-q", "-o", folder, "--device", "cpu",
                    *options], check=True, stdout=subprocess.DEVNULL)
    wrong, page = check_page(folder, scratch)
    wrong += [f"no heading {h}" for h in headings if h not in page.headings]
    if len(page.curves) < least:
        wrong.append(f"{len(page.curves)} curves, {least} are to be there")
    text = (folder / "report.html").read_text()
    for word in WORDS.get(config, []):
        if word not in text:
            wrong.append(f"{word!r} is missing")
    if config == "circle" and page.title != TITLE:
        wrong.append(f"title {page.title!r}")
    if has_ball != ("ball" in page.ids):
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
    if len(text) > 5 << 20:
        wrong.append(f"{len(text)} bytes")
    for link in page.links:
        if "://" in link or (not link.startswith("data:") and not (folder / link).exists()):
            wrong.append(f"link {link}")
    return wrong + (chromium_errors(path, scratch) or []), page


PLANE = """
[[output.near_field]]
name = "middle"
type = "plane"
start = [0, 5.08, 0]
u = [0, 0, 30]
v = [22.86, 0, 0]
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
    wrong, page = check_page(folder, scratch)
    text = (folder / "report.html").read_text()
    found = re.search(r"columns:31,rows:21,width:0.03,height:0.02286,none:\[\],fields:{E:{top:([\d.e+]+),re:\[(.*?)\]\],im:\[(.*?)\]\]}", text)
    if "Fields on cuts" not in page.headings or not found:
        return ["cut: not in the page"]
    re_, im = (json.loads(f"[{part}]]") for part in found.groups()[1:])
    field = [complex(a, b) for a, b in zip(re_[1], im[1])]  # E_y, the first axis the faster
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
    wrong, page = check_page(folder, scratch)
    if len(page.curves) < 2 * 3 or not {"point", "frame"} <= page.ids:
        wrong.append(f"{len(page.curves)} curves")
    return [f"sweep: {line}" for line in wrong]


def main():
    binaries, source = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    with tempfile.TemporaryDirectory() as scratch:
        wrong = [line for run in RUNS for line in check(run, binaries, source, pathlib.Path(scratch))]
        wrong += check_cut(binaries, source, pathlib.Path(scratch))
        wrong += check_sweep(binaries, source, pathlib.Path(scratch))
        subprocess.run([binaries / "mom2d", source / "configs/circle.toml", "-q", "--no-report", "-o",
                        f"{scratch}/without"], check=True, stdout=subprocess.DEVNULL)
        if pathlib.Path(scratch, "without/report.html").exists():
            wrong.append("--no-report: the page is there")
    opened = "opened in Chromium" if find_browser() else "no Chromium: not opened"
    print("\n".join(wrong) or f"reports of {len(RUNS) + 2} runs are sound; {opened}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
