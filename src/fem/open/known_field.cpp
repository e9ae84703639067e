// SPDX-License-Identifier: BSD-3-Clause
#include "fem/open/known_field.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/constants.hpp"
#include "fem/point_location.hpp"
#include "fem/space.hpp"
#include "io/config.hpp"

namespace curlew::fem {
namespace {

double wavenumber_in(const Background& medium, double k0) {
  return k0 * std::sqrt(medium.epsilon_r * medium.mu_r);
}
double impedance(const Background& medium) {
  return vacuum_impedance * std::sqrt(medium.mu_r / medium.epsilon_r);
}

std::optional<Background> as_background(const RegionMaterial& m) {
  const bool fits = m.is_isotropic() && m.epsilon_r.is_real() && m.mu_r.is_real() && m.loss_tangent == 0 &&
                    m.conductivity == 0 && m.dispersion.is_empty() && m.epsilon_r.scalar.real() > 0 &&
                    m.mu_r.scalar.real() > 0;
  if (!fits) return std::nullopt;
  return Background{m.epsilon_r.scalar.real(), m.mu_r.scalar.real()};
}

/// [faces] whether the plane of symmetry in which they lie is electric; empty elsewhere.
using InPlane = std::vector<std::optional<bool>>;
InPlane faces_in_planes(const Symmetry& symmetry, const mesh::Mesh& mesh, const mesh::Topology& topology) {
  InPlane in_plane(std::size_t(topology.num_faces()));
  for (const auto& plane : symmetry.planes) {
    const double near = 1e-9 * reach_of(mesh);
    for (std::size_t f = 0; f < in_plane.size(); ++f)
      if (std::ranges::all_of(topology.faces[f], [&](Index v) {
            return std::abs(mesh.nodes[std::size_t(v)][plane.axis] - plane.position) < near;
          }))
        in_plane[f] = plane.electric;
  }
  return in_plane;
}

/// The material of all cells around a point inside the model, -1 where there are several, or where the point
/// lies on an outer face or on a surface with a boundary condition.
Index material_around(Vec3<double> point, const std::vector<Index>& material, const std::vector<bool>& wall,
                      const InPlane& in_plane, const mesh::Mesh& mesh, const mesh::Topology& topology) {
  const auto places = locate_point(mesh, point);
  if (places.empty()) return -1;
  const Index first = material[std::size_t(places.front().cell)];
  for (const auto& [cell, xi] : places) {
    if (material[std::size_t(cell)] != first) return -1;
    const double coordinates[4] = {1 - xi.x - xi.y - xi.z, xi.x, xi.y, xi.z};
    for (std::size_t f = 0; f < 4; ++f) {
      const auto face = std::size_t(topology.cell_faces[std::size_t(cell)][f]);
      const bool ends = (topology.face_cells[face][1] < 0 && !in_plane[face]) || wall[face];
      if (ends && coordinates[f] < 1e-9) return -1;
    }
  }
  return first;
}

/// [faces] true where a boundary condition is that the field of dipoles and images does not meet.
std::vector<bool> faces_with_condition(const Model& model, const InPlane& in_plane, const mesh::Mesh& mesh,
                                       const mesh::Topology& topology) {
  std::vector<bool> wall(std::size_t(topology.num_faces()), false);
  for (const auto& b : model.boundaries)
    for (const auto& region : b.regions)
      for (const Index t : surface_triangles(mesh, region)) {
        const auto face = std::size_t(topology.triangle_face[std::size_t(t)]);
        if (!in_plane[face] || !(*in_plane[face] ? b->is_pec() : b->is_pmc())) wall[face] = true;
      }
  return wall;
}

/// True if a wall outside of the layers continues inside of them: there only the condition of the remainder
/// applies.
bool walls_enter_layers(const std::vector<bool>& wall, const std::vector<bool>& layer,
                        const mesh::Topology& topology) {
  std::vector<bool> edge(std::size_t(topology.num_edges()), false);
  const auto in_layer = [&](std::size_t face) { return layer[std::size_t(topology.face_cells[face][0])]; };
  for (std::size_t f = 0; f < wall.size(); ++f)
    for (const Index e : topology.face_edges[f])
      if (wall[f] && !in_layer(f)) edge[std::size_t(e)] = true;
  for (std::size_t f = 0; f < wall.size(); ++f)
    for (const Index e : topology.face_edges[f])
      if (wall[f] && in_layer(f) && edge[std::size_t(e)]) return true;
  return false;
}

/// True if all PML have the material, and all cells at absorbing boundaries.
bool exterior_is(const RegionMaterial& medium, const Model& model, const std::vector<Index>& material,
                 const std::vector<bool>& layer, const mesh::Mesh& mesh, const mesh::Topology& topology) {
  const auto fits = [&](Index cell) {
    return same_medium(model.materials[std::size_t(material[std::size_t(cell)])], medium);
  };
  for (Index c = 0; c < mesh.num_cells(); ++c)
    if (layer[std::size_t(c)] && !fits(c)) return false;
  for (const auto& b : model.boundaries)
    for (const auto& region : b.regions)
      for (const Index t : surface_triangles(mesh, region)) {
        const auto face = std::size_t(topology.triangle_face[std::size_t(t)]);
        if (b->is_absorbing() && !fits(topology.face_cells[face][0])) return false;
      }
  return true;
}

std::optional<Background> background_of(const Excitation& excitation, const Symmetry& symmetry,
                                        const Model& model, const mesh::Mesh& mesh,
                                        const mesh::Topology& topology) {
  const auto material = material_of_cells(model, mesh);
  const auto layer = pml_cells(mesh, model.pml);
  const auto in_plane = faces_in_planes(symmetry, mesh, topology);
  const auto wall = faces_with_condition(model, in_plane, mesh, topology);
  Index common = -1;
  for (const auto& dipole : excitation.dipoles) {
    const Index here = material_around(dipole.position, material, wall, in_plane, mesh, topology);
    if (here < 0 || (common >= 0 && here != common)) return std::nullopt;
    common = here;
  }
  if (common < 0) return std::nullopt;
  const RegionMaterial& medium = model.materials[std::size_t(common)];
  if (!exterior_is(medium, model, material, layer, mesh, topology) ||
      walls_enter_layers(wall, layer, topology))
    return std::nullopt;
  return as_background(medium);
}

/// A field and its image in an electric plane, E' = -R E(R x), curl E' = R (curl E)(R x), R the reflection,
/// or in a magnetic one, which is minus that; both times a weight.
IncidentField with_image(IncidentField field, const fields::SymmetryPlane& plane, double weight = 1) {
  return [field = std::move(field), plane, weight](Vec3<double> x) {
    KnownField sum = field(x);
    x[plane.axis] = 2 * plane.position - x[plane.axis];
    const KnownField image = field(x);
    for (int i = 0; i < 3; ++i) {
      const double sign = (i == plane.axis) == plane.electric ? -1 : 1;
      sum.e[i] = weight * (sum.e[i] - sign * image.e[i]);
      sum.curl[i] = weight * (sum.curl[i] + sign * image.curl[i]);
    }
    return sum;
  };
}

std::vector<green::Dipole> images_of(std::vector<green::Dipole> dipoles, const Symmetry& symmetry) {
  const std::size_t own = dipoles.size();
  for (const auto& plane : symmetry.planes)
    for (std::size_t d = 0, count = dipoles.size(); d < count; ++d) {
      green::Dipole image = dipoles[d];
      image.position[plane.axis] = 2 * plane.position - image.position[plane.axis];
      for (int i = 0; i < 3; ++i)
        if ((i == plane.axis) != plane.electric) image.moment[i] = -image.moment[i];
      dipoles.push_back(image);
    }
  return {dipoles.begin() + std::ptrdiff_t(own), dipoles.end()};
}

std::vector<green::Dipole> with_images(const Excitation& excitation) {
  auto all = excitation.dipoles;
  all.insert(all.end(), excitation.images.begin(), excitation.images.end());
  return all;
}

}  // namespace

IncidentField incident_field(const Excitation& excitation, double k0) {
  if (excitation.wave) {
    IncidentField field = [&wave = *excitation.wave, k0](Vec3<double> x) {
      return KnownField{wave.electric(k0, x), wave.curl(k0, x)};
    };
    if (excitation.ground) field = with_image(field, *excitation.ground);
    for (const auto& plane : excitation.mean_over) field = with_image(field, plane, 0.5);
    return field;
  }
  const double k = wavenumber_in(*excitation.background, k0), eta = impedance(*excitation.background);
  return [dipoles = with_images(excitation), k, eta](Vec3<double> x) {
    KnownField sum;
    for (const auto& dipole : dipoles) {
      const auto field = dipole.at(x, k, eta);
      sum.e += field.e;
      sum.curl += Complex(0, -k * eta) * field.h;
    }
    return sum;
  };
}

double power_in_background(const Excitation& excitation, double k0) {
  const double k = wavenumber_in(*excitation.background, k0), eta = impedance(*excitation.background);
  double power = 0;
  for (const auto& from : with_images(excitation))
    for (const auto& to : excitation.dipoles) {
      // At the dipole only the field in phase with the current is used, -eta k^2 p / 6 pi: that of its image
      // beside a plane differs by (kr)^2, while the formula loses all digits to the field out of phase.
      const bool same = norm(to.position - from.position) * k < 1e-5;
      const Vec3<Complex> e =
          same ? Complex(-eta * k * k / (6 * pi)) * from.moment : from.at(to.position, k, eta).e;
      for (int i = 0; i < 3; ++i) power -= 0.5 * (e[i] * std::conj(to.moment[i])).real();
    }
  return power;
}

void choose_formulation(const io::Config& config, std::vector<Excitation>& excitations,
                        const Symmetry& symmetry, const Model& model, const mesh::Mesh& mesh,
                        const mesh::Topology& topology) {
  for (auto& excitation : excitations) {
    if (excitation.dipoles.empty() || excitation.formulation == Formulation::total) continue;
    excitation.background = background_of(excitation, symmetry, model, mesh, topology);
    if (excitation.background) excitation.images = images_of(excitation.dipoles, symmetry);
    if (!excitation.background && excitation.formulation == Formulation::scattered)
      config.error("excitation",
                   "formulation = \"scattered\" needs all dipoles in one lossless isotropic medium that also "
                   "fills the layers and lies at the absorbing boundaries, not on walls: take \"total\"");
  }
}

}  // namespace curlew::fem
