// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// PROGRAM --new KIND: a config of the suite with its geometry, to start from.

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace curlew::run {

struct TemplateFile {
  std::string_view name;  ///< "horn.toml", "horn.geo"
  std::string_view text;
};
/// Every file of configs/ and meshes/.
std::span<const TemplateFile> template_files();

/// The program of a config, recognised by tables that only one program has.
std::string_view program_of(std::string_view text);

/// Kinds that a program has, each with the title of its config: "horn  Pyramidal horn".
std::vector<std::pair<std::string, std::string>> template_kinds(std::string_view program);

/// Writes the config and the files that it names into a folder.
/// @param kind a name of template_kinds, or the beginning of one
/// @return names of the files, the config first
/// @throws InputError for another kind, with the list, or if a file exists already
std::vector<std::string> write_template(std::string_view program, const std::string& kind,
                                        const std::string& folder);

}  // namespace curlew::run
