// SPDX-License-Identifier: BSD-3-Clause
#include "fem/periodic/periodicity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/constants.hpp"
#include "base/error.hpp"
#include "base/wavenumber.hpp"
#include "fem/model/model.hpp"
#include "fem/space.hpp"

namespace curlew::fem {
namespace {

/// The part of v that is orthogonal to some vectors.
Vec3<double> orthogonal_part(Vec3<double> v, const std::vector<Vec3<double>>& vectors) {
  std::vector<Vec3<double>> axes;
  for (Vec3<double> u : vectors) {
    for (const auto& axis : axes) u = u - dot(u, axis) * axis;
    axes.push_back(normalized(u));
  }
  for (const auto& axis : axes) v = v - dot(v, axis) * axis;
  return v;
}

/// The open end of a periodic cell.
struct OpenEnd {
  const std::string* port;
  Vec3<double> outward;  ///< not of unit length
  double index;          ///< of refraction, of the medium behind it
};

OpenEnd open_end(const std::string& port, const Model& model, const NedelecSpace& space, double frequency) {
  const mesh::Mesh& mesh = *space.mesh;
  const Index triangle = surface_triangles(mesh, port)[0];
  const Index cell =
      space.topology->face_cells[std::size_t(space.topology->triangle_face[std::size_t(triangle)])][0];
  const Index* corners = mesh.triangle(triangle);
  const auto node = [&](Index n) { return mesh.nodes[std::size_t(n)]; };
  Vec3<double> normal = cross(node(corners[1]) - node(corners[0]), node(corners[2]) - node(corners[0]));
  for (int i = 0; i < 4; ++i)
    if (dot(node(mesh.cell(cell)[i]) - node(corners[0]), normal) > 1e-9 * std::pow(norm(normal), 1.5))
      normal = -normal;
  const Material medium = materials_at(model, mesh, frequency).of(cell);
  return {&port, normal, std::sqrt(std::max(0.0, (medium.epsilon_r.scalar * medium.mu_r.scalar).real()))};
}

/// Index of refraction of the medium that the wave comes from.
/// @throws InputError if that is not the medium behind the first port
double incidence_index(const Model& model, const NedelecSpace& space, double frequency) {
  std::vector<OpenEnd> ends;
  for (const auto& port : model.ports)
    if (port.kind->ends_periodic_cell()) ends.push_back(open_end(port.region, model, space, frequency));
  if (ends.empty()) return 1;
  const OpenEnd& first = ends.front();
  const Vec3<double> arrival = *model.periodicity.arrival;
  const bool is_oblique = norm(cross(arrival, first.outward)) > 1e-9 * norm(first.outward);
  for (const OpenEnd& other : ends)
    if (is_oblique && dot(arrival, first.outward) < 0 &&
        std::abs(other.index - first.index) > 1e-9 * first.index)
      throw InputError(
          fmt::format("bloch: the wave comes from the side of port \"{}\", whose medium differs from that "
                      "behind port \"{}\", to which the angle refers: put \"{}\" first among the [[port]] "
                      "tables, or give wave_vector",
                      *other.port, *first.port, *other.port));
  return first.index;
}

}  // namespace

std::vector<double> Periodicity::phases(double k) const {
  const Vec3<double> vector = arrival ? -k * *arrival : wave_vector;
  std::vector<double> all;
  for (const auto& pair : pairs) all.push_back(pair.phase.value_or(dot(vector, pair.faces.translation)));
  return all;
}

bool Periodicity::is_real() const {
  return std::all_of(pairs.begin(), pairs.end(), [&](const PeriodicPair& pair) {
    const Vec3<double> d = pair.faces.translation;
    if (!pair.phase && arrival) return std::abs(dot(*arrival, d)) < 1e-12 * norm(d);
    return std::abs(std::sin(pair.phase.value_or(dot(wave_vector, d)))) < 1e-12;
  });
}

std::vector<double> bloch_phases(const Model& model, const NedelecSpace& space, double frequency) {
  const double index = model.periodicity.arrival ? incidence_index(model, space, frequency) : 0;
  return model.periodicity.phases(wavenumber(frequency) * index);
}

Lattice lattice_of(const Periodicity& periodicity) {
  Lattice lattice;
  for (std::size_t p = 0; p < periodicity.pairs.size(); ++p) {
    const Vec3<double> d = periodicity.pairs[p].faces.translation;
    if (norm(orthogonal_part(d, lattice.translations)) < 1e-3 * norm(d)) continue;
    lattice.pairs.push_back(p);
    lattice.translations.push_back(d);
  }
  for (std::size_t i = 0; i < lattice.translations.size(); ++i) {
    auto others = lattice.translations;
    others.erase(others.begin() + std::ptrdiff_t(i));
    const Vec3<double> b = orthogonal_part(lattice.translations[i], others);
    lattice.reciprocals.push_back((2 * pi / dot(b, lattice.translations[i])) * b);
  }
  return lattice;
}

Vec3<double> Lattice::wave_vector(const std::vector<double>& phases) const {
  Vec3<double> k{};
  for (std::size_t i = 0; i < pairs.size(); ++i) k += (phases[pairs[i]] / (2 * pi)) * reciprocals[i];
  return k;
}

double shortest_wave_vector(const Periodicity& periodicity, const std::vector<double>& phases) {
  const Lattice lattice = lattice_of(periodicity);
  std::vector<double> reduced = phases;
  for (double& phase : reduced) phase = std::remainder(phase, 2 * pi);
  constexpr int reach = 2;  // of reduced phases; enough for cells that are not very oblique
  std::vector<Vec3<double>> vectors{lattice.wave_vector(reduced)};
  for (const auto& b : lattice.reciprocals) {
    const auto before = vectors;
    for (int n = -reach; n <= reach; ++n)
      for (const auto& k : before)
        if (n != 0) vectors.push_back(k + double(n) * b);
  }
  double shortest = norm(vectors[0]);
  for (const auto& k : vectors) shortest = std::min(shortest, norm(k));
  return shortest;
}

}  // namespace curlew::fem
