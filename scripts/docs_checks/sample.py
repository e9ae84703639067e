# SPDX-License-Identifier: BSD-3-Clause
"""Sentences at random, for a reader who has not written them: half of them of pages, a quarter each of messages and of comments."""
import random
import re

from .pages import GENERATED, ROOT, pages
from .words import GLOSSARY, LITERAL

END = re.compile(r"(?<=[.!?])(?<!\be\.g\.)(?<!\beq\.)(?<!\b[A-Z]\.)(?<!Comput\.)(?<!Trans\.)\s+(?=[A-Z`\[\"(])")
LEAST_WORDS = 4
LONG = 3  # lines of a long comment


def of_pages():
    """Of paragraphs, items, cells of tables, rows of the lists of keys and results."""
    for page in pages():
        lines = [line for _, line, is_code in page.lines if not is_code and not line.startswith(("    ", "#", "<!--", "!", "Measured"))]
        if page.name == GLOSSARY:
            lines = lines[:lines.index("| not | but |")]
        cells = r"|(?<=\|)\n" if page.name in GENERATED else r"|(?<!\\)\|"
        for paragraph in re.split(r"\n\s*(?:\n|[-*] |\d+\. |(?=\|))" + cells, "\n".join(lines)):
            yield from (f"{page.name}: {text}" for text in END.split(" ".join(paragraph.split())) if len(text.split()) >= LEAST_WORDS)


def sources(*ends):
    for path in sorted(p for folder in ("src", "apps") for p in (ROOT / folder).rglob("*") if p.suffix in ends):
        yield path, path.relative_to(ROOT), path.read_text(encoding="utf-8")


def of_messages():
    """Texts in quotes with a few words."""
    for path, name, source in sources(".cpp"):
        lines = [line for line in source.splitlines() if not line.startswith("#include")] if "schema" not in path.parts else []
        for text in LITERAL.findall(re.sub(r'"\s*\n\s*"', "", "\n".join(lines))):
            if len(re.findall(r"[a-z]{2,}", text)) >= 5 and " " in text and not re.search("</|--set", text):
                yield f"{name}: {text}"


def of_comments():
    """Sentences of comments of several lines."""
    for _, name, source in sources(".hpp", ".cpp", ".cu", ".cuh"):
        for comment in re.findall(r"(?:^ *//[^\n]*\n){%d,}" % LONG, source, re.MULTILINE):
            text = " ".join(re.sub(r"^ *//[/!]?<?", "", line).strip() for line in comment.splitlines())
            yield from (f"{name}: {one}" for one in END.split(text) if len(one.split()) >= LEAST_WORDS and "SPDX" not in one)


def sample(seed, count=60):
    chance = random.Random(seed)
    parts = ((of_pages, count // 2), (of_messages, count // 4), (of_comments, count - count // 2 - count // 4))
    return [text for part, number in parts for text in chance.sample(sorted(set(part())), number)]
