// SPDX-License-Identifier: BSD-3-Clause
#include "programs/fem/open_errors.hpp"

#include "base/wavenumber.hpp"
#include "fem/error/edge_ratio.hpp"
#include "results/pattern_bars.hpp"

namespace curlew::programs {
namespace {

/// Of every excitation: E_theta and E_phi of its directions, radiated power.
fem::Quantities quantities_of(const fem::OpenProblem& problem, const fem::OpenSolution& solution,
                              const fem::FarFieldRequest& request) {
  const fem::RadiationCalculator calculator(problem.space(), problem.model(), request);
  const double k0 = wavenumber(solution.frequency);
  const auto n = std::size_t(problem.space().num_dofs());
  fem::Quantities q;
  for (std::size_t i = 0; i < problem.excitations().size(); ++i) {
    const auto& e = problem.excitations()[i];
    const auto known = !e.wave && e.background ? fem::incident_field(e, k0) : nullptr;
    const auto far = calculator.compute(&solution.x[i * n], 1, solution.frequency, known).front();
    q.insert(q.end(), far.e_theta.begin(), far.e_theta.end());
    q.insert(q.end(), far.e_phi.begin(), far.e_phi.end());
    q.push_back(far.radiated);
  }
  return q;
}

}  // namespace

OpenErrorOutput::OpenErrorOutput(const MaxwellSetup& setup, const fem::DrivenOptions& options,
                                 const std::vector<double>& frequencies, const fem::OpenProblem& problem,
                                 const results::AccuracyRequest& request, run::Run& run)
    : setup_(setup), options_(options), frequencies_(frequencies), run_(run), report_(request, run) {
  if (setup.far_field)
    planned_ = plan_check(setup.mesh, setup.topology, setup.model,
                          {problem.nnz(), problem.solver_info(), double(frequencies.size())}, report_);
}

void OpenErrorOutput::add(const fem::OpenProblem& problem, const fem::OpenSolution& solution) {
  const bool chosen = solution.frequency == frequencies_[(frequencies_.size() - 1) / 2];
  if (!planned_.is_wanted() || (!chosen && !report_.all_frequencies())) return;
  const auto timer = run_.stage("error estimate");
  report_.attempt([&] { estimate(problem, solution); });
}

void OpenErrorOutput::estimate(const fem::OpenProblem& problem, const fem::OpenSolution& solution) {
  const auto q = quantities_of(problem, solution, *setup_.far_field);
  const auto solve = [&](const mesh::Mesh& on, int order) {
    fem::Model model = setup_.model;
    model.set_order(order);
    fem::OpenProblem again(on, setup_.topology, std::move(model), problem.excitations(), options_);
    again.analyse();
    return quantities_of(again, again.solve(solution.frequency), *setup_.far_field);
  };
  const auto changes =
      fem::solve_again(q, setup_.model.order, setup_.mesh, planned_.shape ? &*planned_.shape : nullptr, solve,
                       {}, fem::least_ratio(setup_.mesh, setup_.topology, setup_.model));
  const auto& excitations = problem.excitations();
  const std::size_t each = q.size() / excitations.size(), directions = (each - 1) / 2;
  for (std::size_t i = 0; i < excitations.size() && !excitations[i].is_dual; ++i)
    results::add_pattern_bars(solution.frequency, excitations[i].label, excitations[i].wave.has_value(),
                              fem::pattern_error(q, changes, i * each, directions), report_);
}

void OpenErrorOutput::close() {
  report_.close(fem::describe_check(setup_.model.order, planned_.shape.has_value()) +
                (frequencies_.size() > 1 && !report_.all_frequencies() ? ", at the middle frequency" : ""));
}

}  // namespace curlew::programs
