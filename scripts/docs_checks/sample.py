# SPDX-License-Identifier: BSD-3-Clause
"""Sentences at random, for a reader who has not written them."""
import random
import re

from .pages import GENERATED, ROOT, pages
from .words import GLOSSARY, LITERAL

END = re.compile(r"(?<=[.!?])(?<!\be\.g\.)(?<!\beq\.)\s+(?=[A-Z`\[\"(])")


def all_sentences():
    """Of pages: paragraphs, items, cells of tables, rows of the lists of keys and results; of programs: texts with a few words."""
    for page in pages():
        lines = [line for _, line, is_code in page.lines if not is_code and not line.startswith(("    ", "#", "<!--", "!", "Measured"))]
        if page.name == GLOSSARY:
            lines = lines[:lines.index("| not | but |")]
        cells = r"|(?<=\|)\n" if page.name in GENERATED else r"|(?<!\\)\|"
        for paragraph in re.split(r"\n\s*(?:\n|[-*] |\d+\. |(?=\|))" + cells, "\n".join(lines)):
            yield from (f"{page.name}: {text}" for text in END.split(" ".join(paragraph.split())) if len(text.split()) >= 4)
    for path in sorted(p for folder in ("src", "apps") for p in (ROOT / folder).rglob("*.cpp") if "schema" not in p.parts):
        lines = [line for line in path.read_text(encoding="utf-8").splitlines() if not line.startswith("#include")]
        for text in LITERAL.findall(re.sub(r'"\s*\n\s*"', "", "\n".join(lines))):
            if len(re.findall(r"[a-z]{2,}", text)) >= 5 and " " in text and not re.search("</|--set", text):
                yield f"{path.relative_to(ROOT)}: {text}"


def sample(seed, count=60):
    return random.Random(seed).sample(sorted(set(all_sentences())), count)
