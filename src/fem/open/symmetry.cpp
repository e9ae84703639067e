// SPDX-License-Identifier: BSD-3-Clause
#include "fem/open/symmetry.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "fem/model/region_rules.hpp"
#include "io/config.hpp"

namespace curlew::fem {
namespace {

constexpr double rounding = 1e-9;

std::string name_of(const fields::SymmetryPlane& plane, bool ground) {
  return fmt::format("the {} plane {} = {:.6g} m",
                     ground           ? "ground"
                     : plane.electric ? "pec"
                                      : "pmc",
                     "xyz"[plane.axis], plane.position);
}

/// Magnitude of the component of a source on a plane that its image cancels: along an electric plane, across
/// a magnetic one.
double cancelled(const Vec3<Complex>& a, const fields::SymmetryPlane& plane) {
  double sum = 0;
  for (int i = 0; i < 3; ++i)
    if ((i == plane.axis) != plane.electric) sum += std::norm(a[i]);
  return std::sqrt(sum);
}

double size_of(const Vec3<Complex>& a) {
  return std::sqrt(std::norm(a.x) + std::norm(a.y) + std::norm(a.z));
}

void check_wave(const io::Config& config, const Excitation& e, const fields::SymmetryPlane& plane) {
  if (shares_symmetry(*e.wave, plane)) return;
  config.error("excitation",
               fmt::format("{}: {} does not have the symmetry of {}: the wave must travel along it with E "
                           "{}; model the full body",
                           e.label, std::abs(e.wave->direction()[plane.axis]) < rounding ? "E" : "the wave",
                           name_of(plane, false), plane.electric ? "across it" : "in it"));
}

/// The wave and its reflection are the known field over a ground.
void reflect_wave(const io::Config& config, Excitation& e, const fields::SymmetryPlane& plane, int side) {
  const double from = -side * e.wave->direction()[plane.axis];
  if (from < -rounding)
    config.error("excitation",
                 fmt::format("{}: the wave comes from beyond {}", e.label, name_of(plane, true)));
  if (from < rounding && std::abs(e.wave->electric_direction()[plane.axis]) < rounding)
    config.error("excitation", fmt::format("{}: along {} the reflection cancels a wave whose E lies in it",
                                           e.label, name_of(plane, true)));
  e.ground = plane;
}

/// Halves dipoles on the plane; over a ground dipoles are unchanged, and their images are added.
void cut_dipoles(const io::Config& config, Excitation& e, const fields::SymmetryPlane& plane, bool ground,
                 double extent) {
  for (auto& dipole : e.dipoles) {
    if (std::abs(dipole.position[plane.axis] - plane.position) > rounding * extent) continue;
    if (cancelled(dipole.moment, plane) > rounding * size_of(dipole.moment))
      config.error("excitation",
                   fmt::format("{} on {}: a moment {} the plane does not radiate: its image cancels it",
                               e.label, name_of(plane, ground), plane.electric ? "along" : "across"));
    if (!ground) dipole.moment = Complex(0.5) * dipole.moment;
  }
}

}  // namespace

double reach_of(const mesh::Mesh& mesh) {
  double largest = 0;
  for (const auto& node : mesh.nodes) largest = std::max(largest, norm(node - mesh.nodes.front()));
  return largest;
}

int side_of(const mesh::Mesh& mesh, const fields::SymmetryPlane& plane) {
  double above = 0, below = 0;
  for (const auto& node : mesh.nodes) {
    above = std::max(above, node[plane.axis] - plane.position);
    below = std::max(below, plane.position - node[plane.axis]);
  }
  return above >= below ? 1 : -1;
}

/// The reflection of a wave that travels along the plane is the wave itself where this holds.
bool shares_symmetry(const green::ArrivingWave& wave, const fields::SymmetryPlane& plane) {
  return std::abs(wave.direction()[plane.axis]) < rounding &&
         cancelled(Complex(1) * wave.electric_direction(), plane) < rounding;
}

double Symmetry::copies() const {
  return std::ldexp(1.0, int(planes.size()) - (ground ? 1 : 0));
}

Symmetry read_symmetry(const io::Config& config, const SymmetryWords& words) {
  Symmetry symmetry;
  const double unit = length_unit(config);
  for (const auto& table : config.tables("symmetry")) {
    const std::string axis = table.choice("axis", {"x", "y", "z"});
    const std::string type = table.choice("type", {words.electric, words.magnetic, "ground"});
    const fields::SymmetryPlane plane{axis[0] - 'x', unit * table.get_or<double>("position", 0.0),
                                      type == "ground" ? words.is_ground_electric : type == words.electric};
    for (const auto& other : symmetry.planes)
      table.require(other.axis != plane.axis, "axis",
                    fmt::format("there are two planes on the {} axis: give one", axis));
    symmetry.planes.push_back(plane);
    if (type == "ground") symmetry.ground = plane;
  }
  return symmetry;
}

void apply_symmetry(const io::Config& config, const Symmetry& symmetry, const mesh::Mesh& mesh,
                    std::vector<Excitation>& excitations, bool splits) {
  if (symmetry.planes.empty()) return;
  const double extent = reach_of(mesh);
  for (auto& e : excitations)
    for (const auto& plane : symmetry.planes) {
      const bool ground = symmetry.is_ground(plane);
      if (e.wave && ground) reflect_wave(config, e, plane, side_of(mesh, plane));
      if (e.wave && !ground && !splits) check_wave(config, e, plane);
      cut_dipoles(config, e, plane, ground, extent);
    }
}

}  // namespace curlew::fem
