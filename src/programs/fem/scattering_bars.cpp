// SPDX-License-Identifier: BSD-3-Clause
#include "programs/fem/scattering_bars.hpp"

#include <fmt/format.h>

namespace curlew::programs {

ScatteringBars::ScatteringBars(const fem::DrivenProblem& problem, const fem::DrivenOptions& options,
                               const std::vector<fem::DrivenSolution>& solutions, Accuracy& accuracy) {
  const auto& mesh = *problem.space().mesh;
  const auto& topology = *problem.space().topology;
  accuracy.attempt([&] {
    const auto shape = fem::shape_variant(mesh, topology, problem.model());
    for (const std::size_t place : spread(solutions.size(), accuracy.options().frequencies)) {
      const auto& solution = solutions[place];
      const auto error =
          fem::scattering_error(mesh, topology, problem.model(), options, shape ? &*shape : nullptr,
                                solution.frequency, solution.scattering.s);
      errors_.insert({solution.frequency, error});
      for (Eigen::Index i = 0; i < error.s.rows(); ++i)
        for (Eigen::Index j = 0; j < error.s.cols(); ++j)
          accuracy.note(fmt::format("S{}{} at {:.6g} GHz", i + 1, j + 1, 1e-9 * solution.frequency),
                        error.s(i, j));
    }
  });
}

void ScatteringBars::add_to(run::Value& row, double frequency) const {
  const auto found = errors_.find(frequency);
  if (found == errors_.end()) return;
  const auto& s = found->second.s;
  for (Eigen::Index i = 0; i < s.rows(); ++i)
    for (Eigen::Index j = 0; j < s.cols(); ++j) row[fmt::format("s{}_{}_error", i + 1, j + 1)] = s(i, j);
}

std::string ScatteringBars::cell(const fem::DrivenSolution& solution, Eigen::Index i) const {
  const auto found = errors_.find(solution.frequency);
  if (found == errors_.end()) return "-";
  return decibel_bar(found->second.s(i, 0), std::abs(solution.scattering.s(i, 0)));
}

}  // namespace curlew::programs
