# SPDX-License-Identifier: BSD-3-Clause
"""Pages as lists of lines, with what is prose and what is code in them."""
import functools
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
GENERATED = {"docs/reference/keys.md", "docs/reference/results.md", "docs/reference/materials.md"}
TOP = ["README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md", "CODE_OF_CONDUCT.md"]
SPAN = re.compile(r"`([^`]+)`")


class Page:
    """name from the root; lines as (number, text, is_code)."""

    def __init__(self, path):
        self.path, self.name = path, str(path.relative_to(ROOT)) if path.is_relative_to(ROOT) else path.name
        self.lines, is_code = [], False
        for number, text in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            is_fence = text.lstrip().startswith("```")
            is_code ^= is_fence
            self.lines.append((number, text, is_code or is_fence))

    def prose(self):
        """(number, text without code and links' targets)"""
        for number, text, is_code in self.lines:
            if not is_code and not text.startswith("    "):
                yield number, re.sub(r"\]\([^)]*\)", "]", SPAN.sub("``", text))

    def spans(self):
        """(number, text) of each piece of code in a line, and of each line of a block of code."""
        for number, text, is_code in self.lines:
            if is_code or text.startswith("    "):
                yield number, text.strip()
            else:
                yield from ((number, span) for span in SPAN.findall(text))

    def blocks(self, language):
        """(number of the first line, text) of the blocks of code in a language."""
        block = None
        for number, text, is_code in self.lines:
            if text.strip() == "```" + language and is_code and block is None:
                block = (number + 1, [])
            elif text.strip() == "```" and block is not None:
                yield block[0], "\n".join(block[1])
                block = None
            elif block is not None:
                block[1].append(text)


@functools.cache
def pages():
    paths = [ROOT / name for name in TOP if (ROOT / name).exists()] + sorted((ROOT / "docs").rglob("*.md"))
    return [Page(path) for path in paths]


def written():
    """Pages that people write."""
    return [page for page in pages() if page.name not in GENERATED]
