// SPDX-License-Identifier: BSD-3-Clause
#include "fem/error/scattering_error.hpp"

#include <cmath>

namespace curlew::fem {
namespace {

using Map = Eigen::Map<Eigen::MatrixXcd>;
using ConstMap = Eigen::Map<const Eigen::MatrixXcd>;

double norm_of(const Quantities& q) {
  double sum = 0;
  for (const Complex value : q) sum += std::norm(value);
  return std::sqrt(sum);
}

/// The sign of a mode's field is free: each mode takes the one that brings its rows nearest to the reference.
void align_modes(Quantities& other, const Quantities& reference) {
  const auto n = Eigen::Index(std::lround(std::sqrt(double(reference.size()))));
  Map s(other.data(), n, n);
  const ConstMap t(reference.data(), n, n);
  for (Eigen::Index i = 1; i < n; ++i) {
    const double as_is =
        (s.row(i).head(i) - t.row(i).head(i)).norm() + (s.col(i).head(i) - t.col(i).head(i)).norm();
    const double turned =
        (s.row(i).head(i) + t.row(i).head(i)).norm() + (s.col(i).head(i) + t.col(i).head(i)).norm();
    if (turned >= as_is) continue;
    s.row(i) *= -1, s.col(i) *= -1;
  }
}

}  // namespace

ScatteringError scattering_error(const mesh::Mesh& mesh, const mesh::Topology& topology, const Model& model,
                                 const DrivenOptions& options, const ShapeVariant* shape, double frequency,
                                 const Eigen::MatrixXcd& s) {
  const auto solve = [&](const mesh::Mesh& on, int order) {
    Model at = model;
    at.order = order;
    DrivenProblem problem(on, topology, std::move(at),
                          options_of_check(options, order > model.order, count_unknowns(topology, order)));
    problem.analyse();
    const Eigen::MatrixXcd result = problem.solve(frequency).scattering.s;
    return Quantities(result.data(), result.data() + result.size());
  };
  const auto changes =
      solve_again(Quantities(s.data(), s.data() + s.size()), model.order, mesh, shape, solve, align_modes);
  const double ratio = changes.before.empty() ? 0 : norm_of(changes.by_order) / norm_of(changes.before);
  ScatteringError error{frequency, Eigen::MatrixXd::Zero(s.rows(), s.cols()), 0, 0};
  for (std::size_t i = 0; i < changes.by_order.size(); ++i) {
    const double order = order_error(std::abs(changes.by_order[i]), model.order, ratio);
    const double of_shape = changes.by_shape.empty() ? 0 : shape_safety * std::abs(changes.by_shape[i]);
    error.s(Eigen::Index(i)) = order + of_shape;
    error.order = std::max(error.order, order);
    error.shape = std::max(error.shape, of_shape);
  }
  return error;
}

}  // namespace curlew::fem
