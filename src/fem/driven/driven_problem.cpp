// SPDX-License-Identifier: BSD-3-Clause
#include "fem/driven/driven_problem.hpp"

#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <algorithm>
#include <utility>

#include "base/constants.hpp"
#include "base/error.hpp"
#include "base/huge_pages.hpp"
#include "fem/ports/port_coupling.hpp"
#include "linalg/dense/tall_products.hpp"

namespace curlew::fem {

using Matrix = Eigen::MatrixXcd;

DrivenProblem::DrivenProblem(const mesh::Mesh& mesh, const mesh::Topology& topology, Model model,
                             DrivenOptions options)
    : MaxwellSystem(mesh, topology, std::move(model), std::move(options)),
      rounding_(mesh, MaxwellSystem::model()) {
  if (ports().empty()) throw InputError("a driven problem needs at least one [[port]]");
}

namespace {

using SparseColumns = Eigen::SparseMatrix<Complex>;

/// Columns with their zeros, and the sources' behind them.
Matrix right_hand_sides(const SparseColumns& columns, const std::vector<Complex>& sources) {
  const Eigen::Index n = columns.rows(), count = columns.cols();
  Matrix b(n, count + Eigen::Index(sources.size()) / n);
  advise_huge_pages(b.data(), std::size_t(b.size()) * sizeof(Complex));
  linalg::each_tall_block(n * count, [&](Eigen::Index first, Eigen::Index entries) {
    std::fill_n(b.data() + first, entries, Complex(0));
  });
  for (Eigen::Index j = 0; j < count; ++j)
    for (SparseColumns::InnerIterator entry(columns, j); entry; ++entry) b(entry.row(), j) = entry.value();
  std::copy(sources.begin(), sources.end(), b.data() + n * count);
  return b;
}

}  // namespace

/// Every column of F is a right-hand side of the sparse system; S and fields follow by dense algebra.
void DrivenProblem::solve_by_woodbury(const std::vector<Complex>& sources, DrivenSolution& solution,
                                      Matrix& x) {
  const double omega = 2 * pi * solution.frequency;
  const std::vector<ModeState> states = mode_states(solution.frequency);
  const Matrix coupling = coupling_of(port_solutions(solution.frequency));
  prepare();
  const auto f = load_columns(solution.frequency), rows = amplitude_rows(f);
  const Eigen::Index count = f.cols();
  {
    const Matrix b = right_hand_sides(f, sources);
    x.resize(b.rows(), b.cols());
    advise_huge_pages(x.data(), std::size_t(x.size()) * sizeof(Complex));
    touch_pages(x.data(), std::size_t(x.size()) * sizeof(Complex));
    solution.solver = solve_columns(b.data(), x.data(), Index(b.cols()));
  }
  const Matrix alone = x.rightCols(x.cols() - count);
  x.conservativeResize(Eigen::NoChange, count);
  const Matrix g = rows.transpose() * x;
  solution.scattering = scattering(g, coupling, states, reported(), omega);
  if (sources.empty()) return;
  const auto response = source_response(rows.transpose() * alone, g, coupling, states, reported(), omega);
  solution.source_waves = response.outgoing;
  const Matrix field = alone - x * response.weights;
  solution.source_x.assign(field.data(), field.data() + field.size());
}

/// The modal terms stand in the system, which is iterated for every reported mode and every source.
void DrivenProblem::solve_with_ports(const std::vector<Complex>& sources, DrivenSolution& solution,
                                     Matrix& x) {
  const double omega = 2 * pi * solution.frequency;
  const std::vector<ModeState> states = mode_states(solution.frequency);
  prepare_with_ports(solution.frequency);
  const SparseColumns f = load_columns(solution.frequency);
  SparseColumns driven(f.rows(), Eigen::Index(reported().size()));
  for (Eigen::Index i = 0; i < driven.cols(); ++i) driven.col(i) = f.col(reported()[std::size_t(i)]);
  const Matrix b = right_hand_sides(driven, sources);
  Matrix all(b.rows(), b.cols());
  solution.solver = solve_columns(b.data(), all.data(), Index(all.cols()));
  x = all.leftCols(Eigen::Index(reported().size()));
  const Matrix v = (amplitude_rows(f).transpose() * all).eval().topRows(Eigen::Index(states.size()));
  solution.scattering = scattering_of_solutions(v.leftCols(x.cols()), states, reported(), omega);
  if (sources.empty()) return;
  const auto alone = all.cols() - x.cols();
  solution.source_waves = outgoing_waves(v.rightCols(alone), states, reported(), omega);
  solution.source_x.assign(all.data() + x.size(), all.data() + all.size());
}

DrivenSolution DrivenProblem::solve(double frequency, const std::vector<Complex>& sources) {
  if (sources.empty() && is_split_at(frequency)) return solve_low(frequency);
  if (split_) split_->forget();  // factors of both systems need not stand together
  DrivenSolution solution;
  solution.frequency = frequency;
  const std::vector<ModeState> states = mode_states(frequency);
  for (const Eigen::Index i : reported()) solution.modes.push_back(states[std::size_t(i)]);
  fill_matrix(frequency);
  Matrix x;
  if (iterates_with_ports())
    solve_with_ports(sources, solution, x);
  else
    solve_by_woodbury(sources, solution, x);
  const auto num_reported = Eigen::Index(reported().size()), num_dofs = Eigen::Index(space().num_dofs());
  resize_huge(solution.x, std::size_t(num_dofs * num_reported));
  if (bloch()) {
    const Matrix y = linalg::combine_columns(x, solution.scattering.weights);
    bloch()->prolong(y.data(), Index(num_reported), bloch_factors(frequency), solution.x.data());
  } else {
    linalg::combine_columns(x, solution.scattering.weights,
                            Eigen::Map<Matrix>(solution.x.data(), num_dofs, num_reported));
  }
  return solution;
}

}  // namespace curlew::fem
