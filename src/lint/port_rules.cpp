// SPDX-License-Identifier: BSD-3-Clause
// Ports: modes that travel or not, steps of the guide next to them, gaps that are too long.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "base/constants.hpp"
#include "base/hertz.hpp"
#include "lint/rules.hpp"
#include "mesh/finished.hpp"
#include "mesh/regions.hpp"

namespace curlew::lint {
namespace {

/// A hollow guide's face of one medium: a full rectangle or a full circle.
struct Guide {
  bool is_circle;
  double a, b;   ///< [m] longer and shorter side; for a circle the diameter
  double index;  ///< refractive

  double cutoff(double lambda_c) const { return speed_of_light / (index * lambda_c); }
  /// [Hz] of TE10, or TE11. Pozar (2012), Microwave Engineering, 4th ed., tables 3.2 to 3.4.
  double first() const { return cutoff(is_circle ? pi * a / 1.8412 : 2 * a); }
  double second() const { return is_circle ? cutoff(pi * a / 2.4048) : std::min(cutoff(a), cutoff(2 * b)); }
};

struct Face {
  Vec3<double> normal, corner;
  double area = 0;
  Extent extent;
};

Vec3<double> area_vector(const mesh::Mesh& mesh, const Index* t) {
  return 0.5 * cross(mesh.nodes[std::size_t(t[1])] - mesh.nodes[std::size_t(t[0])],
                     mesh.nodes[std::size_t(t[2])] - mesh.nodes[std::size_t(t[0])]);
}

/// Empty for a surface that is not plane or not in the mesh.
std::optional<Face> face_of(const mesh::Mesh& mesh, const std::string& name) {
  const auto* region = mesh::find_region(mesh.surfaces, name);
  if (region == nullptr || region->entities.empty()) return std::nullopt;
  Face face;
  face.normal = normalized(area_vector(mesh, mesh.triangle(region->entities[0])));
  for (const Index t : region->entities) {
    const auto area = area_vector(mesh, mesh.triangle(t));
    if (norm(cross(area, face.normal)) > 1e-6 * norm(area)) return std::nullopt;
    face.area += norm(area);
  }
  face.corner = mesh.nodes[std::size_t(mesh.triangle(region->entities[0])[0])];
  face.extent = extent_of(mesh, nodes_of(mesh, mesh.surfaces, {name}));
  return face;
}

using Edge = std::pair<Index, Index>;

std::array<Edge, 3> edges_of(const Index* t) {
  return {Edge(std::minmax(t[0], t[1])), Edge(std::minmax(t[1], t[2])), Edge(std::minmax(t[2], t[0]))};
}

/// The face is empty: it has no hole, and edges of surfaces of [[boundary]] only on its outline. A conductor
/// there lets a TEM mode travel.
bool is_hollow(const Model& model, const std::string& name) {
  const mesh::Mesh& mesh = *model.mesh;
  std::set<Index> nodes;
  std::map<Edge, int> edges;  // triangles of the face at each
  const auto& triangles = mesh::find_region(mesh.surfaces, name)->entities;
  for (const Index t : triangles) {
    nodes.insert(mesh.triangle(t), mesh.triangle(t) + 3);
    for (const Edge& edge : edges_of(mesh.triangle(t))) ++edges[edge];
  }
  if (long(nodes.size()) - long(edges.size()) + long(triangles.size()) != 1) return false;  // Euler: a disc
  for (const auto& boundary : model.config.tables("boundary"))
    for (const auto& region : region_names(boundary))
      if (const auto* surface = mesh::find_region(mesh.surfaces, region))
        for (const Index t : surface->entities)
          for (const Edge& edge : edges_of(mesh.triangle(t)))
            if (const auto found = edges.find(edge); found != edges.end() && found->second == 2) return false;
  return true;
}

/// Names of the volumes that share a face with the surface, not only an edge.
std::vector<std::string> volumes_at(const mesh::Mesh& mesh, const std::string& surface) {
  const auto nodes = nodes_of(mesh, mesh.surfaces, {surface});
  std::vector<std::string> names;
  for (const auto& volume : mesh.volumes) {
    const bool touches = std::any_of(volume.entities.begin(), volume.entities.end(), [&](Index c) {
      const Index* n = mesh.cell(c);
      return std::count_if(n, n + 4,
                           [&](Index i) { return std::binary_search(nodes.begin(), nodes.end(), i); }) >= 3;
    });
    if (touches) names.push_back(volume.name);
  }
  return names;
}

/// Refractive index of the material that fills a volume, if it is a plain number.
std::optional<double> index_of(const Model& model, const std::string& volume) {
  for (const auto& material : model.config.tables("material")) {
    const auto names = region_names(material);
    if (std::find(names.begin(), names.end(), volume) == names.end()) continue;
    if (material.has("model") || material.has("table")) return std::nullopt;
    const auto epsilon = material.has("epsilon_r") ? scalar(material, "epsilon_r") : Complex(1);
    const auto mu = material.has("mu_r") ? scalar(material, "mu_r") : Complex(1);
    if (!epsilon || !mu) return std::nullopt;
    return std::sqrt(std::abs(epsilon->real() * mu->real()));
  }
  return 1.0;
}

/// The rectangle or circle of a face; empty for other shapes and mixed fillings.
std::optional<Guide> guide_of(const Model& model, const io::Config& port) {
  if (text_or(port, "type", "waveguide") != "waveguide" || model.frequencies.empty()) return std::nullopt;
  const auto name = text_or(port, "region", "");
  const auto face = face_of(*model.mesh, name);
  const auto volumes = volumes_at(*model.mesh, name);
  if (!face || volumes.size() != 1 || !is_hollow(model, name)) return std::nullopt;
  const auto index = index_of(model, volumes[0]);
  if (!index) return std::nullopt;
  const Vec3<double> d = face->extent.high - face->extent.low;
  std::array sides{d.x, d.y, d.z};
  std::sort(sides.begin(), sides.end());
  const double a = sides[2], b = sides[1], filled = face->area / (a * b);
  const bool is_circle = std::abs(a - b) < 0.02 * a && std::abs(filled - pi / 4) < 0.03;
  if (!is_circle && std::abs(filled - 1) > 0.01) return std::nullopt;
  return Guide{is_circle, a, b, *index};
}

/// Distances [m] along the face's normal to the nodes of a volume in line with the face.
std::vector<double> distances_in_line(const mesh::Mesh& mesh, const Face& face, const std::string& volume) {
  const double slack = 1e-6 * face.extent.longest();
  const Vec3<double> low = face.extent.low, high = face.extent.high;
  const auto between = [&](double a, double x, double b) { return a - slack <= x && x <= b + slack; };
  std::vector<double> distances;
  for (const Index n : nodes_of(mesh, mesh.volumes, {volume})) {
    const auto p = mesh.nodes[std::size_t(n)];
    const double away = dot(p - face.corner, face.normal);
    const auto foot = p - away * face.normal;
    if (between(low.x, foot.x, high.x) && between(low.y, foot.y, high.y) && between(low.z, foot.z, high.z))
      distances.push_back(away);
  }
  return distances;
}

/// [m] the least of them on the guide's side of its face.
double distance_behind(const mesh::Mesh& mesh, const Face& face, const std::vector<std::string>& guide,
                       const std::string& volume) {
  double side = 0;
  if (guide.size() == 1)  // else there may be guides on both sides
    for (const double d : distances_in_line(mesh, face, guide[0])) side += d;
  double least = INFINITY;
  for (const double d : distances_in_line(mesh, face, volume))
    if (d * side >= 0) least = std::min(least, std::abs(d));
  return least;
}

/// Whether a plane of symmetry may cut the guide.
bool is_cut(const Model& model) {
  for (const auto& boundary : model.config.tables("boundary"))
    if (text_or(boundary, "type", "") == "pmc") return true;
  return model.config.has("symmetry") || model.config.table("truncation").has("symmetry");
}

}  // namespace

void evanescent_port(const Model& model, Findings& found) {
  if (is_cut(model)) return;
  for (const auto& port : model.config.tables("port")) {
    const auto guide = guide_of(model, port);
    if (!guide || model.frequencies.front() >= guide->first()) continue;
    const bool all = model.frequencies.back() < guide->first();
    found.add(port, "region",
              fmt::format("no mode of this guide travels {}: its cut-off is {} (check frequency in Hz, "
                          "and mesh.unit)",
                          all ? "at any of the frequencies" : "at " + hertz(model.frequencies.front(), 5),
                          hertz(guide->first(), 5)));
  }
}

void second_mode(const Model& model, Findings& found) {
  if (is_cut(model)) return;
  for (const auto& port : model.config.tables("port")) {
    const auto guide = guide_of(model, port);
    if (!guide || number(port, "modes").value_or(1) > 1 || model.frequencies.back() <= guide->second())
      continue;
    found.add(port, "modes",
              fmt::format("from {} on a second mode travels in this guide, but S contains one: set modes = 2",
                          hertz(guide->second(), 5)));
  }
}

void port_near_step(const Model& model, Findings& found) {
  for (const auto& port : model.config.tables("port")) {
    if (text_or(port, "type", "waveguide") != "waveguide") continue;
    const auto name = text_or(port, "region", "");
    const auto face = face_of(*model.mesh, name);
    if (!face) continue;
    const auto here = volumes_at(*model.mesh, name);
    for (const auto& volume : model.mesh->volumes) {
      if (std::find(here.begin(), here.end(), volume.name) != here.end()) continue;
      const double least = distance_behind(*model.mesh, *face, here, volume.name);
      if (least < 0.1 * face->extent.longest())
        found.add(port, "region",
                  fmt::format("\"{}\" begins {:.3g} m behind the port, a tenth of its width or less: higher "
                              "modes reach it; move the port away, or raise absorbed_modes",
                              volume.name, least));
    }
  }
}

void long_lumped_port(const Model& model, Findings& found) {
  if (model.frequencies.empty()) return;
  for (const auto& port : model.config.tables("port")) {
    if (text_or(port, "type", "waveguide") != "lumped") continue;
    const auto nodes = nodes_of(*model.mesh, model.mesh->surfaces, region_names(port));
    if (nodes.empty()) continue;
    const double size = extent_of(*model.mesh, nodes).longest() / model.wavelength_min();
    if (size > 0.1)
      found.add(port, "region",
                fmt::format("the port is {:.2g} wavelengths long at {}: a lumped port should be "
                            "at most 0.1 wavelengths long",
                            size, hertz(model.frequencies.back(), 4)));
  }
}

void gap_in_passes(const Model& model, Findings& found) {
  const auto mesh = model.config.table("mesh"), refinement = model.config.table("refinement");
  const bool has_size = mesh.has("size") || mesh.has("wavelength_fraction") ||
                        mesh::is_finished_mesh(text_or(mesh, "file", ""));
  const bool has_passes =
      model.config.has("refinement") ? number(refinement, "max_passes") != 1.0 : !has_size;
  const std::string target = text_or(refinement, "target", "S");
  if (model.program != "ie-solve" || !has_passes || (target != "S" && target != "impedance")) return;
  for (const auto& port : model.config.tables("port"))
    if (text_or(port, "type", "gap") == "gap")  // once for all of them
      return found.add(
          port, "type",
          "the capacitance of a gap of zero width grows with every pass, so that the impedance has "
          "no limit: use a port of type \"lumped\", or one mesh (mesh.size or "
          "mesh.wavelength_fraction)");
}

}  // namespace curlew::lint
