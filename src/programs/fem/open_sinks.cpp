// SPDX-License-Identifier: BSD-3-Clause
// What a run with waves, dipoles and currents writes and says.
#include "base/interrupt.hpp"
#include "base/wavenumber.hpp"
#include "fem/transfer.hpp"
#include "programs/fem/open_errors.hpp"
#include "programs/fem/open_job.hpp"

namespace curlew::programs {
namespace {

class OpenSink : public job::Sink<fem::OpenSolution> {
 public:
  OpenSink(const OpenJob& job, run::Run& run) : problem_(job.problem()), case_(job.config()), run_(run) {}

 protected:
  const fem::OpenProblem& problem_;
  const OpenCase& case_;
  run::Run& run_;
};

/// Powers of dipoles and currents in the summary.
class SourcePowers : public OpenSink {
 public:
  using OpenSink::OpenSink;
  void add(std::size_t, double frequency, const fem::OpenSolution& s) override {
    const auto excitations = shown_of(case_.excitations);
    for (std::size_t i = 0; i < excitations.size(); ++i)
      if (!excitations[i].wave)
        run_.results()["sources"].push_back({{"frequency_hz", frequency},
                                             {"source", excitations[i].label},
                                             {"power_w", case_.symmetry.copies() * s.source_power[i]}});
  }
};

/// [[sensitivity]] of cross-sections: of the whole body, in the directions of the pattern.
class SectionDerivatives : public OpenSink {
 public:
  SectionDerivatives(const OpenJob& job, run::Run& run)
      : OpenSink(job, run), sensitivities_(case_.parameters, std::nullopt, run) {}
  bool computes() const override { return true; }
  void add(std::size_t, double f, const fem::OpenSolution& solution) override;
  void close() override { sensitivities_.close(); }

 private:
  Sensitivities sensitivities_;
};

void SectionDerivatives::add(std::size_t, double f, const fem::OpenSolution& solution) {
  const InterruptHold hold;  // all rows of a frequency, or none
  const double k0 = wavenumber(f);
  const Offset n = problem_.space().num_dofs();
  const auto& excitations = problem_.excitations();
  const fem::RadiationCalculator calculator(problem_.space(), problem_.model(), *case_.far_field,
                                            run_.device());
  std::vector<ObservedSection> sections;
  for (std::size_t i = 0, o = 0; i < shown_of(excitations).size(); ++i) {
    const auto far = calculator.compute(&solution.x[i * std::size_t(n)], 1, f).front();
    for (std::size_t d = 0; d < far.directions.size(); ++d, ++o)
      sections.push_back({case_.duals.observations[o], {far.e_theta[d], far.e_phi[d]}});
  }
  Eigen::MatrixXcd x =
      Eigen::Map<const Eigen::MatrixXcd>(solution.x.data(), n, Eigen::Index(excitations.size()));
  for (std::size_t i = 0; i < excitations.size(); ++i) {
    const auto incident = fem::interpolate(
        problem_.space(),
        [known = fem::incident_field(excitations[i], k0)](Vec3<double> r) { return known(r).e; });
    x.col(Eigen::Index(i)) += Eigen::Map<const Eigen::VectorXcd>(incident.data(), n);
  }
  sensitivities_.add(problem_, f, x, 1, sections);
}

/// Bars of far fields, and the seconds of the whole run: those of the check follow from the others.
class PatternErrors : public OpenSink {
 public:
  using OpenSink::OpenSink;
  bool computes() const override { return true; }
  void plan(const job::Plan&) override {
    errors_.emplace(case_, case_.options, case_.frequencies, problem_, case_.accuracy, run_);
    const auto waves = double(case_.excitations.size()), steps = double(case_.frequencies.size());
    plan_fem_seconds(problem_.space(), problem_.solver_info(),
                     {.solutions = steps,
                      .right_hand_sides = waves,
                      .written = case_.write_fields ? steps * waves : 0,
                      .field_cells = case_.field_cells,
                      .check = errors_->price(),
                      .checks = errors_->checks()},
                     run_);
  }
  void add(std::size_t, double, const fem::OpenSolution& s) override { errors_->add(problem_, s); }
  void close() override { errors_->close(); }

 private:
  std::optional<OpenErrorOutput> errors_;
};

}  // namespace

job::Sinks<fem::OpenSolution> open_sinks(const OpenJob& job, run::Run& run) {
  job::Sinks<fem::OpenSolution> sinks;
  sinks.push_back(std::make_unique<MaxwellSink<fem::OpenSolution>>(job, run));
  sinks.push_back(std::make_unique<SourcePowers>(job, run));
  if (!job.config().parameters.empty()) sinks.push_back(std::make_unique<SectionDerivatives>(job, run));
  sinks.push_back(std::make_unique<PatternErrors>(job, run));
  return sinks;
}

}  // namespace curlew::programs
