// SPDX-License-Identifier: BSD-3-Clause
// Circular cylinders of metal, of a dielectric and coated, against their series.
// Source: Harrington (1961), Time-Harmonic Electromagnetic Fields, sections 5-9 and 5-10.

#include <fmt/format.h>

#include <cmath>

#include "base/constants.hpp"
#include "bench/error_cases.hpp"
#include "fields/pattern_error.hpp"
#include "mom2d/far_field.hpp"
#include "mom2d/halved.hpp"
#include "series.hpp"

namespace curlew::bench {
namespace {

using namespace mom2d;
using series::Long;

enum class Kind { metal, dielectric, coated };

struct CircleCase {
  Kind kind;
  bool te;
  Method method;
  double ka;
  int cells, nodes;
};

constexpr double core = 0.7, epsilon = 3;  // of the radius 1 m; inside or in the coating

std::vector<double> observation() {
  std::vector<double> phi;
  for (int i = 0; i < 72; ++i) phi.push_back(pi * i / 36);
  return phi;
}

/// u'/u by k0 r on the circle, or the like of the perfect conductor where `is_zero`.
Long admittance(const CircleCase& c, int m, int last) {
  const long double k1 = c.ka * std::sqrt(epsilon), factor = c.te ? epsilon : 1;
  const auto ja = series::bessel_j(last + 1, Long(k1));
  const auto inside = series::j_pair(ja, m, Long(k1));
  const long double scale = std::sqrt(epsilon) / factor;
  if (c.kind == Kind::dielectric) return scale * inside.d / inside.f;
  const auto jb = series::bessel_j(last + 1, Long(k1 * core));
  const auto ya = series::bessel_y(last + 1, k1), yb = series::bessel_y(last + 1, k1 * core);
  const auto oh = series::h_pair(ja, ya, m, k1);
  const auto ij = series::j_pair(jb, m, Long(k1 * core)), ih = series::h_pair(jb, yb, m, k1 * core);
  const Long p = c.te ? ih.d : ih.f, q = c.te ? ij.d : ij.f;
  return scale * (inside.d * p - oh.d * q) / (inside.f * p - oh.f * q);
}

/// |F| of u_s = sum j^m a_m H_m exp(jm phi), for a wave from phi = 0.
std::vector<double> exact_of(const CircleCase& c) {
  const int last = series::num_terms(c.ka);
  const auto j = series::bessel_j(last + 1, Long(c.ka));
  const auto y = series::bessel_y(last + 1, c.ka);
  std::vector<Long> a;
  for (int m = 0; m <= last; ++m) {
    const auto h = series::h_pair(j, y, m, c.ka), b = series::j_pair(j, m, Long(c.ka));
    if (c.kind == Kind::metal) {
      a.push_back(c.te ? -b.d / h.d : -b.f / h.f);
    } else {
      const Long q = admittance(c, m, last + 20);
      a.push_back(-(b.d - q * b.f) / (h.d - q * h.f));
    }
  }
  std::vector<double> f;
  for (const double p : observation()) {
    Long sum = 0;
    for (std::size_t m = 0; m < a.size(); ++m)
      sum += (m == 0 ? 1.0L : 2.0L) * (m % 2 ? -1.0L : 1.0L) * a[m] * std::cos((long double)m * p);
    f.push_back(double(4 * std::abs(sum)));
  }
  return f;
}

Problem problem_of(const CircleCase& c) {
  Problem p;
  p.wavenumber = c.ka;
  p.polarization = c.te ? Polarization::te : Polarization::tm;
  p.method = c.method, p.nodes = c.nodes;
  p.bodies.resize(c.kind == Kind::coated ? 2 : 1);
  p.bodies[0].contour = make_circle({0, 0}, 1, {c.cells});
  if (c.kind != Kind::metal) p.bodies[0].boundary = Boundary::dielectric, p.bodies[0].material = {epsilon, 1};
  if (c.kind == Kind::coated) p.bodies[1].contour = make_circle({0, 0}, core, {c.cells});
  return p;
}

fields::Quantities quantities_of(const Solution& s) {
  auto q = far_amplitude(s, 0, observation());
  q.resize(2 * q.size());
  q.push_back(1);
  return q;
}

std::vector<BarredResult> compare(const CircleCase& c) {
  Problem p = problem_of(c);
  const auto before = quantities_of(solve(p, {0}, {}));
  for (auto& body : p.bodies) body.contour = halved(body.contour);
  const auto after = quantities_of(solve(p, {0}, {}));
  fields::Changes changes;
  for (std::size_t i = 0; i < before.size(); ++i) changes.by_order.push_back(after[i] - before[i]);
  const auto exact = exact_of(c);
  const auto error = fields::pattern_error(before, changes, 0, exact.size());
  double wrong = 0, size = 0;
  for (std::size_t i = 0; i < exact.size(); ++i)
    wrong += std::pow(error.strength[i] - exact[i], 2), size += exact[i] * exact[i];
  return {{"pattern", std::sqrt(wrong / size), error.relative},
          {"back", std::abs(error.strength[0] / exact[0] - 1), error.field[0] / exact[0]}};
}

}  // namespace

std::vector<ErrorCase> contour_cases() {
  std::vector<ErrorCase> cases;
  for (const Kind kind : {Kind::metal, Kind::dielectric, Kind::coated}) {
    for (const bool te : {false, true}) {
      for (const double ka : {1.0, 3.0, 8.0}) {
        for (const int per_wavelength : {6, 10, 20}) {
          for (const Method method : {Method::mom, Method::lcn}) {
            const double index = kind == Kind::metal ? 1 : std::sqrt(epsilon);
            const int nodes = method == Method::mom ? 1 : 3;
            const int cells = std::max(6, int(ka * index * per_wavelength / nodes));
            cases.push_back(
                {fmt::format("{} circle, {}, {}, ka {:g}, {} cells of {}",
                             kind == Kind::metal        ? "metal"
                             : kind == Kind::dielectric ? "eps 3"
                                                        : "coated",
                             te ? "te" : "tm", method == Method::mom ? "mom" : "lcn", ka, cells, nodes),
                 1, ka == 3.0 && per_wavelength == 10 && kind == Kind::coated, [=] {
                   return compare({kind, te, method, ka, cells, nodes});
                 }});
          }
        }
      }
    }
  }
  return cases;
}

}  // namespace curlew::bench
