# SPDX-License-Identifier: BSD-3-Clause
"""Licence texts of the libraries that a package carries: each has that of the Debian package it is from."""
import pathlib
import re
import shutil
import subprocess

HEAD = """curlew is under the BSD 3-Clause licence (copyright). em-mesh links Gmsh, which is under the GNU General Public License,
version 2 or later: em-mesh with Gmsh is passed on under that licence. No other program, nor the library of curlew, loads Gmsh.

Each library below is carried as Debian built it. Its licence is the file licences/PACKAGE; its source, of the version that
is named, comes by `apt-get source SOURCE=VERSION` on Debian, Gmsh's too, and from the archive snapshot of Debian.

"""


def debian_package(library: pathlib.Path) -> tuple:
    """(package, version, source package) that a library belongs to. @raises SystemExit if dpkg knows none"""
    for path in (library, pathlib.Path("/", *library.parts[2:])):  # /usr/lib is /lib on a merged system
        found = subprocess.run(["dpkg-query", "-S", path], capture_output=True, text=True)
        if found.returncode == 0:
            package = re.split(r":(?: |amd64)", found.stdout.split(",")[0])[0]
            shown = subprocess.run(["dpkg-query", "-W", "-f=${Version} ${source:Package}\n", package], capture_output=True,
                                   text=True, check=True)
            return (package, *shown.stdout.splitlines()[0].split())
    raise SystemExit(f"package: no Debian package holds {library}: its licence is not known")


def write_licences(folder: pathlib.Path, libraries: dict):
    """THIRD-PARTY.txt and licences/PACKAGE in `folder`, where `copyright` is our own.

    libraries: {name in the package: path on this machine}
    """
    (folder / "licences").mkdir(parents=True, exist_ok=True)
    lines = []
    for name, path in sorted(libraries.items()):
        package, version, source = debian_package(pathlib.Path(path).resolve())
        shutil.copy(f"/usr/share/doc/{package}/copyright", folder / "licences" / package)
        lines.append(f"{name}: {package} {version}, source {source}\n")
    common = pathlib.Path("/usr/share/common-licenses")  # which the texts of Debian refer to
    for text in common.iterdir():
        if not text.is_symlink():
            shutil.copy(text, folder / "licences" / f"{text.name}.txt")
    (folder / "THIRD-PARTY.txt").write_text(HEAD + "".join(lines))
