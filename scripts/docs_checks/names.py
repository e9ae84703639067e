# SPDX-License-Identifier: BSD-3-Clause
"""Paths, keys, columns and options that pages name, each against what has it."""
import fnmatch
import functools
import re
import subprocess
import tomllib

from .pages import ROOT, SPAN, Page, written

PROGRAMS = {"em-mesh", "fem-solve", "fem-assemble", "fe-iiee", "ie-solve", "mom2d", "em-optimize", "em-lint", "em-ngim", "em-bench"}
FOLDERS = "src|tests|scripts|configs|meshes|docs|apps|cmake|python"
PATH = re.compile(rf"(?<![\w/.-])(?:{FOLDERS})/[\w./*-]*\w")
FILE = re.compile(r"(?<![\w/.*-])[\w-]+(?:/[\w-]+)*\.(?:hpp|cpp|cu|geo)\b")
SET = re.compile(r"--(?:set|sweep) ['\"]?([\w.*-]+)=")
PLACEHOLDER = re.compile(r"\b[A-Z]{3,}\b|^(table\.)?key$")
TABLE = re.compile(r"^\[{1,2}([a-z_.]+)\]{1,2}$")
DOTTED = re.compile(r"^[a-z_]+(\.[a-z0-9_]+)+$")  # mesh.size, also members of summary.json
UNITS = "ohm|hz|db|dbi|dbsm|dbm|deg|m2|w|s|k|seconds|bytes"
HEADERS = {"nlohmann/json.hpp"}  # of libraries
FILE_ENDS = {"csv", "h5", "json", "geo", "toml", "log", "html", "vtkhdf", "md", "py", "hpp", "cpp"}
COLUMN = re.compile(rf"^[a-z][a-z0-9]*(?:_[a-z0-9]+)*_(?:{UNITS})$")


@functools.cache
def repository():
    """Paths of all files, from the root; those of a build are not among them."""
    done = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


def is_there(path):
    if (ROOT / path).exists():
        return True
    return any(fnmatch.fnmatch(name, path) or fnmatch.fnmatch(name, path + "*") for name in repository())


def is_of_others(text, path):
    """Whether the path follows the name of a repository: awslabs/palace docs/src/..."""
    return re.search(rf"[\w-]+/[\w-]+ {re.escape(path)}", text) is not None


def lost_paths():
    """Also of a file that is named without its folder: some file has that name."""
    ends = {"/" + name for name in repository()}
    for page in written():
        if page.name == "CHANGELOG.md":  # tells of files that are gone
            continue
        for number, text, _ in page.lines:
            for path in PATH.findall(re.sub(r"https?://\S+", "", text)):
                if not is_there(path) and not re.search(r"results|[A-Z]{4}", path) and not is_of_others(text, path):
                    yield f"{page.name}:{number}: there is no {path}"
        for number, span in page.spans():
            for name in FILE.findall(span) if len(span.split()) == 1 and not PATH.match(span) else []:
                is_made_up = re.search(r"[A-Z]{4}", name) or name in HEADERS
                if not is_made_up and not any(end.endswith("/" + name) for end in ends):
                    yield f"{page.name}:{number}: no file has the name {name}"


@functools.cache
def keys():
    """Patterns of all keys, in dots: port.*.type of [[port]], mesh.parameters.*"""
    found, topic = set(), ""
    for _, text, _ in Page(ROOT / "docs/reference/keys.md").lines:
        if text.startswith("## "):
            topic = "" if text == "## Top level" else text.strip("# []`") + "."
        elif row := re.match(r"\| `([^`]+)` \|", text):
            found.add((topic + row[1]).replace("[]", ""))
    return found


def topics():
    return {key.split(".")[0] for key in keys()}


def is_key(name):
    """A key or the beginning of one; numbers and names of entries in lists do not count: port.0.type is port.type."""
    parts = [part for part in name.split(".") if not part.isdigit()]
    shorter = [parts] + ([parts[:1] + parts[2:]] if len(parts) > 2 else [])  # material.substrate.epsilon_r
    return any(fnmatch.fnmatch(".".join(way), key) or key.startswith(".".join(way) + ".") for way in shorter for key in keys())


def keys_of(value, path=""):
    """Dotted names of a config."""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from keys_of(inner, f"{path}.{name}" if path else name)
    elif isinstance(value, list) and value and isinstance(value[0], dict):
        for inner in value:
            yield from keys_of(inner, path)
    else:
        yield path


def unknown_keys():
    """Keys in pages and in the commands of measured figures."""
    for path in sorted((ROOT / "docs/measured/data").glob("*.json")):
        for number, text in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            for name in SET.findall(text):
                if not is_key(name) and not PLACEHOLDER.search(name):
                    yield f"{path.relative_to(ROOT)}:{number}: there is no key {name}"
    for page in written():
        if page.name == "CHANGELOG.md":
            continue
        for number, span in page.spans():
            dotted = [span] if DOTTED.match(span) and span.split(".")[0] in topics() and not is_result_path(span) else []
            for name in SET.findall(span) + ([found[1]] if (found := TABLE.match(span)) else []) + dotted:
                if not is_key(name) and not PLACEHOLDER.search(name):
                    yield f"{page.name}:{number}: there is no key {name}"
        for number, text in page.blocks("toml"):
            try:
                config = tomllib.loads(re.sub(r"= *\.\.\..*", "= 0", text))
            except tomllib.TOMLDecodeError as error:
                yield f"{page.name}:{number}: this is no TOML: {error}"
                continue
            yield from (f"{page.name}:{number}: there is no key {name}" for name in keys_of(config) if not is_key(name))


def unknown_configs():
    """Configs behind --new, and those of the tables "configs to start from"."""
    for page in written():
        column = None
        for number, text, is_code in page.lines:
            cells = [cell.strip() for cell in text.strip("|").split("|")] if text.startswith("|") and not is_code else []
            column = None if not cells else cells.index("configs to start from") if "configs to start from" in cells else column
            found = SPAN.findall(cells[column]) if column is not None and len(cells) > column else []
            found += re.findall(r"--new ([a-z]\w+)", text)
            yield from (f"{page.name}:{number}: there is no configs/{name}.toml" for name in found
                        if not (ROOT / "configs" / f"{name}.toml").exists())


@functools.cache
def results():
    """Names of the reference of results and patterns of them: re|im_x is re_x and im_x, # a number, * any name."""
    text = (ROOT / "docs/reference/results.md").read_text(encoding="utf-8").replace("\\|", "|")
    both = {part + name for name in re.findall(r"re\|im(_[\w#*()]+)", text) for part in ("re", "im")}
    return {re.sub("[()]", "", word) for word in both.union(re.findall(r"[\w#*()]+", text))}


@functools.cache
def result_patterns():
    made = [word for word in results() if re.search("[#*]", word) and len(word) > 3]
    return [re.compile(word.replace("#", r"\d+").replace("*", r"\w+")) for word in made]


def is_result(name):
    return name in results() or any(pattern.fullmatch(name) for pattern in result_patterns())


def is_result_path(name):
    """A file, or a member of summary.json: solver.choice."""
    return name.rsplit(".", 1)[-1] in FILE_ENDS or all(is_result(part) for part in name.split("."))


def unknown_columns():
    """Names that end in a unit, and first words behind results., as the files have them."""
    known = {name for key in keys() for name in key.split(".")}
    for page in written():
        if page.name in ("CHANGELOG.md", "CONTRIBUTING.md", "docs/design.md"):
            continue
        for number, span in page.spans():
            for name in re.split(r"[,\s]+", span) if re.fullmatch(r"[\w,\s.]+", span) else []:
                if COLUMN.match(name) and name not in known and not is_result(name):
                    yield f"{page.name}:{number}: no file of results has the name {name}"
            for name in re.findall(r"(?<![\w/.])results\.(\w+)", span):
                if not is_result(name):
                    yield f"{page.name}:{number}: summary.json has no results.{name}"


@functools.cache
def sources():
    """The text that defines the options of programs, and that of each script."""
    texts = [path.read_text(encoding="utf-8") for folder in ("src", "apps") for path in (ROOT / folder).rglob("*.cpp")]
    return "\n".join(texts)


def unknown_options():
    for page in written():
        if page.name == "CHANGELOG.md":
            continue
        for number, span in page.spans():
            for command in re.split(r"&&|;|\|", span.split("  #")[0]):
                words = [word for word in command.split() if not re.fullmatch(r"[A-Z_]+=\S*", word)]
                name = next((w for w in words if w in PROGRAMS or re.fullmatch(r"scripts/[\w-]+|tests/faults/run", w)), None)
                if name is None:
                    continue
                script = ROOT / name
                text = sources() if name in PROGRAMS else script.read_text(encoding="utf-8") if script.is_file() else None
                for option in re.findall(r"(?<!\S)\[?(--[a-z][\w-]+)", " ".join(words[words.index(name):])):
                    if text is not None and option not in text and option.replace("_", "-") not in text:
                        yield f"{page.name}:{number}: {name} has no option {option}"
