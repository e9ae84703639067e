// SPDX-License-Identifier: BSD-3-Clause
#include "programs/fem/open_job.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/constants.hpp"
#include "base/wavenumber.hpp"
#include "fem/error/residual_error.hpp"
#include "fem/fields.hpp"
#include "fem/open/known_field.hpp"
#include "fem/open/symmetric_waves.hpp"
#include "fem/passes/passes.hpp"
#include "fem/report/solver_report.hpp"
#include "fields/far_field.hpp"
#include "fields/pattern.hpp"

namespace curlew::programs {
namespace {

using fem::Excitation;

/// The far field of an excitation in one direction.
struct Look {
  std::size_t excitation;
  fields::Peak peak;
};

/// One frequency: the excitations of the target, their maxima and changes.
class OpenPass {
 public:
  /// @param solution of the problem @param backwards looks towards the sources of waves too
  OpenPass(const OpenCase& c, fem::OpenProblem& problem, fem::OpenSolution solution, bool backwards,
           run::Run& run)
      : case_(c),
        problem_(problem),
        frequency_(solution.frequency),
        all_(problem.excitations()),
        solution_(std::move(solution)),
        shape_(fem::shape_variant(c.mesh, c.topology, c.model)) {
    const auto n = std::size_t(problem.space().num_dofs());
    using Calculator = fem::RadiationCalculator;
    const auto look = [&](std::size_t i, const Calculator& calculator) {
      const auto known = all_[i].wave ? nullptr : fem::incident_field(all_[i], wavenumber(frequency_));
      const auto far = calculator.compute(&solution_.x[i * n], 1, frequency_, known).front();
      looks_.push_back({i, fields::peak_of(far.directions, far)});
    };
    const Calculator asked(problem.space(), problem.model(), *c.far_field, run.device());
    for (std::size_t i = 0; i < all_.size(); ++i) look(i, asked);
    for (std::size_t i = 0; backwards && i < all_.size(); ++i)
      if (all_[i].wave && !all_[i].is_dual)
        look(i,
             {problem.space(), problem.model(), towards_source(*all_[i].wave, *c.far_field), run.device()});
    std::vector<Excitation> duals;
    for (const Look& at : looks_)
      for (const double polarization : {0.0, pi / 2})
        duals.push_back(fem::symmetric_wave(c.symmetry, at.peak.direction, polarization));
    const auto more = problem.solve_for(duals, frequency_);
    solution_.x.insert(solution_.x.end(), more.begin(), more.end());
    all_.insert(all_.end(), duals.begin(), duals.end());
  }

  void add(mesh::Target target, mesh::Pass& pass) const {
    const auto is_target = [&](std::size_t i) {
      return all_[i].wave.has_value() == (target == mesh::Target::rcs);
    };
    Eigen::MatrixXd weights = no_weights();
    for (std::size_t i = 0; i < looks_.size(); ++i)
      if (is_target(i)) set_weights(i, weights);
    const auto found = test(weights);
    add_shares(found, problem_.space(), problem_.model(), pass);
    const auto moved =
        this->moved(weights, [&](const fem::SolvedForm& form, const Eigen::MatrixXd& of_waves) {
          return add_shape(form, {problem_.model(), frequency_}, case_.mesh, *shape_, of_waves, pass);
        });
    for (std::size_t i = 0; i < looks_.size(); ++i)
      if (is_target(i)) add_quantity(i, weights, found, moved, pass);
  }

  /// Errors of the maxima of all excitations, then of the fields scattered back to the sources of waves.
  std::vector<PeakError> errors() const {
    const auto found = test(no_weights());
    const auto bars = fem::bars_of_one_mesh(problem_, found, found.gradients, found.others);
    Eigen::MatrixXd asked = no_weights();
    for (std::size_t i = 0; i < looks_.size(); ++i) set_weights(i, asked);
    const auto moved = this->moved(
        asked, [&](const fem::SolvedForm& form, const Eigen::MatrixXd& of_waves) -> Eigen::MatrixXcd {
          return form.difference({problem_.model(), frequency_}, case_.mesh, shape_->mesh, &of_waves) /
                 shape_->share;
        });
    std::vector<PeakError> errors;
    for (std::size_t i = 0; i < looks_.size(); ++i) {
      Eigen::MatrixXd weights = no_weights();
      set_weights(i, weights);
      const auto place = Eigen::Index(looks_[i].excitation), by_theta = dual(i);
      const auto part = [&](const Eigen::MatrixXd& of, Eigen::Index row) {
        return weights(row, place) * of(row, place);
      };
      const auto field = [&](const Eigen::MatrixXd& of) {  // half of the change of |F|²
        return 0.5 * (part(of, by_theta) + part(of, by_theta + 1));
      };
      const double size = std::sqrt(looks_[i].peak.square());
      errors.push_back({looks_[i].excitation,
                        {.field = {(field(bars) + field(moved)) * size},
                         .strength = {size},
                         .order = field(bars),
                         .shape = field(moved),
                         .power = part(bars, place) + part(moved, place)}});
    }
    return errors;
  }

 private:
  Eigen::MatrixXd no_weights() const {
    return Eigen::MatrixXd::Zero(Eigen::Index(all_.size()), Eigen::Index(all_.size()));
  }
  /// Magnitudes of changes of x_iᵀ A x_j as facets move, with their safety, where x_j is of a wave: cells
  /// that move do not resolve the field of a dipole beside them. @param weights of all @param change of a
  /// form of total fields, in which the moving walls and media have no sources, with the weights of waves
  template <class Change>
  Eigen::MatrixXd moved(Eigen::MatrixXd weights, const Change& change) const {
    for (std::size_t j = 0; j < all_.size(); ++j)
      if (!all_[j].wave) weights.col(Eigen::Index(j)).setZero();
    if (!shape_ || weights.isZero(0)) return no_weights();
    const auto n = Eigen::Index(problem_.space().num_dofs());
    Eigen::MatrixXcd x = Eigen::Map<const Eigen::MatrixXcd>(solution_.x.data(), n, Eigen::Index(all_.size()));
    for (std::size_t j = 0; j < all_.size(); ++j) {
      if (!all_[j].is_scattered()) continue;
      const auto incident = fem::incident_field(all_[j], wavenumber(frequency_));
      const auto known = fem::interpolate(problem_.space(), [&](Vec3<double> at) { return incident(at).e; });
      x.col(Eigen::Index(j)) += Eigen::Map<const Eigen::VectorXcd>(known.data(), n);
    }
    const Eigen::MatrixXcd changes = change(fem::SolvedForm(problem_.assembler(), std::move(x)), weights);
    return fem::shape_safety * changes.cwiseAbs();
  }
  fem::SurplusErrors test(const Eigen::MatrixXd& weights) const {
    const Eigen::Map<const Eigen::MatrixXcd> x(solution_.x.data(), Eigen::Index(problem_.space().num_dofs()),
                                               Eigen::Index(all_.size()));
    return fem::surplus_errors(problem_.space(), problem_.model(), frequency_, x, weights,
                               {{}, {}, [&](const fem::NedelecSpace& space) {
                                  return fem::source_loads(space, problem_.model(), all_, frequency_);
                                }});
  }
  double least_square() const { return fields::least_square(wavenumber(frequency_)); }
  /// Index of the dual of a look by theta; that by phi is the next one.
  Eigen::Index dual(std::size_t i) const { return Eigen::Index(problem_.excitations().size() + 2 * i); }

  /// Sets the weights of |changes| in relative changes of |F|², and of the power of gains.
  void set_weights(std::size_t i, Eigen::MatrixXd& weights) const {
    const auto& [excitation, peak] = looks_[i];
    const bool is_wave = all_[excitation].wave.has_value();
    const double square = std::max(peak.square(), is_wave ? least_square() : 1e-300);
    const double scale = 2 * case_.symmetry.copies() / (4 * pi) / square;
    const auto place = Eigen::Index(excitation);
    weights(dual(i), place) += scale * std::abs(peak.theta);
    weights(dual(i) + 1, place) += scale * std::abs(peak.phi);
    if (!is_wave)  // P = -1/2 Re int E.J*, of currents in phase bᵀx / 2wμ0
      weights(place, place) +=
          1 / (4 * pi * frequency_ * vacuum_permeability * solution_.source_power[excitation]);
  }

  void add_quantity(std::size_t i, const Eigen::MatrixXd& weights, const fem::SurplusErrors& found,
                    const Eigen::MatrixXd& moved, mesh::Pass& pass) const {
    const auto place = Eigen::Index(i);
    mesh::Pass::Quantity q;
    for (const Eigen::Index j : {place, dual(i), dual(i) + 1})
      if (weights(j, place) > 0) {
        const double of_shape = weights(j, place) * moved(j, place);
        q.estimate = q.estimate.value_or(0) + weights(j, place) * found.bar(j, place) + of_shape;
        q.of_shape += of_shape;
      }
    const fields::Peak& peak = looks_[i].peak;
    const bool is_wave = all_[i].wave.has_value();
    q.name = fmt::format("{}{} {:.6g} GHz", is_wave ? "rcs" : "gain", i + 1, 1e-9 * frequency_);
    q.value =
        is_wave ? 4 * pi * peak.square() / std::pow(all_[i].wave->amplitude, 2)
                : fields::directivity(peak.theta, peak.phi,
                                      case_.symmetry.copies() * solution_.source_power[i], vacuum_impedance);
    if (is_wave) q.least = 4 * pi * least_square();
    pass.quantities.push_back(std::move(q));
  }

  const OpenCase& case_;
  fem::OpenProblem& problem_;
  double frequency_;
  std::vector<Excitation> all_;  // the problem's, then two waves from the direction of each look
  fem::OpenSolution solution_;   // of all
  std::optional<fem::ShapeVariant> shape_;
  std::vector<Look> looks_;  // the maximum of each of the problem's, then others
};

}  // namespace

std::string obstacle_to_passes(const OpenCase& c) {
  if (!c.far_field) return "for waves and dipoles, passes need output.far_field, which is missing";
  if (c.splits) return "adaptive passes need waves with the symmetry of [[symmetry]], or the whole body";
  if (c.model.order > 2) return "for waves and dipoles, passes need elements of order 1 or 2";
  if (!std::all_of(c.excitations.begin(), c.excitations.end(), std::mem_fn(&Excitation::is_scattered)))
    return "adaptive passes are not for currents, nor for dipoles in total fields";
  return fem::has_reciprocal_media(c.model) ? "" : "passes need reciprocal media";
}

fem::FarFieldRequest towards_source(const green::ArrivingWave& wave, fem::FarFieldRequest request) {
  request.theta_deg = {wave.theta * 180 / pi}, request.phi_deg = {wave.phi * 180 / pi};
  return request;
}

std::vector<PeakError> peak_errors(const OpenCase& c, fem::OpenProblem& problem,
                                   const fem::OpenSolution& solution, run::Run& run) {
  return OpenPass(c, problem, solution, true, run).errors();
}

mesh::Mesh refine_open(const job::Refinement& refinement, const io::Config& config, mesh::Mesh first,
                       const std::function<OpenCase(mesh::Mesh)>& read, run::Run& run) {
  const auto solve = [&](const mesh::Mesh& mesh, const std::vector<job::Row>&) {
    OpenCase c = read(mesh);
    std::erase_if(c.excitations, std::mem_fn(&Excitation::is_dual));
    fem::OpenProblem problem(c.mesh, c.topology, c.model, c.excitations, c.options);
    problem.analyse();
    const auto info = problem.solver_info();
    mesh::Pass pass{.unknowns = problem.num_unknowns(),
                    .bytes = fem::is_on_device(info) ? 0 : info.estimated_bytes};
    for (const double f : refinement.frequencies) {
      auto solution = problem.solve(f);
      fem::state_solve(solution.solver, run);
      OpenPass(c, problem, std::move(solution), false, run).add(refinement.target, pass);
    }
    return pass;
  };
  return fem::refine_with_layers(refinement, config, std::move(first), solve, run);
}

}  // namespace curlew::programs
