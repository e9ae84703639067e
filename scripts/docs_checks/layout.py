# SPDX-License-Identifier: BSD-3-Clause
"""Line length, headings, links and their anchors."""
import re
import urllib.parse

from .pages import ROOT, pages, written

LONGEST = 160  # of prose; tables, code and lists of commands are as long as they are
LONGEST_ITEM = 5  # lines
ITEM = re.compile(r"\s*([-*]|\d+\.) ")
CEILINGS = [("docs/", "bytes", 420_000), ("docs/measured/", "bytes", 120_000), ("docs/reference/robustness.md", "lines", 120)]
LONGEST_VERSION = 60  # lines of a version's section of CHANGELOG.md, or of "Unreleased"
LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)")


def anchor(heading):
    """As GitHub and MkDocs make it of a heading."""
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "")
    return re.sub(r"[\s]+", "-", re.sub(r"[^\w\s-]", "", text).strip().lower())


def headings(page):
    for number, text, is_code in page.lines:
        if not is_code and (found := re.match(r"(#+) (.*)", text)):
            yield number, len(found[1]), found[2]


def lines_too_long():
    for page in written():
        for number, text, is_code in page.lines:
            if len(text) > LONGEST and not is_code and not text.startswith(("|", "    ", "Measured by", "Set by", "`", "#", "![")):
                yield f"{page.name}:{number}: {len(text)} characters, more than {LONGEST}"


def items_too_long():
    """Items of lists: more than five lines should be a paragraph, or two items."""
    for page in written():
        first, count = 0, 0
        for number, text, is_code in [*page.lines, (0, "", False)]:
            if not is_code and count > 0 and text.startswith("  ") and not ITEM.match(text):
                count += 1
                continue
            if count > LONGEST_ITEM:
                yield f"{page.name}:{first}: an item of {count} lines, more than {LONGEST_ITEM}"
            first, count = (number, 1) if not is_code and ITEM.match(text) else (0, 0)


def broken_tables():
    """A table begins with a row of titles and a line of dashes; a blank line ends it, so that rows below are printed as text."""
    for page in written():
        rows = [text if text.startswith("|") and text.endswith("|") and not is_code else "" for _, text, is_code in page.lines] + [""]
        for at, (number, _, _) in enumerate(page.lines):
            if rows[at] and not rows[at - 1] and not re.match(r"\|[ :|-]*--", rows[at + 1]):
                yield f"{page.name}:{number}: a row without the titles of its table: leave out the blank line above"


def wrong_headings():
    for page in written():
        last, seen = 0, set()
        for number, level, text in headings(page):
            if level > last + 1 or (level == 1) != (last == 0):
                yield f"{page.name}:{number}: heading of level {level} after one of level {last}"
            if text in seen and page.name != "CHANGELOG.md":
                yield f"{page.name}:{number}: the page has the heading \"{text}\" twice"
            if text.endswith((".", ":")) or len(text) > 90:
                yield f"{page.name}:{number}: a heading is short and ends without a point"
            last = level
            seen.add(text)


def broken_links():
    anchors = {page.path: {anchor(text) for _, _, text in headings(page)} for page in pages()}
    for page in pages():
        for number, text, is_code in page.lines:
            for link in [] if is_code else LINK.findall(text):
                url = urllib.parse.urlsplit(link)
                if url.scheme:
                    continue
                target = (page.path.parent / urllib.parse.unquote(url.path)).resolve() if url.path else page.path
                if not target.exists():
                    yield f"{page.name}:{number}: there is no {link}"
                elif url.fragment and url.fragment not in anchors.get(target, {url.fragment}):
                    yield f"{page.name}:{number}: {target.name} has no heading #{url.fragment}"


def sizes():
    """(what, size, unit, ceiling) of hand-written pages by folder, and of the sections of CHANGELOG.md."""
    for prefix, unit, most in CEILINGS:
        texts = [page.path.read_bytes() for page in written() if page.name.startswith(prefix)]
        yield prefix, sum(len(text) if unit == "bytes" else text.count(b"\n") for text in texts), unit, most
    for section in re.split(r"^## ", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]:
        heading = section.split("\n")[0]
        yield f"CHANGELOG.md, {heading.split(' (')[0]}", section.count("\n"), "lines", LONGEST_VERSION


def too_large():
    yield from (f"{what}: {size} {unit}, more than {most}" for what, size, unit, most in sizes() if size > most)
