// SPDX-License-Identifier: BSD-3-Clause
#include "programs/fe_iiee/peaks.hpp"

#include <cmath>
#include <utility>

#include "base/constants.hpp"
#include "fem/passes/passes.hpp"
#include "fem/sensitivity/solved_form.hpp"
#include "results/port_bars.hpp"
#include "truncation/symmetric_parts.hpp"

namespace curlew::fe_iiee {

Peaks::Peaks(TruncatedJob& job, const Solved& solved, const std::vector<std::size_t>& columns,
             const std::vector<Look>& looks, double least_gain)
    : job_(job),
      frequency_(solved.frequency),
      outside_(job.problem().exterior(solved.frequency)),
      scattering_(solved.ports.scattering.s),
      x_(solved.result.x) {
  const bool has_waves = !job.config().waves.empty();
  const auto own = Eigen::Index(x_.size() / job.num_dofs());
  const double mu_r = outside_.k * outside_.impedance / (2 * pi * frequency_ * vacuum_permeability);
  std::vector<truncation::Excitation> duals;
  for (const std::size_t column : columns)
    for (const Look look : looks) {
      const auto at = peak(solved, column, look);
      if (least_gain > 0 && gain(column, at) < least_gain) continue;
      columns_.push_back(column), peaks_.push_back(at);
      const double size = std::sqrt(std::max(at.square(), has_waves ? least_square() : 1e-300));
      const bool is_own = has_waves && tests_itself(column, at);
      parts_.push_back({is_own ? Eigen::Index(column) : own + Eigen::Index(duals.size()),
                        2 * mu_r / (4 * pi) / size / job.share()});
      if (!is_own)
        duals.push_back({truncation::symmetric_part(dual_wave(at), job.problem().surfaces().planes)});
    }
  if (duals.empty()) return;
  const auto more = job.problem().solve(frequency_, duals).x;
  x_.insert(x_.end(), more.begin(), more.end());
}

double Peaks::gain(std::size_t column, const fields::Peak& peak) const {
  const auto at = Eigen::Index(column);
  const double accepted = fem::accepted_power(
      {at, 0, 0, fem::modes_of_port(std::as_const(job_).system().modes(), at)}, scattering_);
  return accepted > 1e-12 ? fields::directivity(std::sqrt(peak.square()), 0, accepted, outside_.impedance)
                          : 0;
}

fields::Peak Peaks::peak(const Solved& solved, std::size_t column, Look look) const {
  const auto& c = job_.config();
  const auto directions = look == Look::back ? std::vector{c.waves[column].source()}
                          : c.waves.empty()  ? c.far_field.directions
                                             : c.directions(c.waves[column]);
  return fields::peak_of(directions, job_.far_field(solved, column, directions, outside_));
}

/// Whether the wave of a column is the one that arrives from a peak with its polarisation. A share of what
/// returns with the other polarisation changes the amplitude by about that share of its own change, which the
/// factors of bars cover.
bool Peaks::tests_itself(std::size_t column, const fields::Peak& peak) const {
  constexpr double most_cross = 0.1;
  const auto& wave = job_.config().waves[column];
  const auto source = wave.source();
  const Complex cross = std::cos(wave.angle) * peak.phi - std::sin(wave.angle) * peak.theta;
  return std::abs(source.theta - peak.direction.theta) + std::abs(source.phi - peak.direction.phi) < 1e-9 &&
         std::norm(cross) <= most_cross * most_cross * std::max(peak.square(), least_square());
}

/// The wave of 1 V/m that arrives from a peak with its polarisation, conjugated.
green::PlaneWave Peaks::dual_wave(const fields::Peak& peak) const {
  const auto by = [&](double polarization) {
    return green::arriving_wave(peak.direction.theta, peak.direction.phi, polarization, outside_.k);
  };
  auto wave = by(0);
  if (const double size = std::sqrt(peak.square()); size > 0)
    wave.amplitude =
        std::conj(peak.theta) / size * wave.amplitude + std::conj(peak.phi) / size * by(pi / 2).amplitude;
  return wave;
}

Eigen::Map<const Eigen::MatrixXcd> Peaks::x() const {
  const auto n = Eigen::Index(job_.num_dofs());
  return {x_.data(), n, Eigen::Index(x_.size()) / n};
}

Eigen::MatrixXd Peaks::weights() const {
  Eigen::MatrixXd all = Eigen::MatrixXd::Zero(x().cols(), x().cols());
  for (std::size_t i = 0; i < size(); ++i) {
    all(parts_[i].row, Eigen::Index(columns_[i])) += parts_[i].weight;
    if (!has_ports()) continue;
    const auto at = of_port(i);
    for (const Eigen::Index m : at.modes)
      all(m, at.column) +=
          2 * std::abs(scattering_(m, at.column) / form_of_s()) / fem::accepted_power(at, scattering_);
  }
  return all;
}

fem::SurplusErrors Peaks::test(const Eigen::MatrixXd& weights) const {
  const auto& system = std::as_const(job_).system();
  return fem::surplus_errors(system.space(), system.model(), frequency_, x(), weights,
                             {job_.problem().surfaces().outer, {}});
}

fem::PortPeak Peaks::of_port(std::size_t i) const {
  const auto column = Eigen::Index(columns_[i]);
  return {column, parts_[i].row, parts_[i].weight,
          fem::modes_of_port(std::as_const(job_).system().modes(), column)};
}

double Peaks::change_of_gain(std::size_t i, const Eigen::MatrixXcd& forms) const {
  return fem::change_of_gain(of_port(i), scattering_, form_of_s(), forms);
}

Eigen::MatrixXcd Peaks::moved(const fem::ShapeVariant* shape, mesh::Pass* pass) const {
  if (shape == nullptr) return Eigen::MatrixXcd::Zero(x().cols(), x().cols());
  const auto& system = std::as_const(job_).system();
  const fem::SolvedForm form(system.assembler(), x());
  const fem::SolvedForm::State state{system.model(), frequency_};
  const mesh::Mesh& mesh = job_.config().mesh;
  if (pass != nullptr) return fem::shape_safety * fem::add_shape(form, state, mesh, *shape, weights(), *pass);
  return fem::shape_safety / shape->share * form.difference(state, mesh, shape->mesh);
}

std::vector<fields::PatternError> Peaks::errors(const fem::ShapeVariant* shape) const {
  const auto& system = std::as_const(job_).system();
  const auto found = test(Eigen::MatrixXd::Zero(x().cols(), x().cols()));
  const auto missing = fem::missing_of_one_mesh(system.space(), system.model(), found);
  const Eigen::MatrixXcd moved = this->moved(shape);
  const auto of_elements = [&](Complex gradients, Complex others) {
    return fem::surplus_bar(gradients, others, missing);
  };
  const Eigen::MatrixXd bars =
      found.gradients
          .binaryExpr(found.others, [&](Complex g, Complex o) { return Complex(of_elements(g, o)); })
          .real() +
      moved.cwiseAbs();
  std::vector<fields::PatternError> errors;
  for (std::size_t i = 0; i < size(); ++i) {
    const double size = std::sqrt(square(i)), by_facets = 0.5 * std::abs(bar(i, moved)),
                 by_elements = 0.5 * of_elements(bar(i, found.gradients), bar(i, found.others));
    errors.push_back({.field = {size * (by_elements + by_facets)},
                      .strength = {size},
                      .order = by_elements,
                      .shape = by_facets});
    if (!has_ports()) continue;
    const auto c = Eigen::Index(columns_[i]), modes = scattering_.rows();
    errors.back().power =
        results::bar_of_power(scattering_.col(c), bars.col(c).head(modes) / std::abs(form_of_s()));
    errors.back().gain = of_elements(change_of_gain(i, found.gradients), change_of_gain(i, found.others)) +
                         std::abs(change_of_gain(i, moved));
  }
  return errors;
}

}  // namespace curlew::fe_iiee
