#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Each check of scripts/check-docs on a page with its fault and on one without; scripts/release on texts made for it.

usage: docs_checks_test.py SOURCE_DIR
"""
import pathlib
import re
import runpy
import sys
import tempfile
import tomllib

import yaml

SOURCE = pathlib.Path(sys.argv[1]).resolve()
sys.path.insert(0, str(SOURCE / "scripts"))
from docs_checks import layout, names, pages, symbols, words  # noqa: E402

# (check, page with the fault, the same page in order)
CASES = [
    (names.lost_paths, "see `src/nowhere/at_all.cpp`", "see `src/base/complex.hpp`"),
    (names.lost_paths, "see `no_such_file.hpp`", "see `complex.hpp`"),
    (names.unknown_keys, "`fem-solve a.toml --set solver.metod=gmres`", "`fem-solve a.toml --set solver.method=gmres`"),
    (names.unknown_keys, "```toml\n[solver]\ntolerence = 1\n```", "```toml\n[solver]\ntolerance = 1\n```"),
    (names.unknown_keys, "```toml\n[[port]]\nregion = 1.2.3\n```", "```toml\n[[port]]\nregion = \"a\"\n```"),
    (names.unknown_keys, "`[solvers]`", "`[solver]`"),
    (names.unknown_keys, "the key `solver.expert.grupp`", "the key `solver.expert.group`, `solver.choice` of the summary"),
    (names.unknown_columns, "`re_z_in_ohm`", "`re_input_impedance_ohm`"),  # stood in a page for weeks
    (names.unknown_columns, "`results.s2_1_db_top`", "`results.s2_1_db_max`"),
    (names.unknown_options, "`fem-solve a.toml --dryrun`", "`fem-solve a.toml --dry-run`"),
    (names.unknown_options, "`scripts/measured --chek`", "`scripts/measured --check`"),
    (names.unknown_configs, "`fem-solve --new iriss`", "`fem-solve --new iris`"),
    (names.unknown_configs, "| configs to start from |\n|---|\n| `iriss` |", "| configs to start from |\n|---|\n| `iris` |"),
    (symbols.unknown_symbols, "`fem::RowShair`", "`fem::RowShare`"),
    (symbols.unknown_symbols, "`no_such_thing_test`", "`mesh_test`"),
    (symbols.unknown_symbols, "CURLEW_NO_SUCH", "CURLEW_STOP_AT"),
    (layout.broken_links, "[a](nowhere.md)", "[a](https://example.org/nowhere.md)"),
    (layout.broken_links, "# A\n\n[a](#b)", "# A\n\n[a](#a)"),
    (layout.lines_too_long, "word " * 40, "| word " * 40),
    (layout.items_too_long, "- a\n" + "  more\n" * 5, "- a\n" + "  more\n" * 4),
    (layout.broken_tables, "| a |\n|---|\n| 1 |\n\n| 2 |", "| a |\n|---|\n| 1 |\n| 2 |"),
    (layout.wrong_headings, "# A\n\n### B", "# A\n\n## B"),
    (layout.wrong_headings, "# A\n\n## B\n\n## B", "# A\n\n## B\n\n## C"),
    (layout.too_large, "word " * 3, "word"),
    (words.in_pages, "factors dealt\nout to all", "factors distributed to all"),
    (words.in_pages, "by kept directions", "by `kept_directions`"),
    (words.undefined_bars, "the bar of S", "the error bar of S; a bar"),
]


def found(check, text, folder):
    page = pathlib.Path(folder) / "made.md"
    page.write_text(text + "\n", encoding="utf-8")
    made = [pages.Page(page)]
    for module in (names, symbols, layout, words):
        module.written = lambda: made
    layout.pages = lambda: made
    layout.CEILINGS = [("made.md", "bytes", 10)]
    return list(check())


def packaging_faults(version):
    """Faults of the recipe and the container file, which have not been run: form, version, licence, names of files."""
    folder = SOURCE / "scripts/packaging"
    recipe = yaml.safe_load((folder / "recipe.yaml").read_text(encoding="utf-8"))
    licence = tomllib.loads((SOURCE / "python/pyproject.toml").read_text(encoding="utf-8"))["project"]["license"]
    if recipe["package"]["version"] != version:
        yield f"recipe.yaml: version {recipe['package']['version']}, CMakeLists.txt has {version}"
    if recipe["about"]["license"] != licence:
        yield f"recipe.yaml: licence {recipe['about']['license']}, pyproject.toml has {licence}"
    for path in (recipe["source"]["path"] + "/CMakeLists.txt", recipe["source"]["path"] + "/" + recipe["about"]["license_file"]):
        if not (folder / path).exists():
            yield f"recipe.yaml: {path} does not exist"
    setup = (SOURCE / "scripts/setup").read_text(encoding="utf-8")
    for package in recipe["requirements"]["host"]:  # Debian has most under the same name, with lib and -dev
        if package.replace("_", "-").replace("openblas", "openblas-dev") not in setup.replace("libgmsh-dev", "gmsh"):
            yield f"recipe.yaml: {package} is not among what scripts/setup installs"
    known = {"FROM", "COPY", "WORKDIR", "RUN", "CMD"}
    for line in (folder / "Containerfile").read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#") and line.split()[0] not in known:
            yield f"Containerfile: {line!r} begins with none of {sorted(known)}"
        for script in re.findall(r"scripts/\w+", line):
            if not (SOURCE / script).exists():
                yield f"Containerfile: {script} does not exist"


def main():
    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        for check, fault, right in CASES:
            if len(found(check, fault, folder)) != 1 or found(check, right, folder):
                wrong.append(f"{check.__name__}: {found(check, fault, folder)} of {fault!r}, {found(check, right, folder)} of {right!r}")
    if list(words.broken("// A comment that ends\n// too early.\n// A sentence.\n// @param x\n")) != [1]:
        wrong.append("broken: a comment that is broken in mid-phrase is not found, or others are")
    release = runpy.run_path(str(SOURCE / "scripts/release"), run_name="tried")
    changelog = "# Changelog\n\n## Unreleased\n\n## Version 1.2.3 (2026-12-01)\n\n- news\n\n## Version 1.2.2 (2026-11-01)\n\n- old\n"
    texts = (changelog, "project(curlew VERSION 1.2.3 DESCRIPTION", "version: 1.2.3\ndate-released: 2026-12-01\n")
    if release["section"](changelog, "Version 1.2.3") != "- news":
        wrong.append("release: the notes are not the section of the version")
    if faults := list(release["faults"]("1.2.3", *texts)):
        wrong.append(f"release: {faults} of texts in order")
    if len(list(release["faults"]("1.2.4", *texts))) != 3:
        wrong.append(f"release: {list(release['faults']('1.2.4', *texts))} of texts of another version")
    version = re.search(r"project\(curlew VERSION (\S+)", (SOURCE / "CMakeLists.txt").read_text(encoding="utf-8"))[1]
    for name, line in {"CITATION.cff": f"version: {version}\n", "CHANGELOG.md": f"Version {version}"}.items():
        if line not in (SOURCE / name).read_text(encoding="utf-8"):
            wrong.append(f"{name}: does not say version {version}, as CMakeLists.txt does")
    wrong += packaging_faults(version)
    print("\n".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
