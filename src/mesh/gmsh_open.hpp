// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Opens geometries and meshes in Gmsh, with their parameters and in the unit of the user's numbers.

#include <map>
#include <string>
#include <vector>

#include "mesh/gmsh_import.hpp"
#include "mesh/gmsh_session.hpp"

namespace curlew::mesh {

enum class FileKind { script, mesh, foreign, step, brep };

/// By the ending. @throws InputError if it is not one of a geometry or mesh
FileKind kind_of(const std::string& path);
/// Cells or triangles are in the file.
bool is_finished(FileKind kind);

/// @throws InputError if there is no such file, or an option is not possible for it
void check_file(const std::string& path, FileKind kind, const ImportOptions& options);
/// Reads a file that has been checked. @throws InputError as import_gmsh
void open_file(GmshSession& session, const std::string& path, FileKind kind, const ImportOptions& options);

/// -setnumber name value ...: start arguments of a session with these parameters.
std::vector<std::string> number_arguments(const std::map<std::string, double>& parameters);
/// Reads a .geo with its parameters. @throws InputError as import_gmsh, and for other files
void open_geometry(GmshSession& session, const std::string& path, const ImportOptions& options);

}  // namespace curlew::mesh
