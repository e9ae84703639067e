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

/// The problem on a mesh with moved facets.
struct MovedProblem {
  ShapeVariant shape;
  AcousticProblem problem;
  MovedProblem(ShapeVariant variant, const AcousticCase& c)
      : shape(std::move(variant)), problem(shape.mesh, c.topology, c.model, c.options) {}
};

/// @param finer the problem with elements of one more order @param moved may be null
void add_frequency(const AcousticCase& c, AcousticProblem& problem, const AcousticProblem& finer,
                   const MovedProblem* moved, double frequency, mesh::Pass& pass, run::Run& run) {
  const ProbeSet probes(problem.space(), c.model.probes);
  const auto solution = problem.solve(frequency, probes.loads());
  state_solve(solution.solver, run);
  const auto readings = probes.read(solution.pressure);
  const auto columns = Eigen::Index(1 + readings.size());
  double greatest = 1e-300;
  for (const auto& reading : readings) greatest = std::max(greatest, std::abs(reading.pressure));
  Eigen::MatrixXd weights = Eigen::MatrixXd::Zero(columns, columns);
  if (readings.empty())  // P = -1/2 Re int p v*, of walls in phase bᵀp / 2w
    weights(0, 0) = 1 / (4 * pi * frequency * std::abs(solution.power.input));
  else
    weights.col(0).tail(columns - 1).setConstant(1 / greatest);
  const auto found = changes_by_next_order(finer, problem.space(), solution,
                                           ProbeSet(finer.space(), c.model.probes).loads(), weights);
  pass.errors.resize(found.cells.size());
  for (std::size_t cell = 0; cell < found.cells.size(); ++cell) pass.errors[cell] += found.cells[cell];

  Eigen::VectorXcd by_shape = Eigen::VectorXcd::Zero(columns);
  if (moved != nullptr) {
    by_shape = shape_safety / moved->shape.share * changes_by_moved_facets(problem, moved->problem, solution);
    add_shape(c.mesh, moved->shape, weights.col(0).dot(by_shape.cwiseAbs()), pass);
  }

  const auto add = [&](const std::string& name, Complex value, Eigen::Index i, double scale) {
    const double of_shape = weights(i, 0) * std::abs(by_shape[i]);
    pass.quantities.push_back(
        {fmt::format("{} {:.6g} Hz", name, frequency), value,
         missing_by_stars.both * weights(i, 0) * std::abs(found.change(i, 0)) + of_shape, 0});
    pass.quantities.back().scale = scale;
    pass.quantities.back().of_shape = of_shape;
  };
  if (readings.empty()) return add("input power", solution.power.input, 0, 0);
  for (std::size_t i = 0; i < readings.size(); ++i)
    add(c.model.probes[i].name, readings[i].pressure, Eigen::Index(1 + i), greatest);
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

Eigen::VectorXcd changes_by_moved_facets(const AcousticProblem& problem, const AcousticProblem& moved,
                                         const AcousticSolution& solution) {
  const auto& space = problem.space();
  const Eigen::Index nodes = space.num_nodes, free = space.num_free,
                     probes = Eigen::Index(problem.model().probes.size());
  const auto vector = [](const std::vector<Complex>& v) {
    return Eigen::Map<const Eigen::VectorXcd>(v.data(), Eigen::Index(v.size()));
  };
  const auto matrix = [&](const std::vector<Complex>& v) {
    return Eigen::Map<const Eigen::MatrixXcd>(v.data(), nodes, Eigen::Index(v.size()) / nodes);
  };
  const auto system = moved.system(solution.frequency);
  const auto rhs = problem.system(solution.frequency).rhs;
  const auto p = vector(solution.pressure);
  Eigen::VectorXcd product(free);
  linalg::multiply(system.matrix, p.data(), product.data());
  const Eigen::VectorXcd residual = vector(system.rhs) - product, load = vector(system.rhs) - vector(rhs);
  const auto duals = matrix(solution.duals);
  Eigen::VectorXcd changes(1 + duals.cols());
  changes[0] = p.head(free).cwiseProduct(residual + load).sum();
  changes.tail(duals.cols()) = duals.topRows(free).transpose() * residual;
  const auto before = ProbeSet(space, problem.model().probes).loads(),
             after = ProbeSet(moved.space(), problem.model().probes).loads();
  changes.segment(1, probes) += (matrix(after) - matrix(before)).transpose() * p;
  return changes;
}

std::string obstacle_to_mode_passes(const AcousticModel& model) {
  return model.order > 2 ? "for sound, passes need elements of order 1 or 2" : "";
}

std::string obstacle_to_passes(const AcousticModel& model) {
  if (auto why = obstacle_to_mode_passes(model); !why.empty()) return why;
  if (model.probes.empty() && model.is_lossless())
    return "for sound, passes need a [[probe]] or absorbed power, and there is neither";
  if (model.probes.empty() && model.wave)
    return "for the sound of a plane wave, passes need a [[probe]], and there is none";
  return {};
}

AcousticSurplus changes_by_next_order(const AcousticProblem& finer, const LagrangeSpace& space,
                                      const AcousticSolution& solution, const std::vector<Complex>& of_duals,
                                      const Eigen::MatrixXd& weights) {
  const Eigen::Index nodes = space.num_nodes, duals = weights.cols() - 1, free = finer.space().num_free;
  const auto system = finer.system(solution.frequency);
  Eigen::MatrixXcd x(nodes, 1 + duals), loads(free, 1 + duals);
  x.col(0) = Eigen::Map<const Eigen::VectorXcd>(solution.pressure.data(), nodes);
  x.rightCols(duals) = Eigen::Map<const Eigen::MatrixXcd>(solution.duals.data(), nodes, duals);
  loads.col(0) = Eigen::Map<const Eigen::VectorXcd>(system.rhs.data(), free);
  loads.rightCols(duals) =
      Eigen::Map<const Eigen::MatrixXcd>(of_duals.data(), finer.space().num_nodes, duals).topRows(free);
  return acoustic_surplus(space, finer.space(), system.matrix, x, loads, weights);
}

mesh::Mesh refine_sound(const job::Refinement& refinement, const io::Config& config, mesh::Mesh first,
                        const ReadAcousticCase& read, run::Run& run) {
  const auto frequencies = job::looked_at(refinement, io::frequencies(config));
  const auto solve = [&](const mesh::Mesh& mesh, const std::vector<Complex>&) {
    const auto c = read(mesh);
    AcousticProblem problem(c->mesh, c->topology, c->model, c->options);
    problem.analyse();
    AcousticModel model = c->model;
    ++model.order;
    const AcousticProblem finer(c->mesh, c->topology, model, c->options);
    std::optional<MovedProblem> moved;
    if (auto shape = shape_variant(*c)) moved.emplace(std::move(*shape), *c);
    const auto info = problem.solver_info();
    mesh::Pass pass{.unknowns = problem.space().num_free,
                    .bytes = is_on_device(info) ? 0 : info.estimated_bytes};
    for (const double f : frequencies)
      add_frequency(*c, problem, finer, moved ? &*moved : nullptr, f, pass, run);
    return pass;
  };
  return job::refine(refinement, config, std::move(first), solve, run);
}

mesh::Mesh refine_sound_modes(const job::Refinement& refinement, const io::Config& config, mesh::Mesh first,
                              const ReadAcousticCase& read, run::Run& run) {
  const auto solve = [&](const mesh::Mesh& mesh, const std::vector<Complex>&) {
    return mode_pass(*read(mesh));
  };
  return job::refine(refinement, config, std::move(first), solve, run);
}

}  // namespace curlew::fem
