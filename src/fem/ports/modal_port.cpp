// SPDX-License-Identifier: BSD-3-Clause
#include "fem/ports/modal_port.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/error.hpp"
#include "fem/boundary_terms.hpp"
#include "linalg/direct/direct_solver.hpp"

namespace curlew::fem {
namespace {

/// ∫ W·e_m dS for all modes. Modes are no polynomials: the rule is four degrees above the basis.
std::vector<double> project_modes(const ModalPort& port, const NedelecSpace& space) {
  std::vector<double> loads(port.modes.size() * port.dofs.size(), 0.0);
  const TraceEvaluator evaluator(space, 2 * space.order + 4);
  TriangleTrace trace;
  for (const Index t : port.triangles) {
    evaluator.evaluate(t, trace);
    for (std::size_t m = 0; m < port.modes.size(); ++m) {
      double* load = &loads[m * port.dofs.size()];
      for (int q = 0; q < evaluator.num_points(); ++q) {
        const Vec3<double> e =
            trace.weights[std::size_t(q)] * port.modes[m].electric(trace.points[std::size_t(q)]);
        for (int i = 0; i < trace.num_functions; ++i) {
          if (trace.dofs[std::size_t(i)] < 0) continue;
          const auto place = std::lower_bound(port.dofs.begin(), port.dofs.end(), trace.dofs[std::size_t(i)]);
          load[place - port.dofs.begin()] +=
              dot(e, trace.values[std::size_t(q) * std::size_t(trace.num_functions) + std::size_t(i)]);
        }
      }
    }
  }
  return loads;
}

/// Tangential mass on the port's unknowns, ∫ W_a·W_b dS.
linalg::Csr<double> port_mass(const ModalPort& port, const NedelecSpace& space) {
  linalg::Coo<double> mass;
  mass.num_rows = mass.num_cols = Index(port.dofs.size());
  const auto place = [&](Index dof) {
    return Index(std::lower_bound(port.dofs.begin(), port.dofs.end(), dof) - port.dofs.begin());
  };
  const TraceEvaluator evaluator(space, 2 * space.order + 4);
  TriangleTrace trace;
  for (const Index t : port.triangles) {
    evaluator.evaluate(t, trace);
    const auto n = std::size_t(trace.num_functions);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        if (trace.dofs[i] < 0 || trace.dofs[j] < 0) continue;
        double sum = 0;
        for (std::size_t q = 0; q < trace.weights.size(); ++q) {
          sum += trace.weights[q] * dot(trace.values[q * n + i], trace.values[q * n + j]);
        }
        mass.add(place(trace.dofs[i]), place(trace.dofs[j]), sum);
      }
    }
  }
  return linalg::to_csr(mass);
}

/// Scales f_m to f_mᵀ B⁻¹ f_m = 1: the mode as the mesh can hold it then carries all of its power, and a
/// lossless device keeps |S| = 1 far below the error of the mode's shape.
void normalize_loads(const NedelecSpace& space, ModalPort& port) {
  const auto n = port.dofs.size();
  const linalg::Csr<double> mass = port_mass(port, space);
  const auto solver = linalg::make_direct_solver<double>({});
  solver->analyse(mass);
  solver->factor(mass);
  std::vector<double> projection = port.loads;  // coefficients of the best approximations of e_m
  solver->solve(projection.data(), Index(port.modes.size()));
  for (std::size_t m = 0; m < port.modes.size(); ++m) {
    const double norm2 =
        std::inner_product(&port.loads[m * n], &port.loads[m * n] + n, &projection[m * n], 0.0);
    const bool resolved = norm2 > 0.25;
    if (!resolved && m < std::size_t(port.num_reported)) {
      throw InputError(
          fmt::format("port \"{}\": the mesh is too coarse for mode {}", port.region, port.modes[m].name()));
    }
    // A mode that is only absorbed and that the mesh cannot hold is left out: its load is zero.
    const double scale = resolved ? 1 / std::sqrt(norm2) : 0;
    for (std::size_t i = 0; i < n; ++i) port.loads[m * n + i] *= scale;
  }
}

bool equal(const Coefficient& a, const Coefficient& b) {
  return a.is_scalar && b.is_scalar && a.scalar == b.scalar;
}

}  // namespace

ModalPort make_modal_port(const PortModel& model, const NedelecSpace& space, const std::string& name) {
  const mesh::Mesh& mesh = *space.mesh;
  ModalPort port;
  port.region = model.region;
  port.excite = model.excite;
  port.triangles = surface_triangles(mesh, model.region);
  port.shape = detect_port_shape(mesh, {model.region, port.triangles}, name);
  port.modes = waveguide_modes(port.shape, model.modes + model.absorbed_modes);
  port.num_reported = model.modes;
  port.dofs = surface_dofs(space, port.triangles);
  if (port.dofs.empty())
    throw InputError(fmt::format("{}: no unknowns on \"{}\": the mesh is too coarse", name, model.region));
  const Index face = space.topology->triangle_face[std::size_t(port.triangles[0])];
  port.cell = space.topology->face_cells[std::size_t(face)][0];
  port.loads = project_modes(port, space);
  normalize_loads(space, port);
  return port;
}

Material port_medium(const ModalPort& port, const NedelecSpace& space, const CellMaterials& materials) {
  const Material& medium = materials.of(port.cell);
  for (const Index t : port.triangles) {
    const Index face = space.topology->triangle_face[std::size_t(t)];
    const Material& other = materials.of(space.topology->face_cells[std::size_t(face)][0]);
    if (equal(other.epsilon_r, medium.epsilon_r) && equal(other.mu_r, medium.mu_r)) continue;
    throw InputError(fmt::format(
        "port \"{}\": the medium behind it must be isotropic and the same everywhere", port.region));
  }
  return medium;
}

}  // namespace curlew::fem
