// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Surfaces with triangles of their own, where regions of a geometry share some.

#include <optional>
#include <span>
#include <string>

#include "mesh/mesh.hpp"

namespace curlew::mesh {

/// The mesh with surfaces that have no triangle in common: what "a" and "b" share is a surface "a & b". Empty
/// if none share any. @param whole surfaces that keep all their triangles, which others lose
std::optional<Mesh> with_disjoint_surfaces(const Mesh& mesh, std::span<const std::string> whole);

/// Whether a surface is the named one, or what it shares with others.
bool is_part_of(const std::string& surface, const std::string& name);

}  // namespace curlew::mesh
