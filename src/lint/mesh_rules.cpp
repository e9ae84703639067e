// SPDX-License-Identifier: BSD-3-Clause
// Size of the structure, skin depth, layers and truncating surfaces that are too near or too thin.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "base/constants.hpp"
#include "base/hertz.hpp"
#include "lint/rules.hpp"
#include "mesh/contacts.hpp"
#include "mesh/topology.hpp"

namespace curlew::lint {
namespace {

constexpr double least_size = 1e-3, most_size = 500;  // wavelengths

std::string size_text(double size) {
  return fmt::format(
      "the structure is {:.2g} wavelengths large: check the unit of lengths, and frequencies in Hz", size);
}

/// Nodes of bodies in open space: conductors and materials, not the boundaries of the layer.
std::vector<Index> body_nodes(const Model& model, const std::vector<Index>& layer) {
  std::vector<Index> nodes;
  const auto add_apart = [&](const std::vector<mesh::Region>& regions,
                             const std::vector<std::string>& names) {
    for (const auto& name : names) {
      const auto some = nodes_of(*model.mesh, regions, {name});
      const bool touches = std::any_of(some.begin(), some.end(), [&](Index n) {
        return std::binary_search(layer.begin(), layer.end(), n);
      });
      if (!touches) nodes.insert(nodes.end(), some.begin(), some.end());
    }
  };
  for (const auto& boundary : model.config.tables("boundary"))
    add_apart(model.mesh->surfaces, region_names(boundary));
  for (const auto& material : model.config.tables("material"))
    if (const auto epsilon = scalar(material, "epsilon_r"); epsilon && std::abs(*epsilon - 1.0) > 1e-6)
      add_apart(model.mesh->volumes, region_names(material));
  return nodes;
}

/// In longest wavelengths; infinite if one side is empty.
double gap_between(const Model& model, const std::vector<Index>& nodes, const std::vector<Index>& others) {
  if (nodes.empty() || others.empty()) return INFINITY;
  return distance(*model.mesh, nodes, others) / model.wavelength_max();
}

/// Whether a face ends the cells and is plane: the position of curved ones is not determined by their
/// corners.
bool is_plane_end(const mesh::Mesh& mesh, const mesh::Topology& topology, Index face) {
  const auto [cell, other] = topology.face_cells[std::size_t(face)];
  if (other >= 0) return false;
  if (mesh.geometry_order == 1) return true;
  const Index* n = mesh.cell(cell);
  const auto& corners = topology.faces[std::size_t(face)];
  const auto has = [&](Index node) {
    return std::find(corners.begin(), corners.end(), node) != corners.end();
  };
  const auto at = [&](Index node) { return mesh.nodes[std::size_t(node)]; };
  for (std::size_t e = 0; e < mesh::cell_edge_vertices.size(); ++e) {
    const Index a = n[mesh::cell_edge_vertices[e][0]], b = n[mesh::cell_edge_vertices[e][1]];
    if (has(a) && has(b) && norm(at(n[4 + e]) - 0.5 * (at(a) + at(b))) > 1e-9 * norm(at(b) - at(a)))
      return false;
  }
  return true;
}

double mean_edge(const mesh::Mesh& mesh, const mesh::Region& volume) {
  double sum = 0;
  for (const Index c : volume.entities)
    for (const auto& [a, b] : mesh::cell_edge_vertices)
      sum += norm(mesh.nodes[std::size_t(mesh.cell(c)[a])] - mesh.nodes[std::size_t(mesh.cell(c)[b])]);
  return sum / (6 * double(volume.entities.size()));
}

}  // namespace

void electrical_size(const Model& model, Findings& found) {
  if (model.frequencies.empty() || model.config.has("periodic")) return;
  const double size = extent_of(*model.mesh).longest();
  const auto table = model.config.table("mesh");
  if (size / model.wavelength_min() < least_size)
    found.add(table, "unit", size_text(size / model.wavelength_min()));
  else if (size / model.wavelength_min() > most_size)
    found.add(table, "unit", size_text(size / model.wavelength_min()));
}

/// Cells of volumes that were meshed separately: each has an outer face where they touch in the geometry.
void volumes_apart(const Model& model, Findings& found) {
  const auto& mesh = *model.mesh;
  const bool on_surfaces =
      model.program == "ie-solve" &&
      text_or(model.config.table("formulation"), "equation", "auto") != "volume";  // it refuses these itself
  if (mesh.cells.empty() || on_surfaces) return;
  const auto known = mesh::topology_for_checks(mesh);
  const mesh::Topology& topology = *known;
  std::vector<std::array<Index, 3>> ends;
  for (Index face = 0; face < topology.num_faces(); ++face)
    if (is_plane_end(mesh, topology, face)) ends.push_back(topology.faces[std::size_t(face)]);
  const auto contacts = mesh::find_contacts(mesh.nodes, ends);
  if (contacts.count == 0) return;
  const auto& p = contacts.place;
  found.add(model.config.table("mesh"), "file",
            fmt::format("volumes touch at ({:.6g}, {:.6g}, {:.6g}) m without common nodes ({}; {} pairs of "
                        "faces), so no field passes there: {}",
                        p.x, p.y, p.z, mesh::describe(contacts.kind), contacts.count,
                        mesh::how_to_join(mesh.name)));
}

/// Radii, sides and points of a contour.
std::vector<std::vector<double>> extents_of(const io::Config& contour) {
  std::vector<std::vector<double>> all;
  for (const char* key : {"radius", "size"})
    if (contour.has(key)) all.push_back(contour.get<std::vector<double>>(key));
  if (contour.has("points"))
    for (auto& point : contour.get<std::vector<std::vector<double>>>("points")) all.push_back(point);
  return all;
}

void size_of_contours(const Model& model, Findings& found) {
  if (model.program != "mom2d" || model.frequencies.empty()) return;
  const auto mesh = model.config.table("mesh");
  const std::string unit = text_or(mesh, "unit", "m");
  if (unit == "wavelength") return;
  const double scale = (unit == "mm" ? 1e-3 : 1.0) / model.wavelength_min();
  double size = 0;
  for (const auto& contour : model.config.tables("contour"))
    for (const auto& point : extents_of(contour))
      for (const double x : point) size = std::max(size, 2 * std::abs(x) * scale);
  if (size > 0 && (size < least_size || size > most_size)) found.add(mesh, "unit", size_text(size));
}

void skin_depth(const Model& model, Findings& found) {
  if (model.frequencies.empty()) return;
  const double omega = 2 * pi * model.frequencies.back();
  for (const auto& material : model.config.tables("material")) {
    const auto sigma = number(material, "conductivity");
    if (!sigma || *sigma < 10 * omega * vacuum_permittivity) continue;
    const double depth = std::sqrt(2 / (omega * vacuum_permeability * *sigma));
    const auto names = region_names(material);
    for (const auto& volume : model.mesh->volumes) {
      if (std::find(names.begin(), names.end(), volume.name) == names.end() || volume.entities.empty())
        continue;
      const double edge = mean_edge(*model.mesh, volume);
      if (edge > 2 * depth)
        found.add(
            material, "conductivity",
            fmt::format("edges of {:.2g} m in \"{}\" do not resolve a skin depth of {:.2g} m: leave the "
                        "conductor out and give its surface type = \"impedance\"",
                        edge, volume.name, depth));
    }
  }
}

void layer_near(const Model& model, Findings& found) {
  if (model.frequencies.empty()) return;
  for (const auto& pml : model.config.tables("pml")) {
    const auto layer = nodes_of(*model.mesh, model.mesh->volumes, region_names(pml));
    const auto body = body_nodes(model, layer);
    if (const double gap = gap_between(model, layer, body); gap < 0.04)
      found.add(pml, "region",
                fmt::format("the layer begins {:.2g} wavelengths from the body at {}, inside its near field: "
                            "leave a tenth or more",
                            gap, hertz(model.frequencies.front(), 4)));
  }
}

void thin_layer(const Model& model, Findings& found) {
  if (model.frequencies.empty()) return;
  for (const auto& pml : model.config.tables("pml")) {
    const auto nodes = nodes_of(*model.mesh, model.mesh->volumes, region_names(pml));
    if (nodes.empty() || !pml.has("center")) continue;
    const auto centre = model.unit() * pml.get<Vec3<double>>("center");
    double low = INFINITY, high = 0;
    for (const Index n : nodes) {
      const double r = norm(model.mesh->nodes[std::size_t(n)] - centre);
      low = std::min(low, r), high = std::max(high, r);
    }
    const double thickness = (high - low) / model.wavelength_max();
    if (thickness < 0.08)
      found.add(pml, "region",
                fmt::format("the layer is {:.2g} wavelengths thick at {}: a quarter absorbs well", thickness,
                            hertz(model.frequencies.front(), 4)));
  }
}

void truncation_near(const Model& model, Findings& found) {
  const auto table = model.config.table("truncation");
  if (const auto gap = number(table, "distance"); gap && *gap < 0.03)
    found.add(table, "distance",
              fmt::format(
                  "distance = {:g} wavelengths: 0.1 converges in a few iterations, nearer surfaces take many",
                  *gap));
}

void surfaces_near(const Model& model, Findings& found) {
  const auto table = model.config.table("truncation");
  if (!model.config.has("truncation") || table.has("distance") || model.frequencies.empty()) return;
  auto names = region_names(table, "surfaces");
  if (names.size() != 2) names = {"S", "S_prime"};
  const auto outer = nodes_of(*model.mesh, model.mesh->surfaces, {names[0]});
  const auto inner = nodes_of(*model.mesh, model.mesh->surfaces, {names[1]});
  if (const double gap = gap_between(model, outer, inner); gap < 0.03)
    found.add(
        table, "surfaces",
        fmt::format("the outer surface comes as near as {:.2g} wavelengths to the inner one: 0.1 converges "
                    "in a few iterations",
                    gap));
}

}  // namespace curlew::lint
