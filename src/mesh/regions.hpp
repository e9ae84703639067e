// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Regions of a mesh by their names, and the nodes and edges of their triangles.

#include <span>
#include <string>
#include <vector>

#include "mesh/mesh.hpp"

namespace curlew::mesh {

std::vector<std::string> names_of(const std::vector<Region>& regions);

/// @return null if there is none of this name
const Region* find_region(const std::vector<Region>& regions, const std::string& name);

/// Name of the volume that has a cell; empty if none has.
std::string volume_of(const Mesh& mesh, Index cell);

/// @throws InputError with the existing names
const Region& volume_named(const Mesh& mesh, const std::string& name);
const Region& surface_named(const Mesh& mesh, const std::string& name);
/// The message of both. @param kind "volume" or "surface"
std::string no_region(const Mesh& mesh, const char* kind, const std::string& name);

/// Triangles of some surfaces, surface by surface. @throws InputError for an unknown name
std::vector<Index> triangles_of(const Mesh& mesh, std::span<const std::string> surfaces);

/// Vertices of some triangles, each once, ascending; with the middles of their edges if they are curved.
std::vector<Index> nodes_of(const Mesh& mesh, std::span<const Index> triangles);
/// Without the middles.
std::vector<Index> vertices_of(const Mesh& mesh, std::span<const Index> triangles);

/// Mean distance of the ends of the triangles' edges; an edge of two triangles counts twice [m].
double mean_edge(const Mesh& mesh, std::span<const Index> triangles);

}  // namespace curlew::mesh
