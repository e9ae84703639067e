// SPDX-License-Identifier: BSD-3-Clause
#include "fem/sensitivity/port_sensitivity.hpp"

#include <fmt/format.h>

#include "base/constants.hpp"
#include "base/error.hpp"
#include "fem/sensitivity/solved_form.hpp"

namespace curlew::fem {
namespace {

/// The constants of all modes of all ports, with another model's media and loads.
struct PortStates {
  std::vector<PortPtr> ports;
  std::vector<ModeState> modes;
};

/// Refuses hybrid modes, whose fields would change, too.
void refuse_hybrid_modes(const Port& port, const NedelecSpace& space, const CellMaterials& low,
                         const CellMaterials& high) {
  for (const Index t : port.triangles) {
    const Index face = space.topology->triangle_face[std::size_t(t)];
    const Index cell = space.topology->face_cells[std::size_t(face)][0];
    const Material &a = low.of(cell), &b = high.of(cell);
    if (!are_equal(a, b))
      throw InputError(
          fmt::format("[[sensitivity]]: the medium of the parameter reaches port \"{}\" and changes the "
                      "fields of its modes: take a lumped port, or end the medium before the port",
                      port.region));
  }
}

/// Refuses ports that change their shape.
void refuse_bent_ports(const Port& port, const mesh::Mesh& mesh, Motion motion) {
  constexpr double tolerance = 5e-5;  // [m by a unit of the number]
  const Vec3<double> whole = motion[std::size_t(mesh.triangle(port.triangles[0])[0])];
  for (const Index t : port.triangles)
    for (int i = 0; i < mesh.nodes_per_triangle(); ++i)
      if (norm(motion[std::size_t(mesh.triangle(t)[i])] - whole) > tolerance)
        throw InputError(
            fmt::format("[[sensitivity]]: the parameter changes the shape of port \"{}\" and thus its modes: "
                        "there is no derivative",
                        port.region));
}

}  // namespace

struct PortSensitivity::Impl {
  const MaxwellSystem& problem;
  const DrivenSolution& solution;
  SolvedForm form;
  std::vector<ModeState> states;  ///< all modes
  Eigen::MatrixXcd amplitudes;    ///< [all modes, reported] fᵀx of 1 W

  Impl(const MaxwellSystem& p, const DrivenSolution& s)
      : problem(p),
        solution(s),
        form(p.assembler(), Eigen::Map<const Eigen::MatrixXcd>(s.x.data(), p.space().num_dofs(),
                                                               Eigen::Index(p.modes().size()))),
        states(p.mode_states(s.frequency)) {
    const auto f = p.loads(s.frequency);
    const Eigen::Map<const Eigen::MatrixXcd> columns(f.data(), p.space().num_dofs(),
                                                     Eigen::Index(states.size()));
    amplitudes = columns.transpose() * form.x();
  }

  PortStates states_of(const Model& model) const;
  /// x_iᵀ A' x_j of the terms of ports [reported, reported].
  Eigen::MatrixXcd port_terms(const PortStates& low, const PortStates& high, double step) const;
  VariedPorts varied(const PortStates& at, const Eigen::MatrixXcd& v) const;
  Pair pair(const Eigen::MatrixXcd& t, const PortStates& before, double low, const PortStates& behind,
            double high) const;
};

PortStates PortSensitivity::Impl::states_of(const Model& model) const {
  PortStates result;
  for (std::size_t p = 0; p < model.ports.size(); ++p) {
    const PortPtr port = problem.ports()[p]->restated(model.ports[p]);
    result.ports.push_back(port);
    auto modes = port->is_dispersive() ? problem.port_solutions(solution.frequency)[p].modes
                                       : port->solve({model, problem.space()}, solution.frequency).modes;
    for (ModeState& mode : modes) mode.shift = mode.gamma * port->deembed;
    result.modes.insert(result.modes.end(), modes.begin(), modes.end());
  }
  return result;
}

Eigen::MatrixXcd PortSensitivity::Impl::port_terms(const PortStates& low, const PortStates& high,
                                                   double step) const {
  const auto n = form.x().cols();
  Eigen::MatrixXcd sum = Eigen::MatrixXcd::Zero(n, n);
  Eigen::Index m = 0;
  for (std::size_t p = 0; p < problem.ports().size(); ++p) {
    const Port& port = *problem.ports()[p];
    const auto first = std::size_t(m);
    const Complex reference = (high.modes[first].reference - low.modes[first].reference) / step;
    if (reference != 0.0)
      sum += form.of_surface(
          [&](linalg::Csr<Complex>& a) { port.add_reference(problem.space(), reference, a); });
    for (const Eigen::Index end = m + port.num_modes(); m < end; ++m) {
      const Complex admittance =
          (high.modes[std::size_t(m)].admittance - low.modes[std::size_t(m)].admittance) / step;
      sum += (admittance - reference) * amplitudes.row(m).transpose() * amplitudes.row(m);
    }
  }
  return sum;
}

VariedPorts PortSensitivity::Impl::varied(const PortStates& at, const Eigen::MatrixXcd& v) const {
  VariedPorts result{at.ports, {}, {}};
  for (const Eigen::Index i : problem.reported()) result.modes.push_back(at.modes[std::size_t(i)]);
  result.s = scattering_of_amplitudes(v, result.modes, 2 * pi * solution.frequency);
  return result;
}

PortSensitivity::PortSensitivity(const MaxwellSystem& problem, const DrivenSolution& solution) {
  if (!problem.model().periodicity.empty() || !problem.is_reciprocal())
    throw InputError("[[sensitivity]] needs reciprocal materials and no [[periodic]] faces");
  impl_ = std::make_unique<Impl>(problem, solution);
}

PortSensitivity::~PortSensitivity() = default;

PortSensitivity::Pair PortSensitivity::vary(const Variant& low, const Variant& high) const {
  const Impl& at = *impl_;
  const double frequency = at.solution.frequency, step = high.step - low.step;
  const auto& mesh = *at.problem.space().mesh;
  for (const PortPtr& port : at.problem.ports())
    if (port->is_dispersive())
      refuse_hybrid_modes(*port, at.problem.space(), materials_at(low.model, mesh, frequency),
                          materials_at(high.model, mesh, frequency));
  const PortStates before = at.states_of(low.model), behind = at.states_of(high.model);
  const Eigen::MatrixXcd change = at.form.difference({low.model, frequency}, {high.model, frequency});
  return at.pair(change / step + at.port_terms(before, behind, step), before, low.step, behind, high.step);
}

std::vector<PortSensitivity::Pair> PortSensitivity::move(std::span<const Motion> motions,
                                                         std::span<const double> steps) const {
  const Impl& at = *impl_;
  for (const Motion motion : motions)
    for (const PortPtr& port : at.problem.ports()) refuse_bent_ports(*port, *at.problem.space().mesh, motion);
  const PortStates states = at.states_of(at.problem.model());
  const auto changes = shape_derivatives(at.problem.space(), at.form.x(),
                                         {at.problem.model(), at.solution.frequency}, motions);
  std::vector<Pair> pairs;
  for (std::size_t v = 0; v < motions.size(); ++v)
    pairs.push_back(at.pair(changes[v], states, -steps[v], states, steps[v]));
  return pairs;
}

/// @param t x_iᵀ A' x_j
PortSensitivity::Pair PortSensitivity::Impl::pair(const Eigen::MatrixXcd& t, const PortStates& before,
                                                  double low, const PortStates& behind, double high) const {
  const auto& reported = problem.reported();
  const auto n = Eigen::Index(reported.size());
  const auto one_watt = amplitudes_of_one_watt(solution.modes, 2 * pi * solution.frequency);
  Eigen::MatrixXcd v(n, n), derivative(n, n);
  for (Eigen::Index i = 0; i < n; ++i)
    for (Eigen::Index j = 0; j < n; ++j) {
      const auto mode = std::size_t(reported[std::size_t(j)]);
      const Complex c = states[mode].admittance,
                    change = (behind.modes[mode].admittance - before.modes[mode].admittance) / (high - low),
                    other = states[std::size_t(reported[std::size_t(i)])].admittance;
      v(i, j) = amplitudes(reported[std::size_t(i)], j) / one_watt[j];
      derivative(i, j) = change / c * v(i, j) - t(i, j) / (2.0 * other * one_watt[i] * one_watt[j]);
    }
  return {varied(before, v + low * derivative), varied(behind, v + high * derivative)};
}

}  // namespace curlew::fem
