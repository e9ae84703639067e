// SPDX-License-Identifier: BSD-3-Clause
#include "mom2d/system.hpp"

#include <cmath>

#include "base/constants.hpp"

namespace curlew::mom2d {
namespace {

const Complex j(0, 1);

/// The one unknown of a conductor or of an impedance boundary (Ez = Zs Jz, Et = Zs Jt with J = n x H).
Unknown conductor_unknown(const Problem& problem, int contour) {
  const Body& body = problem.bodies[std::size_t(contour)];
  const Complex zeta = body.boundary == Boundary::impedance ? body.surface_impedance / vacuum_impedance : 0.0;
  if (problem.polarization == Polarization::tm) return {contour, 0, -j * zeta, 1.0};
  return {contour, 0, 1.0, j * zeta};
}

EquationRow conductor_equation(const Problem& problem, int contour, int region) {
  // The electric field is u in TM and v in TE; -j between the two makes every combination uniquely solvable.
  const bool tm = problem.polarization == Polarization::tm;
  if (problem.equation == Equation::efie) return {contour, {{region, tm ? 1.0 : 0.0, tm ? 0.0 : 1.0}}};
  if (problem.equation == Equation::mfie) return {contour, {{region, tm ? 0.0 : 1.0, tm ? 1.0 : 0.0}}};
  const double a = problem.alpha, b = 1 - a;
  return {contour, {{region, tm ? a : b, -j * (tm ? b : a)}}};
}

/// Muller's equations, sums: the hypersingular parts cancel, the equations are of the second kind.
void add_dielectric(const Scene& scene, int contour, System& system) {
  const int out = scene.outer[std::size_t(contour)], in = scene.inner[std::size_t(contour)];
  system.unknowns.push_back({contour, 0, 1.0, 0.0});
  system.unknowns.push_back({contour, 0, 0.0, 1.0});
  system.equations.push_back({contour, {{out, 1.0, 0.0}, {in, 1.0, 0.0}}});
  system.equations.push_back({contour, {{out, 0.0, 1.0}, {in, 0.0, 1.0}}});
}

/// +1 if the contour's normal points into the region, -1 if it points out of it, 0 if they do not meet.
int orientation(const Scene& scene, int contour, int region) {
  if (scene.outer[std::size_t(contour)] == region) return 1;
  return scene.inner[std::size_t(contour)] == region ? -1 : 0;
}

Block make_block(const Problem& problem, const Scene& scene, const Nodes& nodes, const EquationRow& equation,
                 Offset row, const Unknown& unknown) {
  const auto target = std::size_t(equation.contour), source = std::size_t(unknown.contour);
  Block block{row, unknown.first, nodes.contour_offsets[target], nodes.contour_offsets[source], 0, 0, 0.0, 0,
              {}};
  block.num_targets = nodes.contour_offsets[target + 1] - block.target;
  block.num_sources = nodes.contour_offsets[source + 1] - block.source;
  const double k0 = problem.wavenumber;
  for (const auto& side : equation.sides) {
    const double sigma = orientation(scene, unknown.contour, side.region);
    if (sigma == 0) continue;
    const Region& r = scene.regions[std::size_t(side.region)];
    if (target == source)
      block.diagonal += 0.5 * (side.of_u * unknown.as_u + side.of_v * unknown.as_v * r.factor);
    const auto kernel = green::make_kernel2d(
        r.k, sigma * side.of_u * unknown.as_v * r.factor * k0, -sigma * side.of_u * unknown.as_u,
        sigma * side.of_v * unknown.as_v * r.factor, -sigma * side.of_v * unknown.as_u / k0);
    block.kernels[block.num_kernels++] = kernel;
  }
  return block;
}

}  // namespace

System make_system(const Problem& problem, const Scene& scene, const Nodes& nodes) {
  System system;
  for (std::size_t c = 0; c < problem.bodies.size(); ++c) {
    if (problem.bodies[c].boundary == Boundary::dielectric) {
      add_dielectric(scene, int(c), system);
    } else {
      system.unknowns.push_back(conductor_unknown(problem, int(c)));
      system.equations.push_back(conductor_equation(problem, int(c), scene.outer[c]));
    }
  }
  for (auto& unknown : system.unknowns) {
    const auto c = std::size_t(unknown.contour);
    unknown.first = system.size;
    system.size += nodes.contour_offsets[c + 1] - nodes.contour_offsets[c];
  }
  for (std::size_t i = 0; i < system.equations.size(); ++i) {
    for (const auto& unknown : system.unknowns) {
      const Block block =
          make_block(problem, scene, nodes, system.equations[i], system.unknowns[i].first, unknown);
      if (block.num_kernels > 0) system.blocks.push_back(block);
    }
  }
  return system;
}

std::vector<Complex> excitations(const Problem& problem, const System& system, const Nodes& nodes,
                                 const std::vector<double>& phi) {
  std::vector<Complex> b(std::size_t(system.size) * phi.size());
#pragma omp parallel for schedule(static)
  for (std::size_t w = 0; w < phi.size(); ++w) {
    const double c = std::cos(phi[w]), s = std::sin(phi[w]);
    for (std::size_t e = 0; e < system.equations.size(); ++e) {
      const auto& equation = system.equations[e];
      for (const auto& side : equation.sides) {
        if (side.region != 0) continue;
        const Offset begin = nodes.contour_offsets[std::size_t(equation.contour)];
        const Offset end = nodes.contour_offsets[std::size_t(equation.contour) + 1];
        Complex* out = b.data() + Offset(w) * system.size + system.unknowns[e].first;
        for (Offset i = begin; i < end; ++i) {
          const auto n = std::size_t(i);
          const Complex u = green::plane_wave2d(problem.wavenumber, nodes.x[n], nodes.y[n], c, s);
          const Complex dn = j * (c * nodes.nx[n] + s * nodes.ny[n]);  // (du/dn)/(k0 u)
          out[i - begin] += nodes.root[n] * u * (side.of_u + side.of_v * dn);
        }
      }
    }
  }
  return b;
}

}  // namespace curlew::mom2d
