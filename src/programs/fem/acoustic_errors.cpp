// SPDX-License-Identifier: BSD-3-Clause
#include "programs/fem/acoustic_errors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "fem/acoustics/acoustic_probes.hpp"
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

template <class S>
AcousticErrors<S>::AcousticErrors(const AcousticCase& c, const SoundSystem& system, run::Run& run)
    : case_(c), system_(system), run_(run), report_(c.accuracy, run) {
  report_.show_hertz();
}

template <class S>
void AcousticErrors<S>::plan(const job::Plan&) {
  if (report_.is_off()) return;
  const RunSystem solved = system_.system();
  frequencies_ = std::size_t(solved.solutions);
  auto shape = fem::shape_variant(case_.mesh);
  const auto price =
      fem::price_of_check(case_.topology, case_.model.order, shape.has_value(), fem::lagrange_functions);
  planned_ = plan_check(std::move(shape), price, solved, report_);
}

template <class S>
void AcousticErrors<S>::add(std::size_t number, double, const S& s) {
  if (!planned_.is_wanted() || (is_one_of_many() && number != (frequencies_ - 1) / 2)) return;
  const auto timer = run_.stage("error estimate");
  report_.attempt([&] { estimate(s); });
}

template <class S>
void AcousticErrors<S>::close() {
  report_.close(fem::describe_check(case_.model.order, planned_.shape.has_value()) +
                (is_one_of_many() ? ", at the middle frequency" : ""));
}

template <class S>
fem::Changes AcousticErrors<S>::changes(
    const fem::Quantities& reported,
    const std::function<fem::Quantities(const mesh::Mesh&, int)>& solve) const {
  const int order = case_.model.order;
  return fem::solve_again(reported, order, case_.mesh, planned_.shape ? &*planned_.shape : nullptr, solve, {},
                          fem::least_ratio(case_.mesh, case_.topology, order));
}

template <class S>
fem::AcousticModel AcousticErrors<S>::model_of_order(int order) const {
  fem::AcousticModel model = case_.model;
  model.order = order;
  return model;
}

template class AcousticErrors<fem::AcousticSolution>;
template class AcousticErrors<AcousticModes>;

void PressureErrors::estimate(const fem::AcousticSolution& solution) {
  const auto& model = case_.model;
  const auto q = quantities_of(system_.space(), model, solution);
  const auto changes = this->changes(q, [&](const mesh::Mesh& mesh, int order) {
    const auto other = model_of_order(order);
    fem::AcousticProblem again(mesh, case_.topology, other, case_.options);
    again.analyse();
    return quantities_of(again.space(), other, again.solve(solution.frequency));
  });
  for (std::size_t i = 0; i < q.size(); ++i) {
    const bool is_power = i + 1 == q.size();
    const auto [error, elements] = bar(changes, i);
    const double size = std::abs(q[i]), relative = error / std::max(size, 1e-300);
    if (is_power && model.is_lossless()) continue;  // it is 0
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
                 is_power ? "" : model.probes[i].name});
  }
}

void ModeErrors::estimate(const AcousticModes& modes) {
  const auto frequencies = [](const AcousticModes& all) {
    fem::Quantities q;
    for (const auto& mode : all) q.push_back(mode.frequency);
    return q;
  };
  const auto reported = frequencies(modes);
  const auto& options = case_.modes;
  auto changes = this->changes(reported, [&](const mesh::Mesh& mesh, int order) {
    const auto model = model_of_order(order);
    const auto space =
        fem::make_lagrange_space(mesh, case_.topology, order, fem::dirichlet_triangles(model, mesh));
    return fem::modes_again(reported, options.target, [&](double target, int count) {
      return frequencies(fem::acoustic_modes(space, model, {count, target, options.direct}));
    });
  });
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
    errors_.push_back(error);
  }
}

void ModeErrors::close() {
  for (std::size_t i = 0; i < errors_.size(); ++i)
    run_.results()[fmt::format("f{}_error_hz", i + 1)] = errors_[i];
  AcousticErrors::close();
}

}  // namespace curlew::programs
