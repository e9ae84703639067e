// SPDX-License-Identifier: BSD-3-Clause
#include "fem/open/symmetric_waves.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "fem/space.hpp"

namespace curlew::fem {
namespace {

/// True if all triangles of a surface lie in the plane, on the outside of the mesh.
bool lies_on(const mesh::Mesh& mesh, const mesh::Topology& topology, const std::string& region,
             const fields::SymmetryPlane& plane) {
  const auto& triangles = surface_triangles(mesh, region);
  return !triangles.empty() && std::all_of(triangles.begin(), triangles.end(), [&](Index t) {
    const Index* nodes = mesh.triangle(t);
    const double size = norm(mesh.nodes[std::size_t(nodes[1])] - mesh.nodes[std::size_t(nodes[0])]);
    const auto face = std::size_t(topology.triangle_face[std::size_t(t)]);
    return topology.face_cells[face][1] < 0 && std::all_of(nodes, nodes + 3, [&](Index n) {
             return std::abs(mesh.nodes[std::size_t(n)][plane.axis] - plane.position) < 1e-6 * size;
           });
  });
}

/// Takes the condition of a plane out of the model. @return its surfaces
std::vector<std::string> take_plane(Model& model, const mesh::Mesh& mesh, const mesh::Topology& topology,
                                    const fields::SymmetryPlane& plane) {
  std::vector<std::string> taken;
  for (auto& boundary : model.boundaries) {
    if (!(plane.electric ? boundary->is_pec() : boundary->is_pmc())) continue;
    std::erase_if(boundary.regions, [&](const std::string& region) {
      if (!lies_on(mesh, topology, region, plane)) return false;
      taken.push_back(region);
      return true;
    });
  }
  std::erase_if(model.boundaries, [](const auto& b) { return b.regions.empty(); });
  if (taken.empty() || (plane.electric && taken.size() > 1))
    throw InputError(fmt::format(
        "symmetry: waves without the symmetry of the plane {} = {:.6g} m are split into parts with PEC and "
        "PMC on it, but {} surface{} of type {} {} in it: give the plane a single surface of its own{}",
        "xyz"[plane.axis], plane.position, taken.size(), taken.size() == 1 ? "" : "s",
        plane.electric ? "pec" : "pmc", taken.size() == 1 ? "lies" : "lie",
        plane.electric ? ", or declare it as pmc, which distinguishes it from metal" : ""));
  return taken;
}

/// A wave that is its own image in a plane has no part that is minus its image.
bool vanishes(const green::ArrivingWave& wave, const Symmetry& part) {
  return std::any_of(part.planes.begin(), part.planes.end(), [&](fields::SymmetryPlane plane) {
    plane.electric = !plane.electric;
    return shares_symmetry(wave, plane);
  });
}

}  // namespace

bool needs_parts(const Symmetry& symmetry, const std::vector<Excitation>& excitations) {
  if (symmetry.ground) return false;
  if (!std::all_of(excitations.begin(), excitations.end(), [](const auto& e) { return e.wave; }))
    return false;
  return std::any_of(excitations.begin(), excitations.end(), [&](const auto& e) {
    return !std::all_of(symmetry.planes.begin(), symmetry.planes.end(),
                        [&](const auto& plane) { return shares_symmetry(*e.wave, plane); });
  });
}

Excitation symmetric_wave(const Symmetry& symmetry, const fields::Direction& from, double polarization) {
  Excitation e;
  e.wave = green::ArrivingWave{from.theta, from.phi, polarization};
  e.ground = symmetry.ground;
  for (const auto& plane : symmetry.planes)
    if (!symmetry.is_ground(plane)) e.mean_over.push_back(plane);
  return e;
}

std::vector<OpenPart> symmetric_parts(const Model& model, const mesh::Mesh& mesh,
                                      const mesh::Topology& topology, const Symmetry& symmetry,
                                      const std::vector<Excitation>& excitations) {
  Model open = model;
  std::vector<std::vector<std::string>> surfaces;
  for (const auto& plane : symmetry.planes) surfaces.push_back(take_plane(open, mesh, topology, plane));
  std::vector<OpenPart> parts;
  for (unsigned electric = 0; electric < 1U << symmetry.planes.size(); ++electric) {
    OpenPart part{open, symmetry, {}, {}};
    for (std::size_t p = 0; p < surfaces.size(); ++p) {
      part.symmetry.planes[p].electric = electric >> p & 1U;
      part.model.boundaries.push_back(
          {surfaces[p], part.symmetry.planes[p].electric ? pec_condition() : pmc_condition()});
    }
    state_kinds(part.symmetry.planes, mesh, part.model.mirrors);
    for (std::size_t i = 0; i < excitations.size(); ++i) {
      if (vanishes(*excitations[i].wave, part.symmetry)) continue;
      part.excitations.push_back(excitations[i]);
      part.excitations.back().mean_over = part.symmetry.planes;
      part.which.push_back(i);
    }
    if (!part.which.empty()) parts.push_back(std::move(part));
  }
  return parts;
}

}  // namespace curlew::fem
