// SPDX-License-Identifier: BSD-3-Clause
#include "fem/acoustics/acoustic_surplus.hpp"

#include "fem/adaptive/symmetric_steps.hpp"
#include "fem/lagrange/scalar_fields.hpp"
#include "linalg/krylov/jacobi.hpp"

namespace curlew::fem {
namespace {

/// Steps of the iteration from zero: eight give 0.97 of the change in isotropic cells.
constexpr int steps = 12;

Eigen::MatrixXcd product(const linalg::Csr<Complex>& a, const Eigen::MatrixXcd& x) {
  Eigen::MatrixXcd y(a.num_rows, x.cols());
  for (Eigen::Index j = 0; j < x.cols(); ++j) linalg::multiply(a, x.col(j).data(), y.col(j).data());
  return y;
}

Eigen::MatrixXcd corrections(const linalg::Csr<Complex>& a, const Eigen::MatrixXcd& r) {
  const auto inverse = linalg::inverse_diagonal(a);
  const Eigen::Map<const Eigen::VectorXcd> d(inverse.data(), Eigen::Index(inverse.size()));
  return symmetric_steps<Eigen::MatrixXcd>(
      r, steps, [&](const Eigen::MatrixXcd& of) -> Eigen::MatrixXcd { return d.asDiagonal() * of; },
      [&](const Eigen::MatrixXcd& of) { return product(a, of); });
}

}  // namespace

Eigen::MatrixXcd carried_over(const LagrangeSpace& space, const LagrangeSpace& finer,
                              const Eigen::MatrixXcd& x) {
  const ScalarEvaluator at_nodes(space, reference_positions(finer.order));
  std::vector<Complex> values(std::size_t(at_nodes.num_points()));
  std::vector<Index> nodes(values.size());
  Eigen::MatrixXcd y(finer.num_nodes, x.cols());
  for (Index c = 0; c < space.mesh->num_cells(); ++c) {
    finer.cell_nodes(c, nodes.data());
    for (Eigen::Index j = 0; j < x.cols(); ++j) {
      at_nodes.evaluate(c, x.col(j).data(), values.data(), nullptr);
      for (std::size_t i = 0; i < nodes.size(); ++i) y(nodes[i], j) = values[i];
    }
  }
  return y;
}

AcousticSurplus acoustic_surplus(const LagrangeSpace& space, const LagrangeSpace& finer,
                                 const linalg::Csr<Complex>& a, const Eigen::MatrixXcd& x,
                                 const Eigen::MatrixXcd& loads, const Eigen::MatrixXd& weights) {
  const Eigen::MatrixXcd residuals =
      loads - product(a, carried_over(space, finer, x).topRows(finer.num_free));
  const Eigen::MatrixXcd e = corrections(a, residuals);
  const auto num_cells = std::size_t(space.mesh->num_cells());
  AcousticSurplus found{std::vector<double>(num_cells), Eigen::MatrixXcd::Zero(x.cols(), x.cols())};
  std::vector<double> shares(std::size_t(finer.num_free));
  for (Index u = 0; u < finer.num_free; ++u) {
    const Eigen::MatrixXcd part =
        0.5 * (residuals.row(u).transpose() * e.row(u) + e.row(u).transpose() * residuals.row(u));
    found.change += part;
    shares[std::size_t(u)] = part.cwiseAbs().cwiseProduct(weights).sum();
  }
  std::vector<Index> nodes(std::size_t(lagrange_dim(finer.order)));
  std::vector<int> cells_around(shares.size());
  const auto each_node = [&](const auto& visit) {
    for (std::size_t c = 0; c < num_cells; ++c) {
      finer.cell_nodes(Index(c), nodes.data());
      for (const Index n : nodes)
        if (n < finer.num_free) visit(c, std::size_t(n));
    }
  };
  each_node([&](std::size_t, std::size_t n) { ++cells_around[n]; });
  each_node([&](std::size_t c, std::size_t n) { found.cells[c] += shares[n] / cells_around[n]; });
  return found;
}

}  // namespace curlew::fem
