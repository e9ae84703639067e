// SPDX-License-Identifier: BSD-3-Clause
#include "fem/ports/lumped_port.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "fem/boundary_terms.hpp"
#include "fem/model/model.hpp"

namespace curlew::fem {

Vec3<double> LumpedShape::along(Vec3<double> point) const {
  return is_radial ? normalized(point - centre) : direction;
}

double LumpedShape::weight(Vec3<double> point) const {
  return 1 / (is_radial ? width * norm(point - centre) : width);
}

LumpedPort make_lumped_port(const PortModel& port, const Model& model, const NedelecSpace& space,
                            std::span<const Index> triangles) {
  LumpedPort lumped{
      lumped_shape(fmt::format("port \"{}\"", port.region), port.direction, model, space, triangles)};
  lumped.resistance = port.resistance / whole_structure(*space.mesh, triangles, model.mirrors).impedance;
  return lumped;
}

std::vector<double> lumped_load(const LumpedPort& port, const NedelecSpace& space,
                                std::span<const Index> triangles, const std::vector<Index>& dofs) {
  const TraceEvaluator evaluator(space, space.order + (port.is_radial ? 5 : 1));
  TriangleTrace trace;
  std::vector<double> load(dofs.size(), 0.0);
  for (const Index t : triangles) {
    evaluator.evaluate(t, trace);
    for (std::size_t q = 0; q < trace.weights.size(); ++q) {
      const Vec3<double> d = trace.weights[q] * port.weight(trace.points[q]) * port.along(trace.points[q]);
      for (std::size_t i = 0; i < std::size_t(trace.num_functions); ++i) {
        if (trace.dofs[i] < 0) continue;
        const auto place = std::lower_bound(dofs.begin(), dofs.end(), trace.dofs[i]) - dofs.begin();
        load[std::size_t(place)] += dot(d, trace.values[q * std::size_t(trace.num_functions) + i]);
      }
    }
  }
  return load;
}

void add_lumped_sheet(const LumpedPort& port, const NedelecSpace& space, std::span<const Index> triangles,
                      Complex gamma, linalg::Csr<Complex>& a) {
  add_tangential_mass(space, triangles, gamma * (port.length / port.width), a,
                      [&port](Vec3<double> point) { return port.along(point); });
}

}  // namespace curlew::fem
