// SPDX-License-Identifier: BSD-3-Clause
#include "programs/fe_iiee/peaks.hpp"

#include <cmath>
#include <utility>

#include "base/constants.hpp"
#include "fem/error/residual_error.hpp"
#include "fem/error/shape_variant.hpp"
#include "fem/sensitivity/solved_form.hpp"

namespace curlew::fe_iiee {

Peaks::Peaks(TruncatedJob& job, const Solved& solved, std::vector<std::size_t> columns)
    : job_(job),
      frequency_(solved.frequency),
      outside_(job.problem().exterior(solved.frequency)),
      columns_(std::move(columns)),
      x_(solved.result.x) {
  const auto& c = job.config();
  const bool has_waves = !c.waves.empty(), is_own = has_waves && c.far_field.monostatic;
  const auto own = Eigen::Index(x_.size() / job.num_dofs());
  const double mu_r = outside_.k * outside_.impedance / (2 * pi * frequency_ * vacuum_permeability);
  std::vector<truncation::Excitation> duals;
  for (const std::size_t column : columns_) {
    const auto directions = has_waves ? c.directions(c.waves[column]) : c.far_field.directions;
    const auto far = job.far_field(solved, column, directions, outside_);
    Peak peak{};
    for (std::size_t d = 0; d < directions.size(); ++d)
      if (const Peak at{directions[d], far.e_theta[d], far.e_phi[d]}; d == 0 || at.square() > peak.square())
        peak = at;
    peaks_.push_back(peak);
    const double square = std::max(peak.square(), has_waves ? least_square() : 1e-300),
                 scale = 2 * mu_r / (4 * pi) / square;
    if (is_own) {
      parts_.push_back({{Eigen::Index(column), scale * std::sqrt(square)}});
      continue;
    }
    const auto row = own + Eigen::Index(duals.size());
    parts_.push_back({{row, scale * std::abs(peak.theta)}, {row + 1, scale * std::abs(peak.phi)}});
    for (const double polarization : {0.0, pi / 2})
      duals.push_back(
          {{green::arriving_wave(peak.direction.theta, peak.direction.phi, polarization, outside_.k)}});
  }
  if (duals.empty()) return;
  const auto more = job.problem().solve(frequency_, duals).x;
  x_.insert(x_.end(), more.begin(), more.end());
}

double Peaks::least_square() const {
  return std::pow(1e-12 * 2 * pi / outside_.k, 2);
}

Eigen::Map<const Eigen::MatrixXcd> Peaks::x() const {
  const auto n = Eigen::Index(job_.num_dofs());
  return {x_.data(), n, Eigen::Index(x_.size()) / n};
}

Eigen::MatrixXd Peaks::weights() const {
  Eigen::MatrixXd all = Eigen::MatrixXd::Zero(x().cols(), x().cols());
  for (std::size_t i = 0; i < size(); ++i)
    for (const auto& [row, weight] : parts_[i]) all(row, Eigen::Index(columns_[i])) += weight;
  return all;
}

fem::SurplusErrors Peaks::test(const Eigen::MatrixXd& weights) const {
  const auto& system = std::as_const(job_).system();
  return fem::surplus_errors(system.space(), system.model(), frequency_, x(), weights,
                             {job_.problem().surfaces().outer, {}});
}

std::vector<fields::PatternError> Peaks::errors() const {
  const auto& system = std::as_const(job_).system();
  const auto found = test(Eigen::MatrixXd::Zero(x().cols(), x().cols()));
  const Eigen::MatrixXd bars = fem::bars_of_one_mesh(system, found, found.gradients, found.others);
  const auto& mesh = job_.config().mesh;
  Eigen::MatrixXd facets = Eigen::MatrixXd::Zero(bars.rows(), bars.cols());
  if (const auto shape = fem::shape_variant(mesh, job_.config().topology, system.model()))
    facets = fem::shape_safety / shape->share *
             fem::SolvedForm(system.assembler(), x())
                 .difference({system.model(), frequency_}, mesh, shape->mesh)
                 .cwiseAbs();
  std::vector<fields::PatternError> errors;
  for (std::size_t i = 0; i < size(); ++i) {
    const double size = std::sqrt(square(i)), by_elements = 0.5 * bar(i, bars),
                 by_facets = 0.5 * bar(i, facets);
    errors.push_back({.field = {size * (by_elements + by_facets)},
                      .strength = {size},
                      .order = by_elements,
                      .shape = by_facets});
  }
  return errors;
}

}  // namespace curlew::fe_iiee
