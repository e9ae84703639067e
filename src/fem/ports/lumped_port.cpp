// SPDX-License-Identifier: BSD-3-Clause
#include "fem/ports/lumped_port.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "fem/geometry.hpp"

namespace curlew::fem {

LumpedPort make_lumped_port(const mesh::Mesh& mesh, std::span<const Index> triangles, Vec3<double> direction,
                            double resistance, const std::string& name) {
  LumpedPort port;
  port.direction = normalized(direction);
  port.resistance = resistance;
  double area = 0, low = 1e300, high = -1e300;
  Vec3<double> normal{};
  for (const Index t : triangles) {
    const Index* nodes = mesh.triangle(t);
    const auto a = mesh.nodes[std::size_t(nodes[0])], b = mesh.nodes[std::size_t(nodes[1])],
               c = mesh.nodes[std::size_t(nodes[2])];
    const Vec3<double> part = 0.5 * cross(b - a, c - a);
    area += norm(part);
    normal += dot(part, normal) < 0 ? -part : part;
    for (const auto& p : {a, b, c}) {
      low = std::min(low, dot(p, port.direction));
      high = std::max(high, dot(p, port.direction));
    }
  }
  if (norm(normal) < (1 - 1e-6) * area)
    throw InputError(fmt::format("{}: a lumped port must be planar", name));
  if (std::abs(dot(normalized(normal), port.direction)) > 1e-3)
    throw InputError(fmt::format("{}: direction must lie in the plane of the port", name));
  port.length = high - low;
  port.width = area / port.length;
  return port;
}

}  // namespace curlew::fem
