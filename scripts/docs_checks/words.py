# SPDX-License-Identifier: BSD-3-Clause
"""Private phrases, each with the field's term: the table "Not used" of docs/reference/glossary.md is the list."""
import functools
import re

from .pages import ROOT, Page, written

LITERAL = re.compile(r'"((?:[^"\\\n]|\\.)*)"')
GLOSSARY = "docs/reference/glossary.md"


@functools.cache
def phrases():
    """[(pattern, phrase, term, longest word)]; forms of a phrase are parted by commas, * stands for letters."""
    found, is_table = [], False
    for _, text, _ in Page(ROOT / GLOSSARY).lines:
        is_table = text.startswith("| not") or (is_table and text.startswith("|"))
        cells = [cell.strip() for cell in text.strip("|").split("|")]
        if not is_table or len(cells) != 2 or set(cells[0]) <= set("-") or cells[0].startswith("not"):
            continue
        for phrase in cells[0].split(", "):
            words = r"\s+".join(re.escape(word).replace(r"\*", r"\w*") for word in phrase.split())
            longest = max(re.split(r"[\s*]+", phrase.lower()), key=len)
            found.append((re.compile(rf"\b{words}\b", re.IGNORECASE), phrase, cells[1], longest))
    return found


def hits(text):
    lower = text.lower()  # nearly all lines have not even a phrase's longest word: ten times as quick
    return [(phrase, term) for pattern, phrase, term, longest in phrases() if longest in lower and pattern.search(text)]


def in_pages():
    """Over the end of a line too."""
    for page in written():
        if page.name == GLOSSARY:
            continue
        last = ""
        for number, text in page.prose():
            for phrase, term in hits(text) + [hit for hit in hits(last + " " + text) if hit not in hits(last) + hits(text)]:
                yield f"{page.name}:{number}: \"{phrase}\": {term}"
            last = text


def in_messages():
    """Texts in quotes in the sources of programs."""
    for folder in ("src", "apps"):
        for path in sorted((ROOT / folder).rglob("*.[ch]pp")):
            for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
                for text in LITERAL.findall(line) if '"' in line and not line.lstrip().startswith(("//", "#include")) else []:
                    for phrase, term in hits(text):
                        yield f"{path.relative_to(ROOT)}:{number}: \"{phrase}\": {term}"


def in_comments():
    """Comments of the sources, tests and scripts."""
    for folder in ("src", "apps", "tests"):
        for path in sorted(p for p in (ROOT / folder).rglob("*") if p.suffix in (".cpp", ".hpp", ".cu", ".cuh")):
            for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
                for phrase, term in hits(line.split("//", 1)[1]) if "//" in line else []:
                    yield f"{path.relative_to(ROOT)}:{number}: \"{phrase}\": {term}"
    for folder in ("cmake", "python", "scripts", "tests"):  # all text: docstrings, comments and messages
        for path in sorted(p for p in (ROOT / folder).rglob("*") if p.is_file() and p.suffix in ("", ".py", ".cmake", ".txt")):
            if path.name == "docs_checks_test.py" or "__pycache__" in path.parts:
                continue
            for number, line in enumerate(path.read_text(encoding="utf-8", errors="replace").splitlines(), 1):
                for phrase, term in hits(line):
                    yield f"{path.relative_to(ROOT)}:{number}: \"{phrase}\": {term}"


COMMENT = re.compile(r"^( *//[/!]?) (\S.*)$")


def broken(text):
    """Numbers of comment lines that the formatter has broken in the middle of a phrase: the next word had fitted by far."""
    lines = text.splitlines()
    for number, (line, following) in enumerate(zip(lines, lines[1:]), 1):
        first, second = COMMENT.match(line), COMMENT.match(following)
        if not first or not second or first[1] != second[1] or "SPDX" in line or re.search(r"[.:;)\]=,]$", line):
            continue
        if len(line) < 80 and len(line) + len(second[2].split()[0]) < 88 and not re.match(r"@|[-*] |\d+[.)] |Source", second[2]):
            yield number


def broken_comments():
    for folder in ("src", "apps", "tests"):
        for path in sorted(p for p in (ROOT / folder).rglob("*") if p.suffix in (".cpp", ".hpp", ".cu", ".cuh")):
            for number in broken(path.read_text(encoding="utf-8")):
                yield f"{path.relative_to(ROOT)}:{number}: a comment is broken in mid-phrase: fill the line"


def undefined_bars():
    """A page says "error bar" before it says "bar"; progress bars and others have their own word."""
    for page in written():
        if page.name == GLOSSARY:
            continue
        last = ""
        for number, text in page.prose():
            if found := re.search(r"\b(error\s+)?bars?\b", last + " " + text, re.IGNORECASE):
                if not found[1] and not re.search(r"(progress|colour) bars?", text):
                    yield f"{page.name}:{number}: \"bar\" stands before the first \"error bar\": say error bar"
                break
            last = text.split()[-1] if text.split() else ""
