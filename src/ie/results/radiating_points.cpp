// SPDX-License-Identifier: BSD-3-Clause
#include "ie/results/radiating_points.hpp"

#include <algorithm>
#include <memory>

#include "base/threads.hpp"

namespace curlew::ie {
namespace {

using Matrix = RadiatingPoints::Matrix;

/// A triangle that has an edge, and the edge's number.
struct EdgeUse {
  Index low, high, triangle, edge;
};

/// All edges of triangles, sorted: uses of one edge are consecutive.
std::vector<EdgeUse> sorted_edges(const SurfaceMesh& mesh, const std::vector<Index>& triangles) {
  std::vector<EdgeUse> uses;
  uses.reserve(3 * triangles.size());
  for (const Index t : triangles)
    for (int i = 0; i < 3; ++i) {
      const Index a = mesh.triangles[t][i], b = mesh.triangles[t][(i + 1) % 3];
      uses.push_back({std::min(a, b), std::max(a, b), t, 0});
    }
  std::sort(uses.begin(), uses.end(), [](const EdgeUse& a, const EdgeUse& b) {
    return a.low != b.low ? a.low < b.low : (a.high != b.high ? a.high < b.high : a.triangle < b.triangle);
  });
  for (std::size_t i = 1; i < uses.size(); ++i)
    uses[i].edge =
        uses[i - 1].edge + (uses[i].low != uses[i - 1].low || uses[i].high != uses[i - 1].high ? 1 : 0);
  return uses;
}

/// Basis functions at the middles of edges, of both sides together.
PointCurrents edge_currents(const System& system) {
  const auto& mesh = system.mesh();
  PointCurrents out;
  out.num_unknowns = system.num_unknowns();
  for (const EdgeUse& use : sorted_edges(mesh, system.scene().regions[0].triangles)) {
    if (std::size_t(use.edge) == out.points.size()) {
      out.points.push_back(0.5 * (mesh.nodes[use.low] + mesh.nodes[use.high]));
      out.offsets.push_back(Offset(out.unknowns.size()));
    }
    for (Index a = system.space().begin(use.triangle); a < system.space().begin(use.triangle + 1); ++a) {
      const auto& f = system.space().locals()[a];
      out.unknowns.push_back(f.function);
      out.current.push_back((f.scale / 6) * (out.points.back() - mesh.corner(use.triangle, f.vertex)));
      out.charge.push_back(f.scale / 3);
    }
  }
  out.offsets.push_back(Offset(out.unknowns.size()));
  return out;
}

/// @param[out] to columns of J, or of M/eta0, by solution: stride columns apart
void add_moments(const System& system, const PointCurrents& at, const Complex* x, Index count, bool magnetic,
                 Index stride, Index first, Matrix& to) {
#pragma omp parallel for num_threads(num_threads())
  for (Offset p = 0; p < at.num_points(); ++p)
    for (Offset e = at.offsets[p]; e < at.offsets[p + 1]; ++e) {
      const Index unknown = magnetic ? system.magnetic_unknown(at.unknowns[e]) : at.unknowns[e];
      if (unknown < 0) continue;
      for (Index c = 0; c < count; ++c) {
        const Complex value = x[Offset(c) * system.num_unknowns() + unknown];
        for (int d = 0; d < 3; ++d) to(p, stride * c + first + d) += value * at.current[e][d];
      }
    }
}

}  // namespace

RadiatingPoints radiating_points(const System& system) {
  const auto at = std::make_shared<const PointCurrents>(edge_currents(system));
  RadiatingPoints out{system.scene().regions[0].k.real(),
                      system.num_unknowns(),
                      at->points,
                      system.needs_magnetic(0),
                      {},
                      {}};
  const Index columns = out.columns();
  out.moments = [&system, at, columns](const Complex* x, Index count) {
    Matrix m = Matrix::Zero(Eigen::Index(at->num_points()), columns * count);
    add_moments(system, *at, x, count, false, columns, 0, m);
    if (columns == 6) add_moments(system, *at, x, count, true, columns, 3, m);
    return m;
  };
  out.charges = [&system, at](const Complex* x, Index count) {
    Matrix m = Matrix::Zero(Eigen::Index(at->num_points()), count);
#pragma omp parallel for num_threads(num_threads())
    for (Offset p = 0; p < at->num_points(); ++p)
      for (Offset e = at->offsets[p]; e < at->offsets[p + 1]; ++e)
        for (Index c = 0; c < count; ++c)
          m(p, c) += at->charge[e] * x[Offset(c) * system.num_unknowns() + at->unknowns[e]];
    return m;
  };
  return out;
}

RadiatingPoints radiating_points(const MixedPotentialSystem& system, int degree) {
  const ElementPoints all = make_points(system.elements, ElementRules(degree));
  RadiatingPoints out{system.k, system.num_unknowns(), {}, false, {}, {}};
  struct Source {
    std::size_t element, point;
  };
  std::vector<Source> sources;
  for (std::size_t e = 0; e < system.elements.size(); ++e) {
    if (system.elements[e].slope == 0) continue;  // a sheet of charge has no current
    for (auto p = std::size_t(all.offsets[e]); p < std::size_t(all.offsets[e + 1]); ++p)
      out.points.push_back(all.points[p]), sources.push_back({e, p});
  }
  // The equation's currents in A: its vector potential has the factor jk eta0/(4 pi) for those.
  const Complex to_amperes = system.vector_factor / Complex(0, system.k * vacuum_impedance / (4 * pi));
  out.moments = [&system, all, sources, to_amperes](const Complex* x, Index count) {
    Matrix m(Eigen::Index(sources.size()), 3 * count);
    std::vector<Complex> u(4 * system.elements.size());
    for (Index c = 0; c < count; ++c) {
      linalg::multiply(system.sources, x + Offset(c) * system.num_unknowns(), u.data());
      for (std::size_t i = 0; i < sources.size(); ++i) {
        const auto [e, p] = sources[i];
        for (int d = 0; d < 3; ++d)
          m(Eigen::Index(i), 3 * c + d) = to_amperes * all.weights[p] *
                                          (u[4 * e + std::size_t(d)] + all.from_centre[p][d] * u[4 * e + 3]);
      }
    }
    return m;
  };
  return out;
}

}  // namespace curlew::ie
