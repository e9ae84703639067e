// SPDX-License-Identifier: BSD-3-Clause
// Error bars of sound: pressures at probes, input power, frequencies of modes.
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
    auto shape = moved();
    const auto price =
        price_of_check(case_.topology, case_.model.order, shape.has_value(), lagrange_functions);
    auto system = system_.system();
    system.has_residuals = has_residuals() && !(shape && case_.mesh.geometry_order == 1);
    this->check_ = plan_check(std::move(shape), price, system, this->report_);
    if (!system.has_residuals || (this->check_.is_wanted() && this->frequencies_ == 1)) return;
    plan_residuals(double(system.entries) * (1 + price.systems.front().entries));
  }

 protected:
  std::optional<ShapeVariant> moved() const {
    return case_.model.pml.empty() ? shape_variant(case_.mesh)
                                   : shape_variant(case_.mesh, case_.topology, case_.model.pml);
  }
  virtual bool has_residuals() const { return false; }
  /// @param entries of the matrices that residuals take
  virtual void plan_residuals(double /*entries*/) {}
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
    return report_.is_automatic() && obstacle_to_passes(case_.model).empty();
  }
  void plan_residuals(double entries) override;
  void estimate(double, const AcousticSolution& solution) override;
  void estimate_by_residuals(double, const AcousticSolution& solution) override;
  Eigen::VectorXcd changes_by_shape(const AcousticSolution& solution) const;
  void add(double frequency, const Asked& asked, double size, Bar bar);

  DrivenSoundSystem& driven_;
  std::optional<ShapeVariant> moved_mesh_;
  std::optional<AcousticProblem> finer_, moved_;  // made for the first residuals
};

void PressureErrors::plan_residuals(double entries) {
  const auto bytes = std::size_t(entries) * (sizeof(Complex) + sizeof(Index));
  by_residuals_ = run::plan_optional(run_, {"error estimate", bytes});
  if (!by_residuals_) return;
  driven_.need_duals(ProbeSet(driven_.space(), case_.model.probes).loads());
  if (case_.model.far_field)
    run_.line(
        "far fields have no error bars where a second solution costs too much: [accuracy] estimate = "
        "\"all\" makes it");
}

void PressureErrors::add(double frequency, const Asked& asked, double size, Bar bar) {
  const double relative = bar.whole / std::max(size, 1e-300), level = results::decibel_error(size, bar.whole);
  report_.add(
      {frequency,
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

void PressureErrors::estimate(double frequency, const AcousticSolution& solution) {
  const auto& model = case_.model;
  const auto direction = greatest_direction(system_.space(), model, solution);
  const auto q = quantities_of(system_.space(), model, solution, direction);
  const auto changes = this->changes(q, [&](const mesh::Mesh& mesh, const AcousticModel& other) {
    AcousticProblem again(mesh, case_.topology, other, case_.options);
    again.analyse();
    return quantities_of(again.space(), other, again.solve(solution.frequency), direction);
  });
  const auto asked = asked_of(model);
  for (std::size_t i = 0; i < q.size(); ++i) add(frequency, asked[i], std::abs(q[i]), bar(changes, i));
}

/// Of pressures at probes and, without a wave, of the input power |Im bᵀp| / 2w of walls in phase. Far fields
/// have none.
void PressureErrors::estimate_by_residuals(double frequency, const AcousticSolution& solution) {
  const auto& model = case_.model;
  if (!finer_) {
    AcousticModel next = model;
    ++next.order;
    finer_.emplace(case_.mesh, case_.topology, next, case_.options);
    if ((moved_mesh_ = moved())) moved_.emplace(moved_mesh_->mesh, case_.topology, model, case_.options);
  }
  const auto readings = ProbeSet(system_.space(), model.probes).read(solution.pressure);
  const auto columns = Eigen::Index(1 + readings.size());
  const auto found =
      changes_by_next_order(*finer_, system_.space(), solution, Eigen::MatrixXd::Zero(columns, columns));
  const Eigen::VectorXcd by_shape = changes_by_shape(solution);
  const double missing = missing_at_edges(true, model.order, least_ratio(case_.mesh, case_.topology)).both;
  const auto bar_at = [&](Eigen::Index i, double scale) {
    const double elements = scale * missing * std::abs(found.change(i, 0));
    return Bar{elements + scale * shape_safety * std::abs(by_shape[i]), elements};
  };
  const double copies = model.symmetry.copies();
  for (std::size_t i = 0; const Asked& asked : asked_of(model)) {
    if (i < readings.size())
      add(frequency, asked, std::abs(readings[i].pressure), bar_at(Eigen::Index(1 + i), 1));
    else if (asked.quantity == "input power")
      add(frequency, asked, copies * std::abs(solution.power.input),
          bar_at(0, copies / (4 * pi * frequency)));
    ++i;
  }
}

/// To first order, by the residual on moved facets and what these change of loads: [1 + probes]
Eigen::VectorXcd PressureErrors::changes_by_shape(const AcousticSolution& solution) const {
  const auto& space = system_.space();
  const Eigen::Index nodes = space.num_nodes, probes = Eigen::Index(case_.model.probes.size()),
                     free = space.num_free;
  Eigen::VectorXcd changes = Eigen::VectorXcd::Zero(1 + probes);
  if (!moved_) return changes;
  const auto vector = [](const std::vector<Complex>& v) {
    return Eigen::Map<const Eigen::VectorXcd>(v.data(), Eigen::Index(v.size()));
  };
  const auto matrix = [&](const std::vector<Complex>& v) {
    return Eigen::Map<const Eigen::MatrixXcd>(v.data(), nodes, probes);
  };
  const auto system = moved_->system(solution.frequency);
  const auto rhs = driven_.problem().system(solution.frequency).rhs;
  const auto p = vector(solution.pressure);
  Eigen::VectorXcd product(free);
  linalg::multiply(system.matrix, p.data(), product.data());
  const Eigen::VectorXcd residual = vector(system.rhs) - product, load = vector(system.rhs) - vector(rhs);
  changes[0] = p.head(free).cwiseProduct(residual + load).sum();
  const auto before = ProbeSet(space, case_.model.probes).loads(),
             after = ProbeSet(moved_->space(), case_.model.probes).loads();
  changes.tail(probes) = matrix(solution.duals).topRows(free).transpose() * residual +
                         (matrix(after) - matrix(before)).transpose() * p;
  return changes / moved_mesh_->share;
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

std::unique_ptr<job::Sink<AcousticSolution>> pressure_errors(const AcousticCase& c, DrivenSoundSystem& system,
                                                             std::size_t frequencies, run::Run& run) {
  return std::make_unique<PressureErrors>(c, system, frequencies, run);
}

std::unique_ptr<job::Sink<AcousticModes>> mode_errors(const AcousticCase& c, const SoundSystem& system,
                                                      run::Run& run) {
  return std::make_unique<ModeErrors>(c, system, 1, run);
}

}  // namespace curlew::fem
