// SPDX-License-Identifier: BSD-3-Clause
#include "fem/ports/mode_history.hpp"
#include "linalg/dense/decompositions.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>

namespace curlew::fem {
namespace {

/// Modes of one group share their phase, that of the largest entry.
Eigen::MatrixXd without_phase(const Eigen::MatrixXcd& a) {
  Eigen::Index row = 0, column = 0;
  const double largest = a.cwiseAbs().maxCoeff(&row, &column);
  if (largest == 0) return a.real();
  return (a * (std::conj(a(row, column)) / largest)).real();
}

}  // namespace

ModeHistory::ModeHistory(const std::vector<double>& functionals, std::size_t num_dofs)
    : functionals_(Eigen::Map<const Eigen::MatrixXd>(functionals.data(), Eigen::Index(num_dofs),
                                                     Eigen::Index(functionals.size() / num_dofs))) {}

const HistoryEntry* ModeHistory::nearest(double frequency, double* at) const {
  const std::lock_guard lock(mutex_);
  if (entries_.empty()) return nullptr;
  auto best = entries_.lower_bound(frequency);
  if (best == entries_.end() ||
      (best != entries_.begin() && frequency - std::prev(best)->first < best->first - frequency))
    best = std::prev(best);
  *at = best->first;
  return &best->second;  // entries stay where they are
}

void ModeHistory::add(double frequency, HistoryEntry entry) {
  const std::lock_guard lock(mutex_);
  entries_.emplace(frequency, std::move(entry));
}

Eigen::MatrixXd rotation_by_axes(const Eigen::MatrixXcd& felt) {
  Eigen::MatrixXd rest = without_phase(felt);
  const Eigen::Index modes = felt.cols();
  Eigen::MatrixXd q = Eigen::MatrixXd::Identity(modes, modes);
  for (Eigen::Index first = 0; first < modes; ++first) {
    const Eigen::Index left = modes - first;
    const double scale = rest.rightCols(left).rowwise().norm().maxCoeff();
    if (scale == 0) break;
    for (Eigen::Index k = 0; k < rest.rows(); ++k) {
      const Eigen::VectorXd p = rest.row(k).tail(left);
      if (p.norm() < 0.1 * scale) continue;  // zero up to the mesh's asymmetry: no direction
      // the reflection that takes p to -|p| in the first place, and its sign changed
      Eigen::VectorXd w = p / p.norm();
      const double side = w[0] < 0 ? -1 : 1;
      w[0] += side;
      const Eigen::MatrixXd mirror =
          Eigen::MatrixXd::Identity(left, left) - (2 / w.squaredNorm()) * w * w.transpose();
      rest.rightCols(left) = (rest.rightCols(left) * mirror).eval();
      q.rightCols(left) = (q.rightCols(left) * mirror).eval();
      if (side > 0) rest.col(first) *= -1, q.col(first) *= -1;
      break;
    }
  }
  return q;
}

Eigen::MatrixXd rotation_to_earlier(const Eigen::MatrixXcd& overlaps) {
  const Eigen::MatrixXd all = without_phase(overlaps);
  std::vector<Eigen::Index> rows(std::size_t(all.rows()));
  std::iota(rows.begin(), rows.end(), Eigen::Index{0});
  std::stable_sort(rows.begin(), rows.end(),
                   [&](auto a, auto b) { return all.row(a).norm() > all.row(b).norm(); });
  rows.resize(std::size_t(all.cols()));
  std::sort(rows.begin(), rows.end());
  const Eigen::MatrixXd m = all(rows, Eigen::all);
  const linalg::Svd svd = linalg::svd(m.cast<Complex>());
  return (svd.v * svd.u.adjoint()).real();
}

std::vector<Eigen::Index> continued_order(const Eigen::MatrixXcd& overlaps, double* least) {
  std::vector<Eigen::Index> order;
  std::vector<char> taken(std::size_t(overlaps.cols()), 0);
  *least = 1;
  for (Eigen::Index i = 0; i < std::min(overlaps.rows(), overlaps.cols()); ++i) {
    Eigen::Index best = -1;
    for (Eigen::Index j = 0; j < overlaps.cols(); ++j)
      if (!taken[std::size_t(j)] && (best < 0 || std::abs(overlaps(i, j)) > std::abs(overlaps(i, best))))
        best = j;
    taken[std::size_t(best)] = 1;
    order.push_back(best);
    *least = std::min(*least, std::abs(overlaps(i, best)));
  }
  for (Eigen::Index j = 0; j < overlaps.cols(); ++j)
    if (!taken[std::size_t(j)]) order.push_back(j);
  return order;
}

}  // namespace curlew::fem
