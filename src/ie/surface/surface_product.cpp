// SPDX-License-Identifier: BSD-3-Clause
#include "ie/surface/surface_product.hpp"

#include "base/constants.hpp"

namespace curlew::ie {
namespace {

template <class T>
std::size_t bytes_of(const std::vector<T>& v) {
  return v.size() * sizeof(T);
}

}  // namespace

SurfaceSums make_surface_sums(const System& system) {
  SurfaceSums sums{system.num_unknowns(), system.num_electric(), {}, {}, {}};
  for (Index f = 0; f < system.num_electric(); ++f) {
    sums.share.push_back(system.electric_share(f));
    sums.magnetic.push_back(system.magnetic_unknown(f));
  }
  for (int r = 0; r < int(system.scene().regions.size()); ++r) {
    const Region& region = system.scene().regions[r];
    sums.regions.push_back({region.k, region.eta / vacuum_impedance,
                            system.needs_magnetic(r) || system.needs_rotated(r), system.needs_magnetic(r),
                            system.point_currents(r, system.integrals(r).far_rule())});
  }
  return sums;
}

void SurfaceSums::restrict_tests(const std::vector<char>& rows) {
  for (auto& region : regions) region.currents.restrict_tests(rows);
}

std::vector<PointSet> SurfaceSums::point_sets() const {
  std::vector<PointSet> sets;
  for (const auto& region : regions)
    sets.push_back({.points = region.currents.points,
                    .k = region.k,
                    .needs_gradient = region.needs_curl,
                    .surface = true,
                    .passes = region.has_magnetic ? 2 : 1,
                    .observers = region.currents.observers});
  return sets;
}

Offset SurfaceSums::num_points() const {
  Offset sum = 0;
  for (const auto& region : regions) sum += region.currents.num_points();
  return sum;
}

std::size_t SurfaceSums::bytes() const {
  std::size_t sum = bytes_of(share) + bytes_of(magnetic);
  for (const auto& region : regions) {
    const PointCurrents& c = region.currents;
    sum += bytes_of(c.offsets) + bytes_of(c.unknowns) + bytes_of(c.current) + bytes_of(c.rotated) +
           bytes_of(c.charge) + bytes_of(c.use_offsets) + bytes_of(c.uses) + bytes_of(c.observer_of);
  }
  return sum;
}

RegionView::RegionView(const RegionSums& region, const PointCurrentsView& points, const double* shares,
                       const Index* magnetic_unknowns)
    : currents(points),
      share(shares),
      magnetic(magnetic_unknowns),
      vector_factor(Complex(0, 1) * region.k / (4 * pi)),
      scalar_factor(1.0 / (Complex(0, 4 * pi) * region.k)),
      relative(region.relative),
      needs_curl(region.needs_curl),
      has_magnetic(region.has_magnetic) {}

}  // namespace curlew::ie
