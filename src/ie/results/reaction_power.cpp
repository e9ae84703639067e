// SPDX-License-Identifier: BSD-3-Clause
#include "ie/results/reaction_power.hpp"

#include "base/error.hpp"
#include "base/threads.hpp"
#include "ngim/plan.hpp"

namespace curlew::ie {
namespace {

/// sum_pq a_p* a_q sin(k R_pq)/R_pq: minus the imaginary part of the sums of exp(-jkR)/R, which leave out the
/// points themselves.
double by_sine(const Complex* a, const Complex* potential, Offset n, double k) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum) num_threads(num_threads())
  for (Offset p = 0; p < n; ++p) sum += k * std::norm(a[p]) - (std::conj(a[p]) * potential[p]).imag();
  return sum;
}

}  // namespace

std::vector<double> reaction_power(const RadiatingPoints& sources, const Complex* x, Index count,
                                   Device device) {
  const auto n = Offset(sources.points.size());
  const double k = sources.k;
  ngim::Options options;
  options.tolerance = reaction_tolerance, options.device = device, options.may_use_host = true;
  const ngim::Plan plan(sources.points, std::nullopt, k, options);
  std::vector<Complex> charges(std::size_t(4 * n)), potential(charges.size());
  std::vector<double> power;
  for (Index c = 0; c < count; ++c) {
    check_interrupt();
    const Complex* const of = x + Offset(c) * sources.num_unknowns;
    const auto moments = sources.moments(of, 1), charge = sources.charges(of, 1);
    std::copy_n(moments.data(), 3 * n, charges.begin());
    std::copy_n(charge.data(), n, charges.begin() + 3 * n);
    plan.apply(charges.data(), 4, potential.data());
    double sum = 0;
    for (int i = 0; i < 4; ++i)
      sum += (i < 3 ? 1 : -1 / (k * k)) *
             by_sine(&charges[std::size_t(i * n)], &potential[std::size_t(i * n)], n, k);
    power.push_back(k * vacuum_impedance / (8 * pi) * sum);
  }
  return power;
}

}  // namespace curlew::ie
