// SPDX-License-Identifier: BSD-3-Clause
#include "fem/periodic/periodicity.hpp"

#include <algorithm>
#include <cmath>

#include "base/constants.hpp"
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

/// Index of refraction of the medium that the wave comes from.
double incidence_index(const Model& model, const NedelecSpace& space, double frequency) {
  for (const auto& port : model.ports) {
    if (!port.kind->ends_periodic_cell()) continue;
    const Index triangle = surface_triangles(*space.mesh, port.region)[0];
    const Index face = space.topology->triangle_face[std::size_t(triangle)];
    const Material medium =
        materials_at(model, *space.mesh, frequency).of(space.topology->face_cells[std::size_t(face)][0]);
    return std::sqrt(std::max(0.0, (medium.epsilon_r.scalar * medium.mu_r.scalar).real()));
  }
  return 1;
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
  return model.periodicity.phases(2 * pi * frequency / speed_of_light * index);
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
