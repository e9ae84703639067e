// SPDX-License-Identifier: BSD-3-Clause
// Error bars of sound: pressures at probes, input power, frequencies of modes.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "fem/acoustics/acoustic_probes.hpp"
#include "fem/acoustics/acoustic_radiation.hpp"
#include "fem/error/edge_ratio.hpp"
#include "fem/error/modes_again.hpp"
#include "fem/passes/planned_check.hpp"
#include "fem/sound/acoustic_case.hpp"
#include "results/mode_results.hpp"

namespace curlew::fem {
namespace {

/// A quantity with an error bar.
struct Asked {
  std::string quantity, unit, source{};
  bool is_power() const { return unit == "W"; }
};

/// Pressures at the probes, the input power of walls, the greatest far field, the power that a wave scatters.
std::vector<Asked> asked_of(const AcousticModel& model) {
  std::vector<Asked> all;
  for (const auto& probe : model.probes) all.push_back({"pressure", "Pa", probe.name});
  if (!model.wave && !model.is_lossless()) all.push_back({"input power", "W"});
  if (model.far_field) all.push_back({"greatest far field", "Pa m"});
  if (model.far_field && model.wave) all.push_back({"scattered power", "W"});
  return all;
}

/// Quantities whose errors are estimated. @param direction of the greatest far field
Quantities quantities_of(const LagrangeSpace& space, const AcousticModel& model,
                         const AcousticSolution& solution, fields::Direction direction) {
  Quantities q;
  for (const auto& reading : ProbeSet(space, model.probes).read(solution.pressure))
    q.push_back(reading.pressure);
  if (!model.wave && !model.is_lossless()) q.push_back(model.symmetry.copies() * solution.power.input);
  if (!model.far_field) return q;
  const auto pattern = SoundRadiation(space, model).pattern(solution, std::array{direction});
  q.push_back(pattern.pressure.front());
  if (model.wave) q.push_back(pattern.power);
  return q;
}

/// Direction of the greatest far field.
fields::Direction greatest_direction(const LagrangeSpace& space, const AcousticModel& model,
                                     const AcousticSolution& solution) {
  if (!model.far_field) return {};
  const auto directions = model.far_field->directions();
  return directions[SoundRadiation(space, model).pattern(solution, directions).strongest()];
}

struct Bar {
  double whole, elements;
};
Bar bar(const Changes& changes, std::size_t i) {
  const double change = std::abs(changes.by_order[i]),
               before = changes.before.empty() ? 0 : std::abs(changes.before[i]),
               ratio = before > 0 ? change / before : 0;  // |d_3| / |d_2|, at order 3
  return {bar_of(changes, i, ratio), order_error(change, changes.order, ratio, changes.least_ratio)};
}

/// Replaces changes of modes by believed_changes.
void believe(const Quantities& reported, Changes& changes) {
  const auto sizes = [](const Quantities& q) {
    std::vector<double> v;
    for (const Complex z : q) v.push_back(std::abs(z));
    return v;
  };
  const auto believed =
      believed_changes(sizes(changes.by_order), sizes(changes.before), sizes(reported), changes.order);
  changes.by_order.assign(believed.begin(), believed.end());
}

template <class S>
class SoundErrors : public CheckSink<S> {
 public:
  SoundErrors(const AcousticCase& c, const SoundSystem& system, std::size_t frequencies, run::Run& run)
      : CheckSink<S>(c.accuracy, c.model.order, frequencies, run), case_(c), system_(system) {
    this->report_.show_hertz();
  }
  void plan(const job::Plan&) override {
    if (this->report_.is_off()) return;
    auto shape = case_.model.pml.empty() ? shape_variant(case_.mesh)
                                         : shape_variant(case_.mesh, case_.topology, case_.model.pml);
    const auto price =
        price_of_check(case_.topology, case_.model.order, shape.has_value(), lagrange_functions);
    this->check_ = plan_check(std::move(shape), price, system_.system(), this->report_);
  }

 protected:
  /// @param solve the same quantities on a mesh with a model
  template <class Solve>
  Changes changes(const Quantities& reported, const Solve& solve) const {
    const auto again = [&](const mesh::Mesh& mesh, int order) {
      AcousticModel model = case_.model;
      model.order = order;
      return solve(mesh, model);
    };
    const int order = case_.model.order;
    return solve_again(reported, order, case_.mesh, this->shape(), again, {},
                       least_ratio(case_.mesh, case_.topology));
  }

  const AcousticCase& case_;
  const SoundSystem& system_;
};

class PressureErrors : public SoundErrors<AcousticSolution> {
 public:
  using SoundErrors::SoundErrors;

 private:
  void estimate(double, const AcousticSolution& solution) override;
};

void PressureErrors::estimate(double, const AcousticSolution& solution) {
  const auto& model = case_.model;
  const auto direction = greatest_direction(system_.space(), model, solution);
  const auto q = quantities_of(system_.space(), model, solution, direction);
  const auto changes = this->changes(q, [&](const mesh::Mesh& mesh, const AcousticModel& other) {
    AcousticProblem again(mesh, case_.topology, other, case_.options);
    again.analyse();
    return quantities_of(again.space(), other, again.solve(solution.frequency), direction);
  });
  const auto asked = asked_of(model);
  for (std::size_t i = 0; i < q.size(); ++i) {
    const bool is_power = asked[i].is_power();
    const std::string& unit = asked[i].unit;
    const auto [error, elements] = bar(changes, i);
    const double size = std::abs(q[i]), relative = error / std::max(size, 1e-300);
    const double level = results::decibel_error(size, error);
    report_.add({solution.frequency,
                 asked[i].quantity,
                 unit,
                 size,
                 error,
                 elements,
                 relative,
                 fmt::format("{:.6g} {}", size, unit),
                 is_power ? fmt::format("{:.2g} %", 100 * relative) : fmt::format("{:.2g} dB", level),
                 {is_power ? std::pair<std::string, double>{model.wave ? "scattered_power_relative_error"
                                                                       : "input_power_relative_error",
                                                            relative}
                           : std::pair<std::string, double>{"level_db_error", level}},
                 asked[i].source});
  }
}

class ModeErrors : public SoundErrors<AcousticModes> {
 public:
  using SoundErrors::SoundErrors;

 private:
  void estimate(double, const AcousticModes& modes) override;
};

void ModeErrors::estimate(double, const AcousticModes& modes) {
  const auto frequencies = [](const AcousticModes& all) {
    Quantities q;
    for (const auto& mode : all) q.push_back(mode.frequency);
    return q;
  };
  const auto reported = frequencies(modes);
  const auto& options = case_.modes;
  auto changes = this->changes(reported, [&](const mesh::Mesh& mesh, const AcousticModel& model) {
    const auto space =
        make_lagrange_space(mesh, case_.topology, model.order, dirichlet_triangles(model, mesh));
    return modes_again(reported, options.target, [&](double target, int count) {
      return frequencies(acoustic_modes(space, model, {count, target, options.direct}));
    });
  });
  believe(reported, changes);
  for (std::size_t i = 0; i < modes.size(); ++i) {
    const auto [error, elements] = bar(changes, i);
    results::add_mode_bar(i, modes[i].frequency.real(), error, elements, results::modes_in_hz, report_, run_);
  }
}

}  // namespace

std::unique_ptr<job::Sink<AcousticSolution>> pressure_errors(const AcousticCase& c, const SoundSystem& system,
                                                             std::size_t frequencies, run::Run& run) {
  return std::make_unique<PressureErrors>(c, system, frequencies, run);
}

std::unique_ptr<job::Sink<AcousticModes>> mode_errors(const AcousticCase& c, const SoundSystem& system,
                                                      run::Run& run) {
  return std::make_unique<ModeErrors>(c, system, 1, run);
}

}  // namespace curlew::fem
