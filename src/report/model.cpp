// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <fnmatch.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <map>
#include <ranges>
#include <set>

#include "base/decibel.hpp"
#include "io/config.hpp"
#include "io/hdf5.hpp"
#include "mesh/mesh_file.hpp"
#include "report/chart.hpp"
#include "report/sections.hpp"

namespace curlew::report {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using Triangle = std::array<std::int64_t, 3>;

constexpr std::size_t most_triangles = 12000;  // for a page below 3 MB that rotates smoothly

struct Part {
  std::string name, colour;
  bool on = true;
  std::vector<Triangle> faces;
  std::vector<double> values = {};  ///< of faces
};

std::vector<io::Config> tables_of(const io::Config& config, const char* name) {
  return config.has(name) ? config.tables(name) : std::vector<io::Config>{};
}

bool is_named(const io::Config& entry, const std::string& region) {
  const auto names =
      entry.has("region") ? entry.get<std::vector<std::string>>("region") : std::vector<std::string>{};
  return std::any_of(names.begin(), names.end(),
                     [&](const auto& name) { return fnmatch(name.c_str(), region.c_str(), 0) == 0; });
}

/// A port of no extent, between two surfaces.
bool is_gap(const io::Config& port) {
  return port.has("region") && port.get<std::vector<std::string>>("region").size() == 2;
}

/// Sets the kind of a surface by the config; regions without meaning are hidden at first.
void tell_surface(const io::Config& config, std::size_t number, Part& part) {
  constexpr std::array tones{"#9aa0a8", "#c08a5a", "#7d8ca3", "#b3a06a"};
  const auto region = part.name;
  part.colour = tones[number % tones.size()], part.on = false;
  for (const auto& boundary : tables_of(config, "boundary")) {
    if (!is_named(boundary, region)) continue;
    const auto type = boundary.get<std::string>("type");
    part.name += ": " + type;
    constexpr std::array shown{"pec",    "impedance",      "conductor",          "sheet",
                               "lumped", "superconductor", "tabulated_impedance"};
    part.on = std::find(shown.begin(), shown.end(), type) != shown.end();
  }
  for (const auto& port : tables_of(config, "port"))
    if (!is_gap(port) && is_named(port, region))
      part.name += ": port", part.colour = table()["colours"][1].get<std::string>(), part.on = true;
}

/// Faces of cells that belong to one of them alone.
std::vector<Triangle> outer_faces(const mesh::Mesh& mesh, const mesh::Region& volume) {
  std::map<Triangle, int> count;
  for (const Index cell : volume.entities)
    for (const auto& [a, b, c] : mesh::cell_face_vertices) {
      const Index* corners = mesh.cell(cell);
      ++count[{corners[a], corners[b], corners[c]}];
    }
  std::erase_if(count, [](const auto& face) { return face.second > 1; });
  const auto faces = std::views::keys(count);
  return {faces.begin(), faces.end()};
}

std::vector<Part> mesh_parts(const mesh::Mesh& mesh, const io::Config& config) {
  std::vector<Part> parts;
  for (const auto& surface : mesh.surfaces) {
    Part part{surface.name, "", false, {}};
    for (const Index triangle : surface.entities) {
      const Index* corners = mesh.triangle(triangle);
      part.faces.push_back({corners[0], corners[1], corners[2]});
    }
    tell_surface(config, parts.size(), part);
    parts.push_back(std::move(part));
  }
  std::set<Triangle> layers;
  for (const auto& volume : mesh.volumes) {
    const auto& colours = table()["colours"];
    parts.push_back({volume.name + ": volume", colours[(2 + parts.size()) % colours.size()], false,
                     outer_faces(mesh, volume)});
    for (const auto& layer : tables_of(config, "pml"))
      if (is_named(layer, volume.name)) layers.insert(parts.back().faces.begin(), parts.back().faces.end());
  }
  for (Part& part : parts)  // the outer faces of PML hide the structure inside
    if (std::ranges::all_of(part.faces, [&](const Triangle& face) { return layers.contains(face); }))
      part.on = false;
  if (std::ranges::none_of(parts, &Part::on))
    for (Part& part : parts) part.on = !part.name.ends_with(": volume") || parts.size() == 1;
  return parts;
}

/// Hides parts around the whole, such as the walls of a box, if another shown part is inside and not on one
/// of its faces.
void hide_hulls(std::vector<Part>& parts, const std::vector<double>& points) {
  std::vector<Eigen::AlignedBox3d> boxes(parts.size());
  Eigen::AlignedBox3d whole;
  for (std::size_t p = 0; p < parts.size(); ++p) {
    for (const Triangle& face : parts[p].faces)
      for (const auto corner : face)
        boxes[p].extend(Eigen::Map<const Eigen::Vector3d>(&points[std::size_t(3 * corner)]));
    whole.extend(boxes[p]);
  }
  const double near = 1e-6 * whole.diagonal().norm();
  const auto is_around = [&](const Eigen::AlignedBox3d& box) {
    return (box.min() - whole.min()).norm() < near && (box.max() - whole.max()).norm() < near;
  };
  const auto is_on_a_face = [&](const Eigen::AlignedBox3d& box) {
    const Eigen::Array3d apart = (box.min() - whole.min()).cwiseMin(whole.max() - box.max());
    return (box.sizes().array() < near && apart < near).any();
  };
  bool is_inside = false;
  for (std::size_t p = 0; p < parts.size(); ++p)
    is_inside = is_inside || (parts[p].on && !is_around(boxes[p]) && !is_on_a_face(boxes[p]));
  for (std::size_t p = 0; p < parts.size(); ++p)
    parts[p].on = parts[p].on && !(is_inside && is_around(boxes[p]));
}

/// Magnitudes of currents of all ports combined, or of the first excitation, at the first step, in dB
/// relative to the value that 0.5 % of the triangles exceed.
Part current_part(const io::H5Group& vtk, std::string& unit) {
  const auto cells = vtk.group("CellData");
  std::string array;
  for (const auto& name : cells.members())
    if (name.starts_with("J_") && name.ends_with("_abs") &&
        (array.empty() || name == "J_combined_abs" || name == "J_1_abs"))
      array = name;
  if (array.empty()) return {};
  const auto source = array.substr(2, array.size() - 6);
  Part part{
      fmt::format("abs J of {}{}", std::isdigit(source[0]) ? "wave " : "", source), "#9aa0a8", true, {}};
  const auto corners = vtk.read<std::int64_t>("Connectivity"), offsets = vtk.read<std::int64_t>("Offsets");
  const auto values = cells.read<double>(array);
  for (std::size_t i = 0; i + 1 < offsets.size() && i < values.size(); ++i) {
    if (offsets[i + 1] - offsets[i] < 3) continue;
    const auto* first = &corners[std::size_t(offsets[i])];
    part.faces.push_back({first[0], first[1], first[2]});
    part.values.push_back(values[i]);
  }
  auto sorted = part.values;
  std::sort(sorted.begin(), sorted.end());
  const double limit = sorted.empty() ? 0 : sorted[std::size_t(0.995 * double(sorted.size() - 1))];
  for (double& value : part.values) value = limit > 0 ? std::max(decibel(value / limit), -100.0) : -100;
  unit = fmt::format("dB re {:.3g} {}", limit, cells.string_attribute("unit", array));
  return part;
}

/// Merges vertices within boxes of a grid until the number of triangles is small enough.
void thin_out(std::vector<double>& points, std::vector<Part>& parts) {
  std::size_t count = 0;
  for (const Part& part : parts) count += part.faces.size();
  std::array<double, 3> low{INFINITY, INFINITY, INFINITY};
  double extent = 0;
  for (std::size_t i = 0; i < points.size(); ++i) low[i % 3] = std::min(low[i % 3], points[i]);
  for (std::size_t i = 0; i < points.size(); ++i) extent = std::max(extent, points[i] - low[i % 3]);
  for (double boxes = 128; count > most_triangles && boxes > 8; boxes *= 0.8) {
    count = 0;
    for (Part& part : parts) {  // each separately, so that parallel sheets stay separate
      std::map<std::array<long, 3>, std::int64_t> first;
      const auto becomes = [&](std::int64_t vertex) {
        std::array<long, 3> box;
        for (std::size_t k = 0; k < 3; ++k)
          box[k] = std::lround((points[3 * std::size_t(vertex) + k] - low[k]) / extent * boxes);
        return first.try_emplace(box, vertex).first->second;
      };
      std::vector<Triangle> kept;
      std::vector<double> values;
      std::set<Triangle> known;
      for (std::size_t i = 0; i < part.faces.size(); ++i) {
        const auto& [p, q, r] = part.faces[i];
        const Triangle face{becomes(p), becomes(q), becomes(r)};
        Triangle sorted = face;
        std::sort(sorted.begin(), sorted.end());
        if (sorted[0] == sorted[1] || sorted[1] == sorted[2] || !known.insert(sorted).second) continue;
        kept.push_back(face);
        if (!part.values.empty()) values.push_back(part.values[i]);
      }
      part.faces = std::move(kept), part.values = std::move(values);
      count += part.faces.size();
    }
  }
}

json as_json(const Part& part, const std::vector<double>& points) {
  std::map<std::int64_t, std::size_t> number;
  std::vector<double> own;
  json faces = json::array();
  for (const Triangle& face : part.faces)
    for (const auto corner : face) {
      const auto [at, is_new] = number.try_emplace(corner, number.size());
      if (is_new) own.insert(own.end(), points.begin() + 3 * corner, points.begin() + 3 * corner + 3);
      faces.push_back(at->second);
    }
  json made{{"name", part.name},
            {"colour", part.colour},
            {"on", part.on},
            {"points", rounded(own, 5)},
            {"faces", faces}};
  if (!part.values.empty()) made["values"] = rounded(part.values, 4);
  return made;
}

/// @param made title, and what the scale of colours is
std::string draw_parts(json made, std::vector<double> points, std::vector<Part> parts) {
  std::erase_if(parts, [](const Part& part) { return part.faces.empty(); });
  if (parts.empty()) return "";
  thin_out(points, parts);
  for (const Part& part : parts) made["parts"].push_back(as_json(part, points));
  return figure("body", made["title"], made);
}

}  // namespace

std::string model(const Source& source) {
  const fs::path place(source.folder), solution = place / "solution.h5", currents = place / "currents.vtkhdf",
                                       resolved = place / "resolved.toml";
  std::string content;
  if (fs::exists(solution)) {
    const auto file = io::H5File::open(solution.string());
    if (file.has("mesh")) {
      const auto mesh = mesh::read_mesh(file.group("mesh"));
      std::vector<double> nodes;
      for (const auto& node : mesh.nodes) nodes.insert(nodes.end(), {node.x, node.y, node.z});
      auto parts =
          mesh_parts(mesh, fs::exists(resolved) ? io::Config::load(resolved.string()) : io::Config());
      hide_hulls(parts, nodes);
      content += draw_parts({{"title", "Model"}}, nodes, parts);
    }
  }
  if (fs::exists(currents)) {
    const auto file = io::H5File::open(currents.string());
    const auto vtk = file.group("VTKHDF");
    std::string unit;
    const Part part = current_part(vtk, unit);
    content += draw_parts({{"title", "Surface currents"},
                           {"map", "size"},
                           {"low", -table()["field_depth"].get<int>()},
                           {"high", 0},
                           {"unit", unit}},
                          vtk.read<double>("Points"), {part});
  }
  return section("Model", content);
}

}  // namespace curlew::report
