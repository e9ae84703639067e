// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Groups of elements in a Gmsh mesh of version 2, where each element has its own: Gmsh 3 and later have
// groups of entities only, and give a group all elements of an elementary tag that one of its elements has.

#include <cstddef>
#include <map>
#include <string>
#include <utility>

namespace curlew::mesh {

struct MshGroups {
  /// A text in which no elementary tag has elements of two groups; empty if that holds for the file.
  std::string text;
  /// Elements of each group, by dimension and number; those of dimension 2 and 3.
  std::map<std::pair<int, int>, std::size_t> counts;
};

/// @param text of a .msh file, only version 2 is processed
/// @param name of the file, for messages
/// @throws InputError if its elements cannot be read
MshGroups separate_groups(const std::string& text, const std::string& name);

}  // namespace curlew::mesh
