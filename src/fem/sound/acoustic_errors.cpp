// SPDX-License-Identifier: BSD-3-Clause
// Error bars of sound: pressures at probes, powers, far fields, frequencies of modes.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/constants.hpp"
#include "fem/acoustics/acoustic_probes.hpp"
#include "fem/acoustics/acoustic_radiation.hpp"
#include "fem/adaptive/surplus.hpp"
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

/// Pressures at the probes, the input power of walls, far fields, the power that a wave scatters.
std::vector<Asked> asked_of(const AcousticModel& model) {
  std::vector<Asked> all;
  for (const auto& probe : model.probes) all.push_back({"pressure", "Pa", probe.name});
  if (has_input_power(model)) all.push_back({"input power", "W"});
  if (!model.far_field) return all;
  all.push_back({"greatest far field", "Pa m"});
  if (!model.wave) return all;
  all.push_back({"backscatter far field", "Pa m"});
  all.push_back({"scattered power", "W"});
  return all;
}

/// Quantities whose errors are estimated.
Quantities quantities_of(const LagrangeSpace& space, const AcousticModel& model,
                         const AcousticSolution& solution, const FarTargets& targets) {
  Quantities q;
  for (const auto& reading : ProbeSet(space, model.probes).read(solution.pressure))
    q.push_back(reading.pressure);
  if (has_input_power(model)) q.push_back(model.symmetry.copies() * solution.power.input);
  const auto far = far_values(space, model, solution, targets);
  q.insert(q.end(), far.begin(), far.end());
  return q;
}

/// How much the power through the inner face of the layers and that of the far field differ: 0 if the layers
/// absorb and the cells are small.
double imbalance(const LagrangeSpace& space, const AcousticModel& model, const AcousticSolution& solution) {
  if (!model.far_field) return 0;
  const auto pattern = SoundRadiation(space, model).pattern(solution, {});
  return pattern.far_power ? std::abs(*pattern.far_power - pattern.power) : 0;
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

/// Change of 1/Q = 2 f''/f' by a relative one of f, and at least as much of it.
double loss_change(Complex f, Complex relative) {
  const double loss = 2 * f.imag() / f.real();
  return std::max((2 + loss * loss / 2) * std::abs(relative.imag()), loss * std::abs(relative));
}

Changes loss_changes(const Quantities& f, Changes changes) {
  for (auto* list : {&changes.by_order, &changes.before, &changes.by_shape})
    for (std::size_t i = 0; i < list->size(); ++i) (*list)[i] = loss_change(f[i], (*list)[i] / f[i]);
  return changes;
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
    auto shape = shape_variant(case_);
    const auto price =
        price_of_check(case_.topology, case_.model.order, shape.has_value(), lagrange_functions);
    auto system = system_.system();
    system.has_residuals = has_residuals() && !(shape && case_.mesh.geometry_order == 1);
    this->check_ = plan_check(std::move(shape), price, system, this->report_);
    if (!system.has_residuals || (this->check_.is_wanted() && this->frequencies_ == 1)) return;
    plan_residuals(double(system.entries) * (1 + price.systems.front().entries));
  }

 protected:
  virtual bool has_residuals() const { return false; }
  /// @param entries of the matrices that residuals take
  virtual void plan_residuals(double /*entries*/) {}
  bool has_room_for(double entries) const {
    const auto bytes = std::size_t(entries) * (sizeof(Complex) + sizeof(Index));
    return run::plan_optional(this->run_, {"error estimate", bytes});
  }
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
  PressureErrors(const AcousticCase& c, DrivenSoundSystem& system, std::size_t frequencies, run::Run& run)
      : SoundErrors(c, system, frequencies, run), driven_(system) {}

 private:
  bool has_residuals() const override {
    return report_.is_automatic() && obstacle_to_mode_passes(case_.model).empty() &&
           !asked_of(case_.model).empty();
  }
  void plan_residuals(double entries) override;
  void estimate(double, const AcousticSolution& solution) override;
  void estimate_by_residuals(double, const AcousticSolution& solution) override;
  void add(const AcousticSolution& solution, const Asked& asked, double size, Bar bar);

  DrivenSoundSystem& driven_;
  std::optional<SoundChanges> changes_;  // made for the first residuals
};

void PressureErrors::plan_residuals(double entries) {
  by_residuals_ = has_room_for(entries);
  if (!by_residuals_) return;
  const auto& model = case_.model;
  LoadsOfSolution of_far;
  if (model.far_field)
    of_far = [this](const AcousticSolution& solution) {
      const auto& space = driven_.space();
      return far_loads(space, case_.model, solution, far_targets(space, case_.model, solution));
    };
  driven_.need_duals(ProbeSet(driven_.space(), model.probes).loads(), std::move(of_far),
                     model.far_field ? (model.wave ? 3 : 1) : 0);
}

/// Bars of powers have a part for layers that reflect, which no change of cells or order would show.
void PressureErrors::add(const AcousticSolution& solution, const Asked& asked, double size, Bar bar) {
  if (asked.is_power()) bar.whole += imbalance(system_.space(), case_.model, solution);
  const double relative = bar.whole / std::max(size, 1e-300), level = results::decibel_error(size, bar.whole);
  report_.add(
      {solution.frequency,
       asked.quantity,
       asked.unit,
       size,
       bar.whole,
       bar.elements,
       relative,
       fmt::format("{:.6g} {}", size, asked.unit),
       asked.is_power() ? fmt::format("{:.2g} %", 100 * relative) : fmt::format("{:.2g} dB", level),
       {asked.is_power() ? std::pair<std::string, double>{case_.model.wave ? "scattered_power_relative_error"
                                                                           : "input_power_relative_error",
                                                          relative}
                         : std::pair<std::string, double>{"level_db_error", level}},
       asked.source});
}

void PressureErrors::estimate(double, const AcousticSolution& solution) {
  const auto& model = case_.model;
  const auto targets = far_targets(system_.space(), model, solution);
  const auto q = quantities_of(system_.space(), model, solution, targets);
  const auto changes = this->changes(q, [&](const mesh::Mesh& mesh, const AcousticModel& other) {
    AcousticProblem again(mesh, case_.topology, other, case_.options);
    again.analyse();
    return quantities_of(again.space(), other, again.solve(solution.frequency), targets);
  });
  const auto asked = asked_of(model);
  for (std::size_t i = 0; i < q.size(); ++i) add(solution, asked[i], std::abs(q[i]), bar(changes, i));
}

/// Errors of pressures at probes, of the input power |Im bᵀp| / 2w of walls in phase, and of far fields.
void PressureErrors::estimate_by_residuals(double, const AcousticSolution& solution) {
  const auto& model = case_.model;
  if (!changes_) changes_.emplace(case_);
  const auto targets = far_targets(system_.space(), model, solution);
  const auto columns = Eigen::Index(1 + model.probes.size() + targets.size());
  const auto found =
      changes_->of(driven_.problem(), solution, targets, Eigen::MatrixXd::Zero(columns, columns));
  const double missing = missing_at_edges(true, model.order, least_ratio(case_.mesh, case_.topology)).both;
  const auto bar_at = [&](Eigen::Index i, double scale) {
    const double elements = scale * missing * std::abs(found.by_order[i]);
    return Bar{elements + scale * shape_safety * std::abs(found.by_shape[i]), elements};
  };
  const auto q = quantities_of(system_.space(), model, solution, targets);
  Eigen::Index column = 1;
  for (std::size_t i = 0; const Asked& asked : asked_of(model)) {
    const double size = std::abs(q[i++]);
    if (asked.quantity == "input power")
      add(solution, asked, size, bar_at(0, model.symmetry.copies() / (4 * pi * solution.frequency)));
    else
      add(solution, asked, size, bar_at(column++, 1));
  }
}

class ModeErrors : public SoundErrors<AcousticModes> {
 public:
  using SoundErrors::SoundErrors;

 private:
  bool has_residuals() const override {
    return report_.is_automatic() && obstacle_to_mode_passes(case_.model).empty();
  }
  void plan_residuals(double entries) override { by_residuals_ = has_room_for(entries); }
  void estimate(double, const AcousticModes& modes) override;
  void estimate_by_residuals(double, const AcousticModes& modes) override;
  /// @param of_loss of 1/Q
  void add(std::size_t i, const AcousticMode& mode, Bar bar, Bar of_loss) {
    const double f = mode.frequency.real();
    results::add_mode_bar(i, f, bar.whole, bar.elements, results::modes_in_hz, report_, run_);
    results::add_q_bar(i, f, mode.q, of_loss.whole, of_loss.elements, report_);
  }
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
  const auto of_losses = loss_changes(reported, changes);
  believe(reported, changes);
  for (std::size_t i = 0; i < modes.size(); ++i) add(i, modes[i], bar(changes, i), bar(of_losses, i));
}

void ModeErrors::estimate_by_residuals(double, const AcousticModes& modes) {
  const ModeChanges changes(case_, system_.space());
  const double missing =
      missing_at_edges(true, case_.model.order, least_ratio(case_.mesh, case_.topology)).both;
  for (std::size_t i = 0; i < modes.size(); ++i) {
    const Complex f = modes[i].frequency, by_order = changes.of(modes[i]).change(0, 0),
                  by_shape = changes.by_shape(modes[i]);
    const double elements = missing * std::abs(by_order) * f.real(),
                 of_loss = missing * loss_change(f, by_order);
    add(i, modes[i], {elements + shape_safety * std::abs(by_shape) * f.real(), elements},
        {of_loss + shape_safety * loss_change(f, by_shape), of_loss});
  }
}

}  // namespace

std::unique_ptr<job::Sink<AcousticSolution>> pressure_errors(const AcousticCase& c, DrivenSoundSystem& system,
                                                             std::size_t frequencies, run::Run& run) {
  return std::make_unique<PressureErrors>(c, system, frequencies, run);
}

std::unique_ptr<job::Sink<AcousticModes>> mode_errors(const AcousticCase& c, const SoundSystem& system,
                                                      run::Run& run) {
  return std::make_unique<ModeErrors>(c, system, 1, run);
}

}  // namespace curlew::fem
