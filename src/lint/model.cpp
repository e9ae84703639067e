// SPDX-License-Identifier: BSD-3-Clause
#include "lint/model.hpp"

#include <algorithm>
#include <cmath>

#include "base/constants.hpp"
#include "base/error.hpp"
#include "io/frequency.hpp"
#include "mesh/length_unit.hpp"

namespace curlew::lint {

bool Model::is_sound() const {
  return program.starts_with("fem") && io::has_sound(config);
}

double Model::unit() const {
  if (config.table("mesh").has("unit"))
    return mesh::metres_per_unit(config.table("mesh").get<std::string>("unit"));
  return 1;
}

Model make_model(const io::Config& config, const std::string& program, const mesh::Mesh* mesh) {
  Model model{config.clone(), program, mesh};
  model.speed = speed_of_light;
  const auto analysis = model.config.table("analysis");
  if (text_or(analysis, "type", "driven") == "eigen") {
    if (const auto target = number(analysis, "target")) model.frequencies = {*target};
  } else if (model.config.has("frequency")) {
    model.frequencies = io::frequencies(model.config, io::Lowest::zero);
    std::erase(model.frequencies, 0.0);
  }
  if (model.is_sound())
    for (const auto& material : model.config.tables("material"))
      if (const auto c = scalar(material, "speed_of_sound")) model.speed = std::abs(*c);
  return model;
}

std::optional<Complex> scalar(const io::Config& table, std::string_view key) {
  if (!table.has(key)) return std::nullopt;
  try {
    return table.get<Complex>(key);
  } catch (const InputError&) {
    return std::nullopt;  // a tensor
  }
}

std::optional<double> number(const io::Config& table, std::string_view key) {
  if (!table.has(key) || table.kind(key) != io::Config::Kind::number) return std::nullopt;
  return table.get<double>(key);
}

std::string text_or(const io::Config& table, std::string_view key, const std::string& fallback) {
  return table.has(key) ? table.get<std::string>(key) : fallback;
}

std::vector<std::string> region_names(const io::Config& table, std::string_view key) {
  return table.has(key) ? table.get<std::vector<std::string>>(key) : std::vector<std::string>{};
}

void Extent::add(Vec3<double> p) {
  low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
  high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
}

double Extent::longest() const {
  return std::max({high.x - low.x, high.y - low.y, high.z - low.z});
}

std::vector<Index> nodes_of(const mesh::Mesh& mesh, const std::vector<mesh::Region>& regions,
                            const std::vector<std::string>& names) {
  const bool is_volume = &regions == &mesh.volumes;
  const int count = is_volume ? mesh.nodes_per_cell() : mesh.nodes_per_triangle();
  std::vector<Index> nodes;
  for (const auto& region : regions) {
    if (std::find(names.begin(), names.end(), region.name) == names.end()) continue;
    for (const Index e : region.entities) {
      const Index* first = is_volume ? mesh.cell(e) : mesh.triangle(e);
      nodes.insert(nodes.end(), first, first + count);
    }
  }
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  return nodes;
}

Extent extent_of(const mesh::Mesh& mesh, const std::vector<Index>& nodes) {
  Extent extent;
  for (const Index n : nodes) extent.add(mesh.nodes[std::size_t(n)]);
  return extent;
}

Extent extent_of(const mesh::Mesh& mesh) {
  Extent extent;
  for (const auto& node : mesh.nodes) extent.add(node);
  return extent;
}

double distance(const mesh::Mesh& mesh, const std::vector<Index>& a, const std::vector<Index>& b) {
  constexpr std::size_t most = 3000;
  const std::size_t step_a = 1 + a.size() / most, step_b = 1 + b.size() / most;
  double least = INFINITY;
  for (std::size_t i = 0; i < a.size(); i += step_a)
    for (std::size_t j = 0; j < b.size(); j += step_b)
      least = std::min(least, norm(mesh.nodes[std::size_t(a[i])] - mesh.nodes[std::size_t(b[j])]));
  return least;
}

}  // namespace curlew::lint
