#!/usr/bin/env python3
"""The tutorials as a reader does them: the cells of their notebooks in sequence in an empty folder, then their numbers.

Usage: tutorials_test.py BIN SOURCE [--share K/N|today/N] [NUMBER ...]   (default: all of them)

--share takes a part of them; CURLEW_SHARE=K/N in the environment comes first then.
"""
import argparse
import importlib.machinery
import importlib.util
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))
from shares import share_of

ROOT = pathlib.Path(__file__).resolve().parents[2]
loader = importlib.machinery.SourceFileLoader("notebooks", str(ROOT / "scripts/notebooks"))
notebooks = importlib.util.module_from_spec(importlib.util.spec_from_loader("notebooks", loader))
loader.exec_module(notebooks)
CAN_DRAW = all(importlib.util.find_spec(name) for name in ("matplotlib", "pyvista", "xarray"))
BASH = "%%bash -e\n"
NO_DISPLAY = """import pathlib, sys, types
sys.modules["IPython"] = types.SimpleNamespace(version_info=(9, 0))
sys.modules["IPython.display"] = types.SimpleNamespace(Image=pathlib.Path, display=pathlib.Path.stat)
"""

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
        environment = {**os.environ, "PATH": f"{binaries}:{os.environ['PATH']}", "PYTHONPATH": str(ROOT / "python")}
        code = [cell for kind, cell in notebooks.cells(text) if kind == "code"]
        if sum(cell.startswith(BASH) for cell in code) != len(BLOCK.findall(text)) or sum(cell.count('", "') for cell in code) < len(numbers):
            return ["a notebook without all commands and numbers"]
        for cell in code:
            is_bash = cell.startswith(BASH)
            if not is_bash and not CAN_DRAW:
                continue
            run = subprocess.run(["bash", "-e"] if is_bash else [sys.executable, "-"], input=cell.removeprefix(BASH) if is_bash else NO_DISPLAY + cell,
                                 text=True, cwd=folder, env=environment, capture_output=True, check=False)
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
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("binaries", type=pathlib.Path)
    parser.add_argument("source", type=pathlib.Path)
    parser.add_argument("numbers", nargs="*")
    parser.add_argument("--share")
    arguments = parser.parse_args()
    pages = [p for p in sorted((arguments.source / "docs/tutorials").glob("[0-9]*.md"))
             if not arguments.numbers or p.name.split("-")[0] in arguments.numbers]
    if arguments.share:
        text = os.environ.get("CURLEW_SHARE") or arguments.share
        share, of = share_of(text) or sys.exit(f"tutorials_test: {text} must be K/N with K from 1 to N, or today/N")
        print(f"tutorials_test: share {share}/{of} of {len(pages)} tutorials", flush=True)
        pages = pages[(share - 1) % len(pages)::of]
    wrong = [f"{page.name}: {line}" for page in pages for line in follow(page, arguments.binaries.resolve())]
    print("\n".join(wrong) or f"{len(pages)} tutorials hold")
    return 1 if wrong or not pages else 0


if __name__ == "__main__":
    sys.exit(main())
