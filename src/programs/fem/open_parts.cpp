// SPDX-License-Identifier: BSD-3-Clause
// Waves without the symmetry of [[symmetry]], solved by their symmetric parts.
#include "base/error.hpp"
#include "fem/open/symmetric_waves.hpp"
#include "fem/report/solver_report.hpp"
#include "fem/transfer.hpp"
#include "programs/fem/open_job.hpp"

namespace curlew::programs {
namespace {

/// Sums over the symmetric parts of waves at one frequency.
struct PartSums {
  fem::OpenSolution solution;
  std::vector<fem::Radiation> radiated;  ///< [excitations]
};

/// Parts of different symmetry are orthogonal over the sphere: powers add.
void add_radiation(const fem::Radiation& part, fem::Radiation& sum) {
  if (sum.directions.empty()) {
    sum = part;
    return;
  }
  for (std::size_t d = 0; d < sum.directions.size(); ++d)
    sum.e_theta[d] += part.e_theta[d], sum.e_phi[d] += part.e_phi[d];
  sum.radiated += part.radiated;
  if (sum.far_power)
    sum.far_power = part.far_power ? std::optional(*sum.far_power + *part.far_power) : std::nullopt;
}

/// Parts are solved in sequence, so that only one system is in memory.
void solve_part(const fem::OpenPart& part, const OpenCase& c, const fem::NedelecSpace& space,
                std::vector<PartSums>& sums, run::Run& run) {
  fem::OpenProblem problem(c.mesh, c.topology, part.model, part.excitations, c.options);
  problem.analyse();
  std::optional<fem::RadiationCalculator> calculator;
  if (c.far_field) {
    fem::FarFieldRequest request = *c.far_field;
    request.symmetry = part.symmetry;
    calculator.emplace(problem.space(), problem.model(), request);
  }
  const auto n = std::size_t(problem.space().num_dofs()), m = std::size_t(space.num_dofs());
  for (PartSums& sum : sums) {
    const double f = sum.solution.frequency;
    const auto solution = problem.solve(f);
    fem::state_solve(solution.solver, run);
    check_interrupt();
    for (std::size_t i = 0; i < part.which.size(); ++i) {
      const std::vector<Complex> x(&solution.x[i * n], &solution.x[i * n] + n);
      std::vector<Complex> here(m);
      fem::add_unknowns(problem.space(), x, space, here);
      for (std::size_t d = 0; d < m; ++d) sum.solution.x[part.which[i] * m + d] += here[d];
      if (calculator) add_radiation(calculator->compute(x.data(), 1, f).front(), sum.radiated[part.which[i]]);
    }
  }
}

/// @param parts at least one @returns the model whose space holds the unknowns of all
fem::Model magnetic_model(const OpenCase& c, const std::vector<fem::OpenPart>& parts) {
  fem::Model magnetic = parts.front().model;
  for (auto it = magnetic.boundaries.end() - long(c.symmetry.planes.size()); it != magnetic.boundaries.end();
       ++it)
    it->condition = fem::pmc_condition();
  return magnetic;
}

class PartsJob : public job::Planned, public fem::Shows<PartSums> {
 public:
  explicit PartsJob(const OpenCase& c)
      : case_(c),
        parts_(fem::symmetric_parts(c.model, c.mesh, c.topology, c.symmetry, c.excitations)),
        whole_(c.mesh, c.topology, magnetic_model(c, parts_), c.excitations, c.options) {}

  job::Plan plan(run::Run& run) override {
    fem::state_sizes(whole_.space(), whole_.nnz(), run);
    run.size("right_hand_sides", long(case_.excitations.size()));
    run.size("symmetric_parts", long(parts_.size()));
    return {whole_.space().num_dofs()};
  }

  /// At all frequencies.
  std::vector<PartSums> solve(run::Run& run) const {
    const auto timer = run.stage("frequencies");
    const std::size_t count = case_.excitations.size();
    std::vector<PartSums> sums(case_.frequencies.size());
    for (std::size_t f = 0; f < sums.size(); ++f) {
      sums[f].solution.frequency = case_.frequencies[f];
      sums[f].solution.x.resize(std::size_t(whole_.space().num_dofs()) * count);
      sums[f].solution.source_power.assign(count, 0);
      if (case_.far_field) sums[f].radiated.resize(count);
    }
    for (const auto& part : parts_) solve_part(part, case_, whole_.space(), sums, run);
    return sums;
  }

  void show(const PartSums& s, const std::function<void(const fem::Shown&)>& take) const override {
    show_open(case_, s.solution, s.radiated, take);
  }
  std::unique_ptr<fem::MaxwellFiles> make_files(run::Run& run) const override {
    return make_open_files(case_, whole_, run);
  }

 private:
  const OpenCase& case_;
  std::vector<fem::OpenPart> parts_;
  fem::OpenProblem whole_;
};

}  // namespace

void solve_by_parts(const OpenCase& c, run::Run& run) {
  PartsJob problem(c);
  job::Sinks<PartSums> sinks;
  sinks.push_back(std::make_unique<fem::MaxwellSink<PartSums>>(problem, run));
  job::run_by(problem, sinks, run, [&](auto& delivery) {
    for (auto& sum : problem.solve(run)) delivery.add(sum.solution.frequency, std::move(sum));
  });
}

}  // namespace curlew::programs
