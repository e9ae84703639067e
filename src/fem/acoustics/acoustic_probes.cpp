// SPDX-License-Identifier: BSD-3-Clause
#include "fem/acoustics/acoustic_probes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/error.hpp"
#include "fem/lagrange/scalar_boundary.hpp"
#include "fem/space.hpp"

namespace curlew::fem {

double sound_pressure_level(double square) {
  constexpr double reference = 20e-6;  // [Pa] rms, ISO 1683
  return 10 * std::log10(std::max(square / 2, 1e-50) / (reference * reference));
}

ProbeSet::ProbeSet(const LagrangeSpace& space, std::vector<AcousticProbe> probes)
    : space_(space), probes_(std::move(probes)), where_(probes_.size()), triangles_(probes_.size()) {
  for (std::size_t i = 0; i < probes_.size(); ++i) {
    const AcousticProbe& probe = probes_[i];
    for (const auto& region : probe.regions) {
      const auto& more = surface_triangles(*space.mesh, region);
      triangles_[i].insert(triangles_[i].end(), more.begin(), more.end());
    }
    if (!probe.point) continue;
    const auto found = locate_point(*space.mesh, *probe.point);
    if (found.empty())
      throw InputError(fmt::format("probe \"{}\": the point ({:.6g}, {:.6g}, {:.6g}) m is not inside {}",
                                   probe.name, probe.point->x, probe.point->y, probe.point->z,
                                   space.mesh->name));
    where_[i] = found.front();
  }
}

std::vector<ProbeReading> ProbeSet::read(std::span<const Complex> x) const {
  std::vector<ProbeReading> readings;
  for (std::size_t i = 0; i < probes_.size(); ++i) {
    if (probes_[i].point) {
      Complex p;
      ScalarEvaluator(space_, {where_[i].xi}).evaluate(where_[i].cell, x.data(), &p, nullptr);
      readings.push_back({p, sound_pressure_level(std::norm(p))});
    } else {
      const auto s = integrate_on_surface(space_, triangles_[i], {}, x.data());
      readings.push_back({s.integral / s.area, sound_pressure_level(s.weighted_square.real() / s.area)});
    }
  }
  return readings;
}

std::vector<Complex> ProbeSet::loads() const {
  const auto n = std::size_t(space_.num_nodes);
  std::vector<Complex> loads(n * probes_.size());
  for (std::size_t i = 0; i < probes_.size(); ++i) {
    Complex* column = &loads[i * n];
    if (!probes_[i].point) {
      const std::vector<Complex> one(n, 1.0);
      const double area = integrate_on_surface(space_, triangles_[i], {}, one.data()).area;
      add_boundary_load(space_, triangles_[i], std::vector<Complex>(triangles_[i].size(), 1 / area), column);
      continue;
    }
    const Vec3<double> xi = where_[i].xi;
    const double l[4] = {1 - xi.x - xi.y - xi.z, xi.x, xi.y, xi.z};
    double values[max_lagrange_dim];
    Index nodes[max_lagrange_dim];
    lagrange_cell_basis<double>(space_.order, l, values, nullptr);
    space_.cell_nodes(where_[i].cell, nodes);
    for (int a = 0; a < lagrange_dim(space_.order); ++a) column[nodes[a]] = values[a];
  }
  return loads;
}

}  // namespace curlew::fem
