// SPDX-License-Identifier: BSD-3-Clause
#include "programs/fem/acoustic_errors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "fem/error/edge_ratio.hpp"
#include "fem/error/modes_again.hpp"

namespace curlew::programs {
namespace {

/// Pressures at the probes, then the input power.
fem::Quantities quantities_of(const fem::LagrangeSpace& space, const fem::AcousticModel& model,
                              const fem::AcousticSolution& solution) {
  fem::Quantities q;
  for (const auto& reading : fem::ProbeSet(space, model.probes).read(solution.pressure))
    q.push_back(reading.pressure);
  q.push_back(solution.power.input);
  return q;
}

struct Bar {
  double whole, elements;
};
Bar bar(const fem::Changes& changes, std::size_t i) {
  const double change = std::abs(changes.by_order[i]),
               before = changes.before.empty() ? 0 : std::abs(changes.before[i]),
               ratio = before > 0 ? change / before : 0;  // |d_3| / |d_2|, at order 3
  return {fem::bar_of(changes, i, ratio),
          fem::order_error(change, changes.order, ratio, changes.least_ratio)};
}

/// Changes of modes as far as the others let them be believed.
void believe(const fem::Quantities& reported, fem::Changes& changes) {
  const auto sizes = [](const fem::Quantities& q) {
    std::vector<double> v;
    for (const Complex z : q) v.push_back(std::abs(z));
    return v;
  };
  const auto believed =
      fem::believed_changes(sizes(changes.by_order), sizes(changes.before), sizes(reported), changes.order);
  changes.by_order.assign(believed.begin(), believed.end());
}

}  // namespace

AcousticErrors::AcousticErrors(const io::Config& config, const fem::LagrangeSpace& space,
                               const fem::AcousticModel& model, const RunSystem& system, run::Run& run)
    : space_(space),
      model_(model),
      frequencies_(std::size_t(system.solutions)),
      run_(run),
      report_(results::read_accuracy(config), run) {
  report_.show_hertz();
  if (report_.is_off()) return;
  auto shape = fem::shape_variant(*space.mesh);
  const auto price =
      fem::price_of_check(*space.topology, model.order, shape.has_value(), fem::lagrange_functions);
  planned_ = plan_check(std::move(shape), price, system, report_);
}

void AcousticErrors::add(std::size_t number, const fem::AcousticSolution& solution,
                         const linalg::SystemOptions& options) {
  if (!planned_.is_wanted() || (!report_.all_frequencies() && number != (frequencies_ - 1) / 2)) return;
  const auto timer = run_.stage("error estimate");
  report_.attempt([&] { estimate(solution, options); });
}

void AcousticErrors::add(const std::vector<fem::AcousticMode>& modes,
                         const fem::AcousticModeOptions& options) {
  if (!planned_.is_wanted()) return;
  const auto timer = run_.stage("error estimate");
  report_.attempt([&] { estimate(modes, options); });
}

void AcousticErrors::estimate(const fem::AcousticSolution& solution, const linalg::SystemOptions& options) {
  const auto solve = [&](const mesh::Mesh& mesh, int order) {
    fem::AcousticModel model = model_;
    model.order = order;
    fem::AcousticProblem again(mesh, *space_.topology, model, options);
    again.analyse();
    return quantities_of(again.space(), model, again.solve(solution.frequency));
  };
  const auto q = quantities_of(space_, model_, solution);
  const auto changes =
      fem::solve_again(q, model_.order, *space_.mesh, planned_.shape ? &*planned_.shape : nullptr, solve, {},
                       fem::least_ratio(*space_.mesh, *space_.topology, model_.order));
  for (std::size_t i = 0; i < q.size(); ++i) {
    const bool is_power = i + 1 == q.size();
    const auto [error, elements] = bar(changes, i);
    const double size = std::abs(q[i]), relative = error / std::max(size, 1e-300);
    if (is_power && model_.is_lossless()) continue;  // it is 0
    const double level = results::decibel_error(size, error);
    report_.add({solution.frequency,
                 is_power ? "input power" : "pressure",
                 is_power ? "W" : "Pa",
                 size,
                 error,
                 elements,
                 relative,
                 fmt::format("{:.6g} {}", size, is_power ? "W" : "Pa"),
                 is_power ? fmt::format("{:.2g} %", 100 * relative) : fmt::format("{:.2g} dB", level),
                 {is_power ? std::pair<std::string, double>{"input_power_relative_error", relative}
                           : std::pair<std::string, double>{"level_db_error", level}},
                 is_power ? "" : model_.probes[i].name});
  }
}

void AcousticErrors::estimate(const std::vector<fem::AcousticMode>& modes,
                              const fem::AcousticModeOptions& options) {
  const auto frequencies = [](const std::vector<fem::AcousticMode>& all) {
    fem::Quantities q;
    for (const auto& mode : all) q.push_back(mode.frequency);
    return q;
  };
  const auto reported = frequencies(modes);
  const auto solve = [&](const mesh::Mesh& mesh, int order) {
    fem::AcousticModel model = model_;
    model.order = order;
    const auto space =
        fem::make_lagrange_space(mesh, *space_.topology, order, fem::dirichlet_triangles(model, mesh));
    return fem::modes_again(reported, options.target, [&](double target, int count) {
      return frequencies(fem::acoustic_modes(space, model, {count, target, options.direct}));
    });
  };
  auto changes =
      fem::solve_again(reported, model_.order, *space_.mesh, planned_.shape ? &*planned_.shape : nullptr,
                       solve, {}, fem::least_ratio(*space_.mesh, *space_.topology, model_.order));
  believe(reported, changes);
  for (std::size_t i = 0; i < modes.size(); ++i) {
    const auto [error, elements] = bar(changes, i);
    const double f = modes[i].frequency.real();
    report_.add({f,
                 fmt::format("mode {}", i + 1),
                 "Hz",
                 f,
                 error,
                 elements,
                 error / f,
                 fmt::format("{:.6f} Hz", f),
                 fmt::format("{:.2g} Hz, {:.2g} %", error, 100 * error / f),
                 {{"frequency_error_hz", error}}});
    run_.results()[fmt::format("f{}_error_hz", i + 1)] = error;
  }
}

void AcousticErrors::close() {
  report_.close(fem::describe_check(model_.order, planned_.shape.has_value()) +
                (frequencies_ > 1 && !report_.all_frequencies() ? ", at the middle frequency" : ""));
}

}  // namespace curlew::programs
