// SPDX-License-Identifier: BSD-3-Clause
#include "fem/error/scattering_error.hpp"

#include <cmath>

namespace curlew::fem {
namespace {

using Map = Eigen::Map<Eigen::MatrixXcd>;
using ConstMap = Eigen::Map<const Eigen::MatrixXcd>;

/// |d_3| / |d_2| of some quantities, 0 where d_2 is not known.
double ratio_of(const Changes& changes, std::size_t first, std::size_t last) {
  if (changes.before.empty()) return 0;
  double now = 0, before = 0;
  for (std::size_t i = first; i < last; ++i)
    now += std::norm(changes.by_order[i]), before += std::norm(changes.before[i]);
  return std::sqrt(now / before);
}

Quantities in_one_list(const StatedPorts& stated) {
  Quantities q(stated.s.data(), stated.s.data() + stated.s.size());
  q.insert(q.end(), stated.impedance.begin(), stated.impedance.end());
  return q;
}

}  // namespace

void align_modes(Eigen::Index n, Quantities& other, const Quantities& reference) {
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

StatedPorts modal_scattering(const DrivenSolution& solution) {
  return {solution.scattering.s};
}

ScatteringError scattering_error(const mesh::Mesh& mesh, const mesh::Topology& topology, const Model& model,
                                 const DrivenOptions& options, const ShapeVariant* shape,
                                 const std::vector<double>& frequencies, double frequency,
                                 const StatedPorts& reported, const StatePorts& state) {
  const auto solve = [&](const mesh::Mesh& on, int order) {
    Model at = model;
    at.set_order(order);
    DrivenProblem problem(on, topology, std::move(at), options);
    problem.analyse();
    if (problem.has_dispersive_ports())
      for (const double f : frequencies)
        if (f < frequency) problem.mode_states(f);
    return in_one_list(state(problem.solve(frequency)));
  };
  const Eigen::Index n = reported.s.rows();
  const auto modes = std::size_t(n * n), all = modes + reported.impedance.size();
  const auto changes =
      solve_again(in_one_list(reported), model.order, mesh, shape, solve,
                  [n](Quantities& other, const Quantities& reference) { align_modes(n, other, reference); });
  const double ratio = ratio_of(changes, 0, modes);
  const auto elements = [&](std::size_t i) {
    return order_error(std::abs(changes.by_order[i]), model.order, ratio);
  };
  const auto bar = [&](std::size_t i) {
    return elements(i) + (changes.by_shape.empty() ? 0 : shape_safety * std::abs(changes.by_shape[i]));
  };
  ScatteringError error{frequency, Eigen::MatrixXd(n, n), Eigen::MatrixXd(n, n), {}};
  for (std::size_t i = 0; i < modes; ++i)
    error.s(Eigen::Index(i)) = bar(i), error.elements(Eigen::Index(i)) = elements(i);
  for (std::size_t i = modes; i < all; ++i) error.impedance.push_back(bar(i));
  return error;
}

}  // namespace curlew::fem
