#!/usr/bin/env python3
"""The tutorials as a reader does them: their commands in sequence in an empty folder, then their numbers.

Usage: tutorials_test.py BIN SOURCE [NUMBER ...]   (default: all of them)
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

BLOCK = re.compile(r"^```sh\n(.*?)^```$", re.M | re.S)
NUMBER = re.compile(r"^\| `([^`]+)`: `([^`]+)` \| (\S+) \| (\S+) \|$", re.M)


def member(value, path):
    for part in path.split("."):
        value = value[int(part)] if isinstance(value, list) else value[part]
    return value


def follow(page, binaries):
    """Lines for statements that are wrong."""
    text = page.read_text()
    numbers = NUMBER.findall(text)
    if not BLOCK.findall(text) or not numbers:
        return ["no commands or no numbers"]
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "PATH": f"{binaries}:{os.environ['PATH']}"}
        run = subprocess.run(["bash", "-e"], input="\n".join(BLOCK.findall(text)), text=True, cwd=folder, env=environment,
                             capture_output=True, check=False)
        if run.returncode != 0:
            return [f"status {run.returncode}: {run.stderr.strip()[-300:]}"]
        wrong = []
        for file, path, value, within in numbers:
            got = member(json.loads(pathlib.Path(folder, file).read_text()), path)
            if not abs(got - float(value)) <= float(within):
                wrong.append(f"{path} of {file}: {got}, the page says {value} within {within}")
            if not pathlib.Path(folder, file).with_name("report.html").exists():
                wrong.append(f"no report beside {file}")
        return wrong


def main():
    binaries, source = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2])
    pages = [p for p in sorted((source / "docs/tutorials").glob("[0-9]*.md"))
             if not sys.argv[3:] or p.name.split("-")[0] in sys.argv[3:]]
    wrong = [f"{page.name}: {line}" for page in pages for line in follow(page, binaries)]
    print("\n".join(wrong) or f"{len(pages)} tutorials hold")
    return 1 if wrong or not pages else 0


if __name__ == "__main__":
    sys.exit(main())
