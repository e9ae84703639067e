// SPDX-License-Identifier: BSD-3-Clause
#include "fem/driven/low_frequency.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/constants.hpp"
#include "base/error.hpp"
#include "base/log.hpp"

namespace curlew::fem {
namespace {

/// What the shapes of the elements and the elimination add to the round-off of one entry: a coaxial line's
/// capacitance is off by 1 % where ε_machine / (kh)² is 2e-4 (measured on one coaxial line: order 2, edges of
/// 1 mm).
constexpr double amplification = 50;
constexpr double largest_share = 1e-2, warning_share = 1e-3;

/// Mean length of the edges of each material's cells [m].
std::vector<double> mean_edges(const mesh::Mesh& mesh, const mesh::Topology& topology, const Model& model) {
  const auto material = material_of_cells(model, mesh);
  std::vector<double> sum(model.materials.size(), 0.0), count(model.materials.size(), 0.0);
  for (Index c = 0; c < mesh.num_cells(); ++c)
    for (const Index e : topology.cell_edges[std::size_t(c)]) {
      const auto& nodes = topology.edges[std::size_t(e)];
      const auto m = std::size_t(material[std::size_t(c)]);
      sum[m] += norm(mesh.nodes[std::size_t(nodes[1])] - mesh.nodes[std::size_t(nodes[0])]);
      count[m] += 1;
    }
  for (std::size_t m = 0; m < sum.size(); ++m) sum[m] = count[m] > 0 ? sum[m] / count[m] : 0;
  return sum;
}

/// |εμ| of a medium at a frequency [Hz], of tensors the smallest on the diagonal.
double index_square(const RegionMaterial& m, double frequency) {
  double eps = 1e300, mu = 1e300;
  const auto e = m.epsilon_r.as_tensor(), u = m.mu_r.as_tensor();
  const Complex more = Complex(0, -m.conductivity / (2 * pi * frequency * vacuum_permittivity)) +
                       (m.dispersion.is_empty() ? Complex(0) : m.dispersion.permittivity(frequency));
  for (int i = 0; i < 3; ++i) {
    eps = std::min(eps, std::abs(e(i, i) + more));
    mu = std::min(mu, std::abs(u(i, i)));
  }
  return eps * mu;
}

double share_of(const std::vector<double>& edges, const Model& model, double frequency) {
  const double k0 = 2 * pi * frequency / speed_of_light;
  double share = 0;
  for (std::size_t m = 0; m < edges.size(); ++m)
    if (edges[m] > 0)
      share = std::max(share, amplification * std::numeric_limits<double>::epsilon() /
                                  (index_square(model.materials[m], frequency) * std::pow(k0 * edges[m], 2)));
  return share;
}

}  // namespace

void require_resolvable(const mesh::Mesh& mesh, const mesh::Topology& topology, const Model& model,
                        const std::vector<double>& frequencies) {
  if (frequencies.empty()) return;
  const double lowest = *std::min_element(frequencies.begin(), frequencies.end());
  const auto edges = mean_edges(mesh, topology, model);
  const double share = share_of(edges, model, lowest);
  if (!(share > warning_share)) return;
  double bound = lowest;  // the share falls at least as 1/f: conductivity makes it slower than 1/f²
  while (share_of(edges, model, bound) > largest_share) bound *= 1.01;
  if (share > largest_share)
    throw InputError(
        fmt::format("frequency: {:.6g} Hz is too low for double precision on this mesh, whose smallest "
                    "regions have edges of "
                    "{:.3g} mm: it resolves {:.3g} Hz and above; check the unit (frequencies are in Hz), or "
                    "take a coarser mesh",
                    lowest, 1e3 * *std::min_element(edges.begin(), edges.end()), bound));
  log::warn(
      "frequency: at {:.6g} Hz round-off alone may change voltages and S by {:.1e} on this mesh (refused "
      "below "
      "{:.3g} Hz)",
      lowest, share, bound);
}

}  // namespace curlew::fem
