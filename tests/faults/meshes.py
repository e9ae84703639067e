# SPDX-License-Identifier: BSD-3-Clause
"""Damaged meshes, of em-mesh and of other programs."""
import pathlib
import random
import shutil
import subprocess
import sys

import h5py
import numpy as np

from faults.processes import Lost, ended
from faults.results import not_finite


def damage(file, numbers):
    """Puts one error into a sound mesh. @return its description"""
    nodes, rows = file["nodes"], file["cells" if len(file["cells"]) > 0 else "triangles"]
    node, row, corner = numbers.randrange(len(nodes)), numbers.randrange(len(rows)), numbers.randrange(rows.shape[1])
    kinds = [group for group in ("volumes", "surfaces") if len(file[group]) > 0]
    group = file[numbers.choice(kinds)]
    region = group[numbers.choice(list(group))]
    choice = numbers.randrange(14)
    odd = [np.nan, np.inf, -np.inf, 1e300, -1e300, 1e-300, 0.0]
    if choice < 3:
        nodes[node, numbers.randrange(3)] = numbers.choice(odd)
    elif choice == 3:
        nodes[node] = nodes[numbers.randrange(len(nodes))]
    elif choice == 4:
        nodes[node] = nodes[node] + 10.0 ** numbers.uniform(-9, 3)
    elif choice == 5:
        values = rows[row]
        values[corner] = numbers.choice([-1, len(nodes), 2**31 - 1, -2**31, values[0], numbers.randrange(len(nodes))])
        rows[row] = values
    elif choice == 6:
        rows[row] = rows[numbers.randrange(len(rows))]
    elif choice == 7:
        values = rows[row]
        rows[row] = values[::-1]
    elif choice == 8:
        values = rows[row]
        values[corner] = numbers.randrange(len(nodes))
        rows[row] = np.sort(values)
    elif choice == 9:
        values = region[()]
        if len(values) > 0:
            values[numbers.randrange(len(values))] = numbers.choice([-1, 2**31 - 1, len(rows), 0])
            region[...] = values
    elif choice == 10:
        region.attrs["name"] = numbers.choice(["", "air", "walls", "ü\n", "x" * 300])
    elif choice == 11:
        name = region.name
        del file[name]
    elif choice == 12:
        scale = numbers.choice([1e-30, 1e-12, 1e12, 1e30, 1e200, -1.0, 0.0])
        nodes[...] = nodes[()] * scale
    else:
        keep = numbers.randrange(1, len(rows))
        values, name = rows[:keep], rows.name
        del file[name]
        file[name] = values
    return choice


def damaged_meshes(shop, count):
    numbers = random.Random(shop.seed)
    programs = {"fem-solve": "guide", "fem-assemble": "guide", "fe-iiee": "ball", "ie-solve": "skin"}
    statuses, lost = {}, []
    for number in range(count):
        program, name = numbers.choice(list(programs.items()))
        shutil.copy(shop.folder / f"{name}.h5", shop.folder / "damaged.h5")
        kinds = []
        try:
            with h5py.File(shop.folder / "damaged.h5", "r+") as file:
                for _ in range(numbers.choice([1, 1, 1, 2, 3])):
                    kinds.append(damage(file, numbers))
        except (KeyError, ValueError, IndexError):
            pass  # a second damage that does not fit the first: the first one stays
        place = shop.place(program)
        try:
            result = shop.run(program, place, "--set", "mesh.file=damaged.h5")
            shop.require_sound(program, place, result, {0, 1, 2, 3})
            if result.returncode == 0 and (bad := not_finite(place)):
                raise Lost(f"not a number in {bad}")
            statuses[result.returncode] = statuses.get(result.returncode, 0) + 1
        except Lost as error:
            lost.append(f"mesh {number} ({program}, damage {kinds}): {error}")
            shutil.copy(shop.folder / "damaged.h5", f"lost_mesh_{number}.h5")
            print(lost[-1], file=sys.stderr, flush=True)
        shutil.rmtree(place.parent)
    print(f"\ndamaged meshes: {count} runs, {len(lost)} lost; statuses "
          + ", ".join(f"{k}: {v}" for k, v in sorted(statuses.items())))
    return lost


CORNERS = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
FACES = [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)]


def foreign_meshes():
    """A tetrahedron in every text format that em-mesh takes."""
    row = " ".join
    points = [row(map(str, corner)) for corner in CORNERS]
    facets = "".join("facet normal 0 0 1\nouter loop\n" + "".join(f"vertex {points[i]}\n" for i in face)
                     + "endloop\nendfacet\n" for face in FACES)
    nodes = "".join(f"{i + 1} {text} 0\n" for i, text in enumerate(points))
    return {
        "a.stl": f"solid a\n{facets}endsolid a\n",
        "a.ply": "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\n"
                 "element face 4\nproperty list uchar int vertex_indices\nend_header\n"
                 + "".join(f"{text}\n" for text in points) + "".join(f"3 {row(map(str, face))}\n" for face in FACES),
        "a.bdf": "BEGIN BULK\n" + "".join(f"GRID,{i + 1},,{x}.,{y}.,{z}.\n" for i, (x, y, z) in enumerate(CORNERS))
                 + "CTETRA,1,5,1,2,3,4\nCTRIA3,3,9,1,2,3\nENDDATA\n",
        "a.unv": "    -1\n  2411\n" + "".join(f"{i + 1:10}{1:10}{1:10}{11:10}\n" + "".join(f"{float(x):25.16E}" for x in corner)
                 + "\n" for i, corner in enumerate(CORNERS)) + "    -1\n    -1\n  2412\n"
                 + f"{1:10}{111:10}{5:10}{1:10}{7:10}{4:10}\n{1:10}{2:10}{3:10}{4:10}\n    -1\n",
        "a.mesh": f"MeshVersionFormatted 2\nDimension 3\nVertices\n4\n{''.join(line[2:] + chr(10) for line in nodes.splitlines())}"
                  "Triangles\n4\n" + "".join(f"{row(str(i + 1) for i in face)} 9\n" for face in FACES)
                  + "Tetrahedra\n1\n1 2 3 4 5\nEnd\n",
        "a.msh": "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n1\n3 5 \"air\"\n$EndPhysicalNames\n$Nodes\n4\n"
                 + "".join(f"{line.rpartition(' ')[0]}\n" for line in nodes.splitlines())
                 + "$EndNodes\n$Elements\n1\n1 4 2 5 5 1 2 3 4\n$EndElements\n"}


def changed_text(text, numbers):
    """Changes one to three words, lines or letters of it."""
    odd = ["-1", "0", "2147483648", "99999999999999999999", "1e308", "nan", "inf", "", "x" * 3000, "\0", "1e-320", "4294967297"]
    for _ in range(numbers.choice([1, 1, 1, 2, 3])):
        lines = text.split("\n")
        at = numbers.randrange(len(lines))
        choice = numbers.randrange(6)
        if choice < 3:
            separator = "," if "," in lines[at] else " "
            words = lines[at].split(separator)
            words[numbers.randrange(len(words))] = numbers.choice(odd)
            lines[at] = separator.join(words)
        elif choice == 3:
            lines = lines[:at] + lines[at + 1:]
        elif choice == 4:
            lines[at:at] = numbers.sample(lines, min(len(lines), numbers.randrange(1, 4)))
        else:
            lines = lines[:at]
        text = "\n".join(lines)
        if numbers.randrange(4) == 0 and text:
            at = numbers.randrange(len(text))
            text = text[:at] + chr(numbers.randrange(256)) + text[at + 1:]
    return text


def damaged_foreign_meshes(shop, count):
    """Each mesh that is taken is sound, and the others are refused by a line."""
    numbers, sound, lost, statuses = random.Random(shop.seed), foreign_meshes(), [], {}
    for name, text in sound.items():
        (shop.folder / name).write_text(text)
        shop.finish("em-mesh", [name, "--unit", "m", "-o", "sound.h5"])
    for number in range(count):
        name = numbers.choice(list(sound))
        content = changed_text(sound[name], numbers).encode("latin-1")
        (shop.folder / name).write_bytes(content)
        place = shop.place("em-mesh")
        try:
            process = subprocess.Popen([shop.binaries / "em-mesh", name, "--unit", "m", "--time-limit", "60", "-o", place, "-q"],
                                       cwd=shop.folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                                       errors="replace", env=shop.environment)
            result = ended(process)
            shop.require_sound("em-mesh", place, result, {0, 2, 3})
            if result.returncode == 0 and (bad := not_finite(place.parent)):
                raise Lost(f"not a number in {bad}")
            statuses.setdefault(name[2:], {}).setdefault(result.returncode, []).append(number)
        except Lost as error:
            lost.append(f"mesh {number} ({name}): {error}")
            pathlib.Path(f"lost_{number}_{name}").write_bytes(content)
            print(lost[-1], file=sys.stderr, flush=True)
        shutil.rmtree(place.parent)
    print("| format | runs | taken | refused, status 2 | for lack of memory or time | lost |\n|---|---|---|---|---|---|")
    for name in sound:
        cells = [len(statuses.get(name[2:], {}).get(status, [])) for status in (0, 2, 3)]
        bad = sum(f"({name})" in text for text in lost)
        print(f"| `.{name[2:]}` | {sum(cells) + bad} | " + " | ".join(map(str, cells)) + f" | {bad} |")
    return lost
