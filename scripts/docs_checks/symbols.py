# SPDX-License-Identifier: BSD-3-Clause
"""Names of the sources in pages: of C++, of tests, of variables of the environment; programs and modules."""
import functools
import re
import runpy

from .names import PROGRAMS, repository
from .pages import ROOT, Page, written

SOURCES = re.compile(r"(src|apps|tests|cmake|scripts|python)/.*\.(hpp|cpp|cu|cuh|c|cmake|txt|in|py|toml)$|CMake\w+\.\w+$|scripts/[\w-]+$")
OWN_TEST = "tests/scripts/docs_checks_test.py"  # has names that are nowhere else
CPP = re.compile(r"\b(?!std::|Eigen::)\w+(?:::\w+)+")
CASE = re.compile(r"\b[A-Z][a-z]\w+\.[A-Z][a-z]\w+[A-Z]\w+")  # Suite.CaseOfIt
PROGRAM_OR_VARIABLE = re.compile(r"(?<![\w{}])[a-z]\w+_test\b|\bCURLEW_\w*[A-Z]\b")


@functools.cache
def identifiers():
    """All words of the sources, and the names of files without their ends."""
    words = {name.rsplit("/", 1)[-1].split(".")[0] for name in repository()}
    for name in repository():
        if SOURCES.match(name) and name != OWN_TEST and (ROOT / name).is_file():
            words.update(re.findall(r"\w+", (ROOT / name).read_text(encoding="utf-8", errors="ignore")))
    return words


def is_there(word):
    """Also the beginning of a name, as filters of tests have it: Suite.CaseOf*"""
    if word in identifiers() or re.search(r"TEST|NAME|ROOM", word):
        return True
    return len(word) > 20 and any(name.startswith(word) for name in identifiers())


def unknown_symbols():
    for page in written():
        if page.name == "CHANGELOG.md":  # tells of names that are gone
            continue
        for number, text, _ in page.lines:
            found = [word for name in CPP.findall(text) for word in name.split("::")]
            found += [word for name in CASE.findall(text) for word in name.split(".")] + PROGRAM_OR_VARIABLE.findall(text)
            yield from (f"{page.name}:{number}: nothing has the name {word}" for word in found if not is_there(word))


def programs_without_page():
    """Each program is named where users look for it."""
    text = (ROOT / "docs/programs.md").read_text(encoding="utf-8")
    yield from (f"docs/programs.md: does not name {name}" for name in sorted(PROGRAMS) if name not in text)


def rooms():
    """The table of modules in docs/design.md is that of scripts/check-includes."""
    uses = runpy.run_path(str(ROOT / "scripts/check-includes"), run_name="table")["USES"]
    for number, text, _ in Page(ROOT / "docs/design.md").lines:
        cells = [cell.strip() for cell in text.strip("|").split("|")]
        if len(cells) != 3 or cells[0] not in uses:
            continue
        stated = {"nothing": set(), "all": set(uses) - {cells[0]}}.get(cells[2].split(" but ")[0], set(cells[2].split(", ")))
        if " but " in cells[2]:
            stated -= set(cells[2].split(" but ")[1].split(", "))
        if stated != set(uses[cells[0]]):
            yield f"docs/design.md:{number}: {cells[0]} uses {', '.join(uses[cells[0]])} by scripts/check-includes"
