// SPDX-License-Identifier: BSD-3-Clause
#include "fem/sound/acoustic_case.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/constants.hpp"
#include "fem/acoustics/acoustic_probes.hpp"
#include "fem/adaptive/surplus.hpp"
#include "fem/report/solver_report.hpp"
#include "io/frequency.hpp"
#include "mesh/size_field.hpp"

namespace curlew::fem {
namespace {

/// Divides a change among the cells whose nodes move, by the area and the distance of these nodes.
void add_shape(const mesh::Mesh& mesh, const ShapeVariant& shape, double change, mesh::Pass& pass) {
  std::vector<double> parts(std::size_t(mesh.num_cells()));
  double sum = 0;
  for (Index c = 0; c < mesh.num_cells(); ++c) {
    double moved = 0;
    for (int i = 0; i < mesh.nodes_per_cell(); ++i) {
      const auto n = std::size_t(mesh.cell(c)[i]);
      moved += norm(shape.mesh.nodes[n] - mesh.nodes[n]);
    }
    const double size = mesh::element_size(mesh, mesh::MeshUse::volumes, c);
    parts[std::size_t(c)] = moved * size * size, sum += parts[std::size_t(c)];
  }
  for (std::size_t c = 0; c < parts.size() && sum > 0; ++c) pass.errors[c] += change * parts[c] / sum;
}

/// @param has_flat_cells of layers that are grown from triangles: a few steps of conjugate gradients correct
/// too much there, so that estimates of far fields do not fall; two changes then decide
void add_frequency(const AcousticCase& c, AcousticProblem& problem, const SoundChanges& changes,
                   double frequency, bool has_flat_cells, mesh::Pass& pass, run::Run& run) {
  const auto& space = problem.space();
  const ProbeSet probes(space, c.model.probes);
  FarTargets far;
  const auto solution = problem.solve(frequency, probes.loads(), [&](const AcousticSolution& of) {
    far = far_targets(space, c.model, of).greatest();
    return far_loads(space, c.model, of, far);
  });
  state_solve(solution.solver, run);
  const auto readings = probes.read(solution.pressure);
  const auto num_probes = Eigen::Index(readings.size()), columns = 1 + num_probes + Eigen::Index(far.size());
  double greatest = 1e-300;
  for (const auto& reading : readings) greatest = std::max(greatest, std::abs(reading.pressure));
  const auto far_field = far_values(space, c.model, solution, far);
  const bool has_power = readings.empty() && has_input_power(c.model);
  Eigen::MatrixXd weights = Eigen::MatrixXd::Zero(columns, columns);
  if (has_power)  // P = -1/2 Re int p v*, of walls in phase bᵀp / 2w
    weights(0, 0) = 1 / (4 * pi * frequency * std::abs(solution.power.input));
  weights.col(0).segment(1, num_probes).setConstant(1 / greatest);
  for (std::size_t i = 0; i < far.size(); ++i)
    weights(1 + num_probes + Eigen::Index(i), 0) = 1 / std::max(std::abs(far_field[i]), 1e-300);
  const auto found = changes.of(problem, solution, far, weights);
  pass.errors.resize(found.cells.size());
  for (std::size_t cell = 0; cell < found.cells.size(); ++cell) pass.errors[cell] += found.cells[cell];
  const Eigen::VectorXd by_shape = shape_safety * found.by_shape.cwiseAbs();
  if (changes.shape()) add_shape(c.mesh, *changes.shape(), weights.col(0).dot(by_shape), pass);

  const auto add = [&](const std::string& name, Complex value, Eigen::Index i, double scale) {
    const double of_shape = weights(i, 0) * by_shape[i];
    pass.quantities.push_back({fmt::format("{} {:.6g} Hz", name, frequency), value,
                               missing_by_stars.both * weights(i, 0) * std::abs(found.by_order[i]) + of_shape,
                               0});
    pass.quantities.back().scale = scale;
    pass.quantities.back().of_shape = of_shape;
  };
  if (has_power) add("input power", solution.power.input, 0, 0);
  for (std::size_t i = 0; i < readings.size(); ++i)
    add(c.model.probes[i].name, readings[i].pressure, Eigen::Index(1 + i), greatest);
  if (far.size() > 0) add("far field", std::abs(far_field[0]), 1 + num_probes, 0);
  if (far.size() > 0 && has_flat_cells) pass.quantities.back().estimate.reset();
}

LagrangeSpace space_of(const AcousticCase& c, int order) {
  return make_lagrange_space(c.mesh, c.topology, order, dirichlet_triangles(c.model, c.mesh));
}

mesh::Pass mode_pass(const AcousticCase& c) {
  const LagrangeSpace space = space_of(c, c.model.order);
  auto modes = acoustic_modes(space, c.model, c.modes);
  if (modes.size() > std::size_t(c.modes.modes)) modes.resize(std::size_t(c.modes.modes));  // on all meshes
  const ModeChanges changes(c, space);
  mesh::Pass pass{.unknowns = space.num_free, .errors = std::vector<double>(std::size_t(c.mesh.num_cells()))};
  for (std::size_t i = 0; i < modes.size(); ++i) {
    const auto found = changes.of(modes[i]);
    for (std::size_t cell = 0; cell < found.cells.size(); ++cell) pass.errors[cell] += found.cells[cell];
    pass.quantities.push_back({fmt::format("f{} Hz", i + 1), modes[i].frequency.real(),
                               missing_by_stars.both * std::abs(found.change(0, 0)), 0});
    if (!changes.shape()) continue;
    const double of_shape = shape_safety * std::abs(changes.by_shape(modes[i]));
    add_shape(c.mesh, *changes.shape(), of_shape, pass);
    pass.quantities.back().of_shape = of_shape;
    *pass.quantities.back().estimate += of_shape;
  }
  return pass;
}

}  // namespace

ModeChanges::ModeChanges(const AcousticCase& c, const LagrangeSpace& space)
    : space_(space),
      finer_(space_of(c, c.model.order + 1)),
      here_(space, c.model),
      next_(finer_, c.model),
      shape_(shape_variant(c)) {
  if (!shape_) return;
  LagrangeSpace moved = space;
  moved.mesh = &shape_->mesh;
  moved_.emplace(moved, c.model);
}

Complex ModeChanges::scale(const AcousticMode& mode) const {
  const Complex omega = 2 * pi * mode.frequency;
  return 1.0 / (omega * here_.slope(omega, mode.pressure.data()));
}

Complex ModeChanges::by_shape(const AcousticMode& mode) const {
  if (!moved_) return 0;
  const Complex omega = 2 * pi * mode.frequency;
  const auto form = [&](const AcousticPencil& pencil) {
    const auto matrix = pencil.at(omega);
    const Eigen::Map<const Eigen::VectorXcd> x(mode.pressure.data(), space_.num_free);
    Eigen::VectorXcd image(x.size());
    linalg::multiply(matrix, x.data(), image.data());
    return x.cwiseProduct(image).sum();
  };
  return -scale(mode) / shape_->share * (form(*moved_) - form(here_));
}

/// With A(w) x = 0 in the lower order and e the correction in the next one, (x + e)ᵀ A (x + e) = -rᵀ e, which
/// a change of w by rᵀ e / (xᵀ A' x) makes zero. Source: Becker and Rannacher (2001), section 7.
AcousticSurplus ModeChanges::of(const AcousticMode& mode) const {
  const Complex omega = 2 * pi * mode.frequency, scale = this->scale(mode);
  auto found = acoustic_surplus(
      space_, finer_, next_.at(omega),
      Eigen::Map<const Eigen::MatrixXcd>(mode.pressure.data(), Eigen::Index(mode.pressure.size()), 1),
      Eigen::MatrixXcd::Zero(finer_.num_free, 1), Eigen::MatrixXd::Constant(1, 1, std::abs(scale)));
  found.change *= scale;
  return found;
}

std::optional<ShapeVariant> shape_variant(const AcousticCase& c) {
  return c.model.pml.empty() ? shape_variant(c.mesh) : shape_variant(c.mesh, c.topology, c.model.pml);
}

std::string obstacle_to_mode_passes(const AcousticModel& model) {
  return model.order > 2 ? "for sound, passes need elements of order 1 or 2" : "";
}

std::string obstacle_to_passes(const AcousticModel& model) {
  if (auto why = obstacle_to_mode_passes(model); !why.empty()) return why;
  if (model.probes.empty() && !model.far_field && !has_input_power(model))
    return "for sound, passes need a [[probe]], output.far_field or the power of moving walls, and there is "
           "none";
  return {};
}

mesh::Mesh refine_sound(const job::Refinement& refinement, const io::Config& config, mesh::Mesh first,
                        const ReadAcousticCase& read, run::Run& run) {
  const auto frequencies = job::looked_at(refinement, io::frequencies(config));
  const bool has_flat_cells = !grown_layers(config).empty();
  const auto solve = [&](const mesh::Mesh& mesh, const std::vector<job::Row>&) {
    const auto c = read(mesh);
    AcousticProblem problem(c->mesh, c->topology, c->model, c->options);
    problem.analyse();
    const SoundChanges changes(*c);
    const auto info = problem.solver_info();
    mesh::Pass pass{.unknowns = problem.space().num_free,
                    .bytes = is_on_device(info) ? 0 : info.estimated_bytes};
    for (const double f : frequencies) add_frequency(*c, problem, changes, f, has_flat_cells, pass, run);
    return pass;
  };
  return job::refine(refinement, config, std::move(first), solve, run);
}

mesh::Mesh refine_sound_modes(const job::Refinement& refinement, const io::Config& config, mesh::Mesh first,
                              const ReadAcousticCase& read, run::Run& run) {
  const auto solve = [&](const mesh::Mesh& mesh, const std::vector<job::Row>&) {
    return mode_pass(*read(mesh));
  };
  return job::refine(refinement, config, std::move(first), solve, run);
}

}  // namespace curlew::fem
