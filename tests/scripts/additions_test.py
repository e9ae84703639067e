#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Adding a boundary condition, a port, a preconditioner, an output or a program touches few source files: those which name one
that is there, and the schema with its words and keys.

Usage: additions_test.py SOURCE
"""
import pathlib
import re
import sys
import unittest

SOURCE = pathlib.Path(sys.argv.pop(1)).resolve()


def sources():
    files = [path for folder in ("src", "apps") for path in (SOURCE / folder).rglob("*") if path.suffix in (".cpp", ".hpp", ".cu", ".cuh")]
    return {path.relative_to(SOURCE).as_posix(): re.sub(r"//.*", "", path.read_text(encoding="utf-8")) for path in files}


class Additions(unittest.TestCase):
    text = sources()

    def expect_few(self, header, pattern, schema, most, scope=""):
        """@param pattern of the declarations in a header @param schema the file of keys @param scope before the names elsewhere"""
        names = re.findall(pattern, self.text[header])
        self.assertGreaterEqual(len(names), 3, header)
        for name in names:
            files = [header, schema, *(file for file, text in self.text.items()
                     if file != header and name in text and re.search(rf"\b{scope}{name}\b", text))]
            self.assertGreaterEqual(len(files), 4, f"{name}: {files}")
            self.assertLessEqual(len(files), most, f"{name}: {files}")

    def test_boundary_condition(self):
        self.expect_few("src/fem/conditions/kinds.hpp", r"ConditionPtr (read_\w+)\(", "src/io/schema/boundary.cpp", 4)

    def test_port(self):
        self.expect_few("src/fem/ports/kinds.hpp", r"void (read_\w+)\(", "src/io/schema/port.cpp", 4)

    def test_preconditioner(self):
        self.expect_few("src/linalg/krylov/preconditioner_kinds.hpp", r"extern const PreconditionerKind (\w+)", "src/io/schema/solver.cpp", 4)

    def test_program(self):
        """Beside what it computes, which has a folder."""
        self.expect_few("src/programs/programs.hpp", r"int (\w+)\(int argc", "src/io/schema/key.hpp", 5, "programs::")

    def test_output(self):
        """A column of ports.csv: where it is written and where it is declared; what computes and draws it is apart."""
        files = [file for file, text in self.text.items() if "group_delay" in text and re.match("src/(results|io)/", file)]
        self.assertIn("src/results/port_table.cpp", files)
        self.assertLessEqual(len(files), 3, files)


if __name__ == "__main__":
    unittest.main()
