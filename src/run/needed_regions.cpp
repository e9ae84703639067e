// SPDX-License-Identifier: BSD-3-Clause
#include "run/needed_regions.hpp"

#include <set>

#include "mesh/surround.hpp"

namespace curlew::run {
namespace {

struct Place {
  const char *tables, *key, *kind;
};

constexpr Place places[] = {
    {"material", "region", "volume"},     {"boundary", "region", "surface"},
    {"port", "region", "surface"},        {"excitation", "region", "volume"},
    {"probe", "region", "surface"},       {"pml", "region", "volume"},
    {"pml", "around", "surface"},         {"periodic", "primary", "surface"},
    {"periodic", "secondary", "surface"},
};

/// Names that need not exist in the geometry.
class MadeLater {
 public:
  MadeLater(const io::Config& config, bool is_surrounded) {
    const mesh::Surround made;
    if (is_surrounded) names_ = {made.volume, made.inner, made.outer};
    for (const auto& table : config.tables("pml")) grows_ = grows_ || table.has("around");
  }
  bool has(const std::string& name) const {
    return name.find_first_of("*?[") != std::string::npos || names_.contains(name) ||
           (grows_ && name.starts_with("layer"));
  }

 private:
  std::set<std::string> names_;
  bool grows_ = false;
};

}  // namespace

std::vector<NeededRegion> needed_regions(const io::Config& config, mesh::MeshUse use, bool is_surrounded) {
  const MadeLater later(config, is_surrounded);
  // Surface equations use the surfaces of volumes, and meshes around a body omit metal volumes.
  const bool is_either = use == mesh::MeshUse::surfaces || is_surrounded;
  std::vector<NeededRegion> needed;
  for (const auto& [tables, key, kind] : places)
    for (const auto& table : config.tables(tables)) {
      if (!table.has(key)) continue;
      for (const auto& name : table.get<std::vector<std::string>>(key))
        if (!name.empty() && !later.has(name))
          needed.push_back({is_either ? "region" : kind, name, table, key});
    }
  return needed;
}

}  // namespace curlew::run
