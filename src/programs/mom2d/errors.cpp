// SPDX-License-Identifier: BSD-3-Clause
#include "programs/mom2d/errors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/constants.hpp"
#include "fields/pattern_error.hpp"
#include "mom2d/far_field.hpp"
#include "mom2d/halved.hpp"
#include "results/pattern_bars.hpp"

namespace curlew::programs {
namespace {

/// Unknowns of the halved cells up to which the estimate takes about a second.
constexpr long small_unknowns = 2000;
/// Twice the unknowns: four times the entries, eight times the work of the factors.
constexpr double price = 8;

/// [rad] those of the config, then back and forward.
std::vector<double> angles_of(const Mom2dConfig& c, double phi_inc) {
  std::vector<double> angles;
  for (const double a : c.angles_deg) angles.push_back(a * pi / 180);
  angles.insert(angles.end(), {phi_inc, phi_inc + pi});
  return angles;
}

/// Of every wave: the far-field amplitude as one component, none as the other, and a 1 in the place of power.
fields::Quantities quantities_of(const Mom2dConfig& c, const mom2d::Solution& s) {
  fields::Quantities q;
  for (std::size_t w = 0; w < s.phi.size(); ++w) {
    const auto f = mom2d::far_amplitude(s, w, angles_of(c, s.phi[w]));
    q.insert(q.end(), f.begin(), f.end());
    q.resize(q.size() + f.size());
    q.push_back(1);
  }
  return q;
}

mom2d::Problem halved(mom2d::Problem problem) {
  for (auto& body : problem.bodies) body.contour = mom2d::halved(body.contour);
  return problem;
}

void add_width_bar(double frequency, double k, const std::string& label, const std::string& name,
                   std::size_t at, const fields::PatternError& error, results::ErrorReport& report) {
  const double f = error.strength[at];
  results::add_direction_bar(frequency, label,
                             {name + " echo width", "1", name + "_width_db_error",
                              fmt::format("{:.4f} dBm", 10 * std::log10(std::max(f * f / (4 * k), 1e-300)))},
                             at, error, report);
}

}  // namespace

Mom2dErrors::Mom2dErrors(const results::AccuracyRequest& request, const Mom2dConfig& config, run::Run& run)
    : config_(config), run_(run), report_(request, run, "take more cells or nodes") {}

void Mom2dErrors::decide(long unknowns) {
  if (report_.is_off()) return;
  const long halved = halved_growth * unknowns;
  const auto memory = [&]() -> run::OptionalPart {
    const auto plan =
        linalg::plan_dense(halved, int(config_.incidence_deg.size()), config_.precision, run_.device(),
                           {config_.device_memory}, linalg::EntriesMade::where_factored);
    return {"error estimate", plan.host_bytes, plan.device_bytes, false};
  };
  wanted_ = report_.is_wanted({halved, price, double(config_.frequencies.size()), memory, small_unknowns});
}

void Mom2dErrors::add(double frequency, const mom2d::Solution& solution) {
  const auto& all = config_.frequencies;
  if (!wanted_ || (!report_.all_frequencies() && frequency != all[(all.size() - 1) / 2])) return;
  const auto timer = run_.stage("error estimate");
  report_.attempt([&] { estimate(frequency, solution); });
}

void Mom2dErrors::estimate(double frequency, const mom2d::Solution& solution) {
  const auto finer = mom2d::solve(halved(solution.problem), solution.phi,
                                  {run_.device(), config_.precision, false, config_.device_memory});
  const auto before = quantities_of(config_, solution), after = quantities_of(config_, finer);
  fields::Changes changes;
  for (std::size_t i = 0; i < before.size(); ++i) changes.by_order.push_back(after[i] - before[i]);
  const std::size_t m = config_.angles_deg.size() + 2;
  for (std::size_t w = 0; w < solution.phi.size(); ++w) {
    const auto label = fmt::format("phi {:g}", solution.phi[w] * 180 / pi);
    const auto error = fields::pattern_error(before, changes, w * (2 * m + 1), m);
    results::add_mean_pattern_bar(frequency, label, error, report_);
    add_width_bar(frequency, solution.problem.wavenumber, label, "backscatter", m - 2, error, report_);
    add_width_bar(frequency, solution.problem.wavenumber, label, "forward", m - 1, error, report_);
  }
}

void Mom2dErrors::close() {
  const bool chosen = config_.frequencies.size() > 1 && !report_.all_frequencies();
  report_.close(std::string("from cells of half the length") + (chosen ? ", at the middle frequency" : ""));
}

}  // namespace curlew::programs
