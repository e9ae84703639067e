// SPDX-License-Identifier: BSD-3-Clause
#include "report/between.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <numeric>

namespace curlew::report {
namespace {

constexpr double predicted = 1e-4, agreed = 1e-3;  // of S
constexpr std::size_t drawn = 400;

/// The x of unit length with the least |A x|, by inverse iteration with R^H R of A = Q R. @pre rows >=
/// columns
Eigen::VectorXcd least_vector(const Eigen::MatrixXcd& a) {
  Eigen::MatrixXcd r = a.householderQr().matrixQR().topRows(a.cols());
  r.diagonal().array() += 1e-15 * r.norm() + 1e-150;
  const auto upper = r.triangularView<Eigen::Upper>();
  Eigen::VectorXcd x = Eigen::VectorXcd::Ones(a.cols());
  for (int step = 0; step < 4; ++step) x = upper.solve(upper.adjoint().solve(x)).normalized();
  return x;
}

}  // namespace

Complex RationalFit::operator()(double at) const {
  Complex above = 0, below = 0;
  for (std::size_t j = 0; j < f.size(); ++j) {
    if (at == f[j]) return s[j];
    const Complex share = w[j] * (f[0] / (at - f[j]));
    above += share * s[j], below += share;
  }
  return above / below;
}

RationalFit fit_rational(const std::vector<double>& f, const std::vector<Complex>& s, double tolerance) {
  RationalFit fit;
  std::vector<std::size_t> rest(f.size());
  std::iota(rest.begin(), rest.end(), std::size_t(0));
  const Complex mean = std::accumulate(s.begin(), s.end(), Complex(0)) / double(s.size());
  const auto miss = [&](std::size_t i) { return std::abs((fit.f.empty() ? mean : fit(f[i])) - s[i]); };
  while (fit.f.size() < f.size() / 2) {
    const auto worst =
        std::max_element(rest.begin(), rest.end(), [&](auto a, auto b) { return !(miss(a) >= miss(b)); });
    if (miss(*worst) <= tolerance) break;
    fit.f.push_back(f[*worst]), fit.s.push_back(s[*worst]);
    rest.erase(worst);
    Eigen::MatrixXcd loewner(rest.size(), fit.f.size());
    for (std::size_t j = 0; j < fit.f.size(); ++j)
      for (std::size_t i = 0; i < rest.size(); ++i)
        loewner(Eigen::Index(i), Eigen::Index(j)) =
            (s[rest[i]] - fit.s[j]) * (f[0] / (f[rest[i]] - fit.f[j]));
    const Eigen::VectorXcd weights = least_vector(loewner);
    fit.w.assign(weights.begin(), weights.end());
  }
  if (fit.f.empty()) fit = {{f[0]}, {s[0]}, {1}};
  return fit;
}

Between between(const std::vector<double>& f, const std::vector<Complex>& s) {
  const Between straight{f, s, {}};
  constexpr std::size_t fewest = 7;  // half of fewer ones predict nothing but a constant
  if (f.size() < fewest || f.size() > drawn / 4) return straight;
  std::vector<double> half_f;
  std::vector<Complex> half_s;
  for (std::size_t i = 0; i < f.size(); i += 2) half_f.push_back(f[i]), half_s.push_back(s[i]);
  const auto half = fit_rational(half_f, half_s, 0.1 * predicted), all = fit_rational(f, s, 0.1 * predicted);
  Between made;
  const std::size_t parts = (drawn + f.size() - 2) / (f.size() - 1);
  for (std::size_t i = 0; i < f.size(); ++i) {
    if (!(std::abs(half(f[i]) - s[i]) <= predicted && std::abs(all(f[i]) - s[i]) <= predicted))
      return straight;
    made.points.push_back(made.f.size());
    made.f.push_back(f[i]), made.s.push_back(s[i]);
    for (std::size_t part = 1; i + 1 < f.size() && part < parts; ++part) {
      const double at = f[i] + (f[i + 1] - f[i]) * double(part) / double(parts);
      const Complex value = all(at);
      if (!(std::abs(half(at) - value) <= agreed)) return straight;
      made.f.push_back(at), made.s.push_back(value);
    }
  }
  return made;
}

}  // namespace curlew::report
