// SPDX-License-Identifier: BSD-3-Clause
#include "fem/open/equivalent_currents.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/constants.hpp"
#include "base/error.hpp"
#include "fem/boundary_terms.hpp"
#include "fem/open/vacuum_form.hpp"
#include "linalg/direct/direct_solver.hpp"

namespace curlew::fem {
namespace {

bool is_vacuum(const Material& m) {
  const auto one = [](const Coefficient& c) { return c.is_scalar && c.scalar == 1.0; };
  return one(m.epsilon_r) && one(m.mu_r) && !m.stretching;
}

/// Place of an unknown among those of the surface, -1 if it is not there.
Index place_of(const std::vector<Index>& dofs, Index dof) {
  const auto at = std::lower_bound(dofs.begin(), dofs.end(), dof);
  return at != dofs.end() && *at == dof ? Index(at - dofs.begin()) : -1;
}

/// int W_a.W_b dS on the surface's unknowns.
linalg::Csr<Complex> trace_mass(const std::vector<Index>& triangles, const std::vector<Index>& dofs,
                                const TraceEvaluator& evaluator) {
  linalg::Coo<Complex> mass;
  mass.num_rows = mass.num_cols = Index(dofs.size());
  TriangleTrace trace;
  for (const Index t : triangles) {
    evaluator.evaluate(t, trace);
    each_trace_pair(
        trace, [&](std::size_t i, std::size_t j) { return dot(trace.values[i], trace.values[j]); },
        [&](Index i, Index j, double sum) { mass.add(place_of(dofs, i), place_of(dofs, j), sum); });
  }
  return linalg::to_csr(mass);
}

/// Cells on the side where the currents are taken.
std::vector<bool> cells_on_side(const NedelecSpace& space, const RadiatingSurface& surface) {
  std::vector<bool> on_side(std::size_t(space.mesh->num_cells()), false);
  for (const Index cell : surface.cells) on_side[std::size_t(cell)] = true;
  return on_side;
}

/// Normals of a trace leave the triangle's first cell: outward unless that cell is on the outer side.
void add_points(const TriangleTrace& trace, const std::vector<bool>& on_side, bool outside,
                fields::SurfacePoints& points) {
  const double sign = on_side[std::size_t(trace.cell)] == outside ? -1 : 1;
  for (std::size_t q = 0; q < trace.weights.size(); ++q) {
    points.position.push_back(trace.points[q]);
    points.normal.push_back(sign * trace.normals[q]);
    points.weight.push_back(trace.weights[q]);
  }
}

}  // namespace

std::vector<Complex> vacuum_residual(const NedelecSpace& space, const std::vector<Index>& cells,
                                     const std::vector<Index>& dofs, const Complex* x, Index count,
                                     double k0) {
  VacuumForm form(space);
  const int dim = nedelec_dim(space.order);
  const auto n = std::size_t(space.num_dofs());
  std::vector<Complex> sums(dofs.size() * std::size_t(count));
  Index local[max_cell_dim];
  for (const Index cell : cells) {
    form.compute(cell);
    space.cell_dofs(cell, local);
    for (int a = 0; a < dim; ++a) {
      const Index place = local[a] < 0 ? -1 : place_of(dofs, local[a]);
      if (place < 0) continue;
      for (int b = 0; b < dim; ++b) {
        if (local[b] < 0) continue;
        const double entry = form.curl_curl(a, b) - k0 * k0 * form.mass(a, b);
        for (std::size_t r = 0; r < std::size_t(count); ++r)
          sums[r * dofs.size() + std::size_t(place)] += entry * x[r * n + std::size_t(local[b])];
      }
    }
  }
  return sums;
}

fields::SurfacePoints surface_points(const NedelecSpace& space, const RadiatingSurface& surface, int degree) {
  const TraceEvaluator evaluator(space, degree);
  const auto on_side = cells_on_side(space, surface);
  fields::SurfacePoints points;
  TriangleTrace trace;
  for (const Index t : surface.triangles) {
    evaluator.evaluate(t, trace);
    add_points(trace, on_side, surface.outside, points);
  }
  return points;
}

EquivalentCurrents equivalent_currents(const NedelecSpace& space, const CellMaterials& materials,
                                       const RadiatingSurface& surface, const Complex* x, Index count,
                                       double frequency) {
  for (const Index cell : surface.cells)
    if (!is_vacuum(materials.of(cell)))
      throw InputError(
          fmt::format("a radiating surface of {} touches a cell that is not vacuum", space.mesh->name));
  const double omega = 2 * pi * frequency, k0 = omega / speed_of_light;
  const auto dofs = surface_dofs(space, surface.triangles);
  const TraceEvaluator evaluator(space, 2 * space.order + 4);
  auto electric = vacuum_residual(space, surface.cells, dofs, x, count, k0);
  const auto mass = trace_mass(surface.triangles, dofs, evaluator);
  const auto solver = linalg::make_direct_solver<Complex>({});
  solver->analyse(mass);
  solver->factor(mass);
  solver->solve(electric.data(), count);
  const Complex scale = 1.0 / Complex(0, (surface.outside ? -1 : 1) * omega * vacuum_permeability);

  const auto points = Offset(surface.triangles.size()) * evaluator.num_points();
  EquivalentCurrents out{{}, fields::SurfaceCurrents(count, points)};
  const auto on_side = cells_on_side(space, surface);
  TriangleTrace trace;
  for (const Index t : surface.triangles) {
    evaluator.evaluate(t, trace);
    const auto first = std::size_t(out.points.size());
    add_points(trace, on_side, surface.outside, out.points);
    const auto n = std::size_t(trace.num_functions);
    for (std::size_t q = 0; q < trace.weights.size(); ++q) {
      const std::size_t at = first + q;
      for (std::size_t r = 0; r < std::size_t(count); ++r) {
        Vec3<Complex> e, j;
        for (std::size_t a = 0; a < n; ++a) {
          if (trace.dofs[a] < 0) continue;
          e += x[r * std::size_t(space.num_dofs()) + std::size_t(trace.dofs[a])] * trace.values[q * n + a];
          j += (scale * electric[r * dofs.size() + std::size_t(place_of(dofs, trace.dofs[a]))]) *
               trace.values[q * n + a];
        }
        out.currents.electric[r * std::size_t(points) + at] = j;
        out.currents.magnetic[r * std::size_t(points) + at] = -cross(out.points.normal[at], e);
      }
    }
  }
  return out;
}

}  // namespace curlew::fem
