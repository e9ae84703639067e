// SPDX-License-Identifier: BSD-3-Clause
#include "ie/sheet/sheet_system.hpp"

#include <fmt/format.h>

#include <cmath>

#include "base/constants.hpp"
#include "base/error.hpp"
#include "ie/surface/current_jumps.hpp"

namespace curlew::ie {
namespace {

void add_triangle(const SurfaceMesh& mesh, const RwgSpace& space, Index t, Complex impedance,
                  linalg::Coo<Complex>& sources, linalg::Coo<Complex>& local) {
  const double area = 0.5 * norm(mesh.area_vector(t));
  const Vec3<double> centre = mesh.centroid(t);
  double spread = 0;  // integral of |r - centre|^2 over the area
  for (int i = 0; i < 3; ++i) spread += dot(mesh.corner(t, i) - centre, mesh.corner(t, i) - centre) / 12;
  for (Index i = space.begin(t); i < space.begin(t) + space.count(t); ++i) {
    const LocalFunction& a = space.locals()[std::size_t(i)];
    const Vec3<double> arm = centre - mesh.corner(t, a.vertex);
    const double factor = a.scale / (2 * area);
    for (int d = 0; d < 3; ++d) sources.add(4 * t + d, a.function, factor * arm[d]);
    sources.add(4 * t + 3, a.function, 2 * factor);
    for (Index j = space.begin(t); j < space.begin(t) + space.count(t); ++j) {
      const LocalFunction& b = space.locals()[std::size_t(j)];
      const double gram = dot(arm, centre - mesh.corner(t, b.vertex)) + spread;
      local.add(a.function, b.function, impedance * (factor * b.scale / 2 * gram));
    }
  }
}

}  // namespace

MixedPotentialSystem make_sheet_system(const SurfaceMesh& mesh, const RwgSpace& space,
                                       std::span<const Complex> impedance, double k) {
  if (!(k > 0 && std::isfinite(k))) throw InputError(fmt::format("wavenumber {:g} must be positive", k));
  for (const Complex z : impedance) {
    if (!(z.real() >= 0) || !std::isfinite(std::abs(z)))
      throw InputError(
          fmt::format("sheet impedance {:g} {:+g}j ohm: it must be passive, Re >= 0", z.real(), z.imag()));
  }
  MixedPotentialSystem system;
  system.k = k;
  system.vector_factor = Complex(0, k * vacuum_impedance / (4 * pi));
  system.scalar_factor = Complex(0, -vacuum_impedance / (4 * pi * k));
  const Index n = space.size();
  linalg::Coo<Complex> sources{4 * mesh.num_triangles(), n, {}, {}, {}}, local{n, n, {}, {}, {}};
  for (Index t = 0; t < mesh.num_triangles(); ++t) {
    system.elements.push_back({{mesh.corner(t, 0), mesh.corner(t, 1), mesh.corner(t, 2), {}}, 3, 0.5});
    add_triangle(mesh, space, t, impedance[std::size_t(t)], sources, local);
  }
  system.sources = linalg::to_csr(sources);
  system.local = linalg::to_csr(local);
  return system;
}

Complex film_impedance(double thickness, Complex epsilon_r, double k) {
  if (!(thickness > 0))
    throw InputError(fmt::format("thickness {:g} m of a film must be positive", thickness));
  if (epsilon_r == 1.0) throw InputError("a film of vacuum carries no current: epsilon_r must not be 1");
  return vacuum_impedance / (Complex(0, k * thickness) * (epsilon_r - 1.0));
}

FarFieldError far_field_error(const SurfaceMesh& mesh, const RwgSpace& space,
                              std::span<const Complex> impedance, double k,
                              const std::vector<Vec3<double>>& gaps, const Complex* x) {
  FarFieldError out;
  const double factor = vacuum_impedance * vacuum_impedance * k / (4 * pi);
  for (const double jump : sheet_error(mesh, space, impedance, k, x)) {
    out.shares.push_back(factor * jump);
    out.elements += out.shares.back();
  }
  for (Index t = 0; t < mesh.num_triangles(); ++t) {
    Vec3<double> gap{};
    for (const Index node : mesh.triangles[std::size_t(t)]) gap += (1.0 / 3) * gaps[std::size_t(node)];
    Vec3<Complex> current{};
    Complex charge = 0;
    const double twice_area = norm(mesh.area_vector(t));
    for (Index i = space.begin(t); i < space.begin(t + 1); ++i) {
      const LocalFunction& f = space.locals()[std::size_t(i)];
      const Complex scale = f.scale / twice_area * x[f.function];
      const Vec3<double> arm = mesh.centroid(t) - mesh.corner(t, f.vertex);
      for (int d = 0; d < 3; ++d) current[d] += scale * arm[d];
      charge += 2.0 * scale;
    }
    const double square = std::norm(current.x) + std::norm(current.y) + std::norm(current.z);
    out.shape +=
        factor * k * 0.5 * std::abs(dot(gap, mesh.area_vector(t))) * (square + std::norm(charge) / (k * k));
  }
  return out;
}

double absorbed_power(const MixedPotentialSystem& system, const Complex* x) {
  // x^H Re(local) x: the Gram matrix is real, so the real part of the product takes Re Zs.
  std::vector<Complex> y(system.local.row_offsets.size() - 1);
  linalg::multiply(system.local, x, y.data());
  double sum = 0;
  for (std::size_t i = 0; i < y.size(); ++i) sum += (std::conj(x[i]) * y[i]).real();
  return sum / 2;
}

}  // namespace curlew::ie
