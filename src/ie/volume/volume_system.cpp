// SPDX-License-Identifier: BSD-3-Clause
#include "ie/volume/volume_system.hpp"

#include <fmt/format.h>

#include <cmath>

#include "base/constants.hpp"
#include "base/error.hpp"

namespace curlew::ie {
namespace {

void check_medium(std::span<const Complex> epsilon_r, double k) {
  if (!(k > 0 && std::isfinite(k))) throw InputError(fmt::format("wavenumber {:g} must be positive", k));
  for (const Complex e : epsilon_r) {
    if (!std::isfinite(e.real()) || !std::isfinite(e.imag()) || e == 0.0 || e == 1.0 || e.imag() > 0) {
      throw InputError(
          fmt::format("epsilon_r = {:g} {:+g}j: the volume equation takes passive media (Im <= 0 under "
                      "exp(+jwt)) other than 0 "
                      "and 1 (vacuum is no part of the body)",
                      e.real(), e.imag()));
    }
  }
}

Complex contrast(Complex epsilon_r) {
  return 1.0 - 1.0 / epsilon_r;
}

Vec3<double> centre_of(const std::array<Vec3<double>, 4>& v) {
  return 0.25 * (v[0] + v[1] + v[2] + v[3]);
}

/// Integral of (r - p_i) . (r - p_j) over a cell for all pairs of corners.
std::array<std::array<double, 4>, 4> moments(const std::array<Vec3<double>, 4>& v, double volume) {
  const Vec3<double> c = centre_of(v);
  double spread = 0;
  for (const auto& p : v) spread += dot(p - c, p - c) / 20;
  std::array<std::array<double, 4>, 4> m;
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t j = 0; j < 4; ++j) m[i][j] = volume * (dot(c - v[i], c - v[j]) + spread);
  }
  return m;
}

void add_cells(const SwgBasis& basis, std::span<const Complex> epsilon_r, MixedPotentialSystem& system,
               linalg::Coo<Complex>& sources, linalg::Coo<Complex>& local) {
  for (Index c = 0; c < basis.num_cells(); ++c) {
    const auto at = std::size_t(c);
    const auto& v = basis.corners[at];
    const Complex kappa = contrast(epsilon_r[at]);
    const auto m = moments(v, basis.volume[at]);
    const Vec3<double> centre = centre_of(v);
    for (std::size_t i = 0; i < 4; ++i) {
      const Index row = basis.unknown[at][i];
      const Complex f = kappa * basis.factor[at][i];
      for (int d = 0; d < 3; ++d) sources.add(4 * c + d, row, f * (centre[d] - v[i][d]));
      sources.add(4 * c + 3, row, 3.0 * f);
      for (std::size_t j = 0; j < 4; ++j)
        local.add(row, basis.unknown[at][j], f * basis.factor[at][j] * m[i][j] / epsilon_r[at]);
    }
    Element e{{}, 4, 1.0 / 3};
    std::copy(v.begin(), v.end(), e.corners);
    system.elements.push_back(e);
  }
}

/// Crossing the face along f . n = 1, kappa f jumps from the first cell's contrast to the second's.
void add_sheets(const SwgBasis& basis, std::span<const Complex> epsilon_r, MixedPotentialSystem& system,
                linalg::Coo<Complex>& sources) {
  for (Index f = 0; f < basis.num_functions(); ++f) {
    const auto [a, b] = basis.face_cells[std::size_t(f)];
    const Complex before = contrast(epsilon_r[std::size_t(a)]);
    const Complex after = b < 0 ? Complex() : contrast(epsilon_r[std::size_t(b)]);
    if (before == after) continue;
    const auto& t = basis.face[std::size_t(f)];
    sources.add(4 * Index(system.elements.size()) + 3, f, after - before);
    system.elements.push_back({{t[0], t[1], t[2], {}}, 3, 0.0});
  }
}

}  // namespace

MixedPotentialSystem make_volume_system(const SwgBasis& basis, std::span<const Complex> epsilon_r, double k) {
  check_medium(epsilon_r, k);
  MixedPotentialSystem system;
  system.k = k;
  system.vector_factor = -k * k / (4 * pi);
  system.scalar_factor = 1 / (4 * pi);
  const Index n = basis.num_functions();
  linalg::Coo<Complex> sources{0, n, {}, {}, {}}, local{n, n, {}, {}, {}};
  add_cells(basis, epsilon_r, system, sources, local);
  add_sheets(basis, epsilon_r, system, sources);
  sources.num_rows = Index(4 * system.elements.size());
  system.sources = linalg::to_csr(sources);
  system.local = linalg::to_csr(local);
  return system;
}

std::vector<Complex> test_field(const MixedPotentialSystem& system, const Field& incident) {
  const ElementRules rules(5);
  std::vector<Complex> tested(4 * system.elements.size());
#pragma omp parallel for schedule(dynamic, 256)
  for (Index e = 0; e < Index(system.elements.size()); ++e) {
    const Element& element = system.elements[std::size_t(e)];
    if (element.slope == 0) continue;  // a sheet carries charge only
    const RuleView rule = rules.of(element);
    const Vec3<double> centre = element.centre();
    Complex* result = &tested[4 * std::size_t(e)];
    for (int i = 0; i < rule.size; ++i) {
      const Vec3<double> r = rule.point(element, i);
      const Vec3<Complex> field = (element.size() * rule.weights[i]) * incident(r);
      for (int d = 0; d < 3; ++d) result[d] += field[d];
      result[3] += element.slope * dot(r - centre, field);
    }
  }
  std::vector<Complex> b(system.local.row_offsets.size() - 1);
  linalg::multiply(linalg::transpose(system.sources), tested.data(), b.data());
  return b;
}

std::vector<Vec3<Complex>> centre_currents(const MixedPotentialSystem& system, const Complex* x) {
  std::vector<Complex> u(4 * system.elements.size());
  linalg::multiply(system.sources, x, u.data());
  std::vector<Vec3<Complex>> currents(system.elements.size());
  for (std::size_t e = 0; e < currents.size(); ++e) currents[e] = {u[4 * e], u[4 * e + 1], u[4 * e + 2]};
  return currents;
}

std::vector<Vec3<Complex>> cell_fields(const MixedPotentialSystem& system, std::span<const Complex> epsilon_r,
                                       const Complex* x) {
  auto fields = centre_currents(system, x);
  fields.resize(epsilon_r.size());
  for (std::size_t c = 0; c < fields.size(); ++c) fields[c] = (1.0 / (epsilon_r[c] - 1.0)) * fields[c];
  return fields;
}

double absorption(const SwgBasis& basis, std::span<const Complex> epsilon_r, double k, const Complex* x) {
  double sum = 0;
  for (std::size_t c = 0; c < basis.cells.size(); ++c) {
    const auto m = moments(basis.corners[c], basis.volume[c]);
    double square = 0;  // integral of |d|^2
    for (std::size_t i = 0; i < 4; ++i) {
      for (std::size_t j = 0; j < 4; ++j) {
        const Complex xi = basis.factor[c][i] * x[basis.unknown[c][i]],
                      xj = basis.factor[c][j] * x[basis.unknown[c][j]];
        square += m[i][j] * (std::conj(xi) * xj).real();
      }
    }
    sum += k * -epsilon_r[c].imag() / std::norm(epsilon_r[c]) * square;
  }
  return sum;
}

}  // namespace curlew::ie
