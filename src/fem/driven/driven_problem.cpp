// SPDX-License-Identifier: BSD-3-Clause
#include "fem/driven/driven_problem.hpp"

#include <Eigen/Core>
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

/// Every column of F is a right-hand side of the sparse system; S and fields follow by dense algebra.
void DrivenProblem::solve_by_woodbury(const std::vector<Complex>& sources, DrivenSolution& solution,
                                      Matrix& x) {
  const double omega = 2 * pi * solution.frequency;
  const std::vector<ModeState> states = mode_states(solution.frequency);
  const Matrix coupling = coupling_of(port_solutions(solution.frequency));
  prepare();
  std::vector<Complex> b = loads(solution.frequency);
  const auto rows = amplitude_rows(b);
  const auto n = Eigen::Index(num_unknowns()), count = rows.cols();
  b.insert(b.end(), sources.begin(), sources.end());
  Matrix all(n, Eigen::Index(b.size()) / n);
  advise_huge_pages(all.data(), b.size() * sizeof(Complex));
  solution.solver = solve_columns(b.data(), all.data(), Index(all.cols()));
  const Matrix alone = all.rightCols(all.cols() - count);
  all.conservativeResize(n, count);
  x = std::move(all);
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
  const std::vector<Complex> f = loads(solution.frequency);
  const auto n = std::size_t(num_unknowns());
  std::vector<Complex> b;
  for (const Eigen::Index m : reported())
    b.insert(b.end(), f.begin() + m * Eigen::Index(n), f.begin() + (m + 1) * Eigen::Index(n));
  b.insert(b.end(), sources.begin(), sources.end());
  Matrix all(n, b.size() / n);
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
  solution.x.resize(std::size_t(num_dofs * num_reported));
  const Matrix y = linalg::combine_columns(x, solution.scattering.weights);
  if (bloch()) {
    bloch()->prolong(y.data(), Index(num_reported), bloch_factors(frequency), solution.x.data());
  } else {
    Eigen::Map<Matrix>(solution.x.data(), num_dofs, num_reported) = y;
  }
  return solution;
}

}  // namespace curlew::fem
