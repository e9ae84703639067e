// SPDX-License-Identifier: BSD-3-Clause
#include "fem/driven/driven_problem.hpp"

#include <Eigen/Core>
#include <utility>

#include "base/constants.hpp"
#include "base/error.hpp"

namespace curlew::fem {

DrivenProblem::DrivenProblem(const mesh::Mesh& mesh, const mesh::Topology& topology, Model model,
                             DrivenOptions options)
    : MaxwellSystem(mesh, topology, std::move(model), std::move(options)),
      rounding_(mesh, MaxwellSystem::model()) {
  if (ports().empty()) throw InputError("a driven problem needs at least one [[port]]");
}

DrivenSolution DrivenProblem::solve(double frequency, const std::vector<Complex>& sources) {
  if (sources.empty() && not_split().empty() && rounding_.share(model(), frequency) > split_from_share)
    return solve_low(frequency);
  DrivenSolution solution;
  solution.frequency = frequency;
  const std::vector<ModeState> states = mode_states(frequency);
  for (const Eigen::Index i : reported()) solution.modes.push_back(states[std::size_t(i)]);
  assemble(frequency, matrix());
  solver().prepare(matrix());

  using Matrix = Eigen::MatrixXcd;
  const std::vector<Complex> f = loads(frequency);
  const auto n = Eigen::Index(num_unknowns()), count = Eigen::Index(f.size()) / n;
  std::vector<Complex> loads_and_sources = f;
  loads_and_sources.insert(loads_and_sources.end(), sources.begin(), sources.end());
  Matrix all(n, Eigen::Index(loads_and_sources.size()) / n);
  solution.solver = solver().solve(loads_and_sources.data(), all.data(), Index(all.cols()));
  const Matrix x = all.leftCols(count);
  const Matrix g = amplitude_rows(f).transpose() * x;
  solution.scattering =
      scattering(g, coupling_of(port_solutions(frequency)), states, reported(), 2 * pi * frequency);
  if (!sources.empty()) {
    const Matrix alone = all.rightCols(all.cols() - count);
    const auto response =
        source_response(amplitude_rows(f).transpose() * alone, g, coupling_of(port_solutions(frequency)),
                        states, reported(), 2 * pi * frequency);
    solution.source_waves = response.outgoing;
    const Matrix field = alone - x * response.weights;
    solution.source_x.assign(field.data(), field.data() + field.size());
  }
  const auto num_reported = Eigen::Index(reported().size()), num_dofs = Eigen::Index(space().num_dofs());
  solution.x.resize(std::size_t(num_dofs * num_reported));
  const Matrix y = x * solution.scattering.weights;
  if (bloch()) {
    bloch()->prolong(y.data(), Index(num_reported), bloch_factors(frequency), solution.x.data());
  } else {
    Eigen::Map<Matrix>(solution.x.data(), num_dofs, num_reported) = y;
  }
  return solution;
}

}  // namespace curlew::fem
