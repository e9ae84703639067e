// SPDX-License-Identifier: BSD-3-Clause
#include "ie/results/reaction_power.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/threads.hpp"
#include "ngim/plan.hpp"

namespace curlew::ie {
namespace {

/// The double sum with its factor, and a bound of it from the magnitudes of charges and potentials.
struct Reaction {
  double power = 0, bound = 0;
};

/// sum_pq a_p* a_q sin(k R_pq)/R_pq: minus the imaginary part of the sums of exp(-jkR)/R, which leave out the
/// points themselves.
Reaction by_sine(const Complex* a, const Complex* potential, Offset n, double k) {
  double sum = 0, charges = 0, potentials = 0;
#pragma omp parallel for reduction(+ : sum, charges, potentials) num_threads(num_threads())
  for (Offset p = 0; p < n; ++p) {
    sum += k * std::norm(a[p]) - (std::conj(a[p]) * potential[p]).imag();
    charges += std::norm(a[p]), potentials += std::norm(potential[p]);
  }
  return {sum, std::sqrt(charges * potentials)};
}

class PointReaction {
 public:
  PointReaction(const RadiatingPoints& sources, double tolerance, Device device)
      : sources_(sources), plan_(sources.points, std::nullopt, sources.k, options_of(tolerance, device)) {}

  Reaction of(const Complex* x) const {
    const auto n = Offset(sources_.points.size());
    const double k = sources_.k;
    std::vector<Complex> charges(std::size_t(4 * n)), potential(charges.size());
    {
      const auto moments = sources_.moments(x, 1), charge = sources_.charges(x, 1);
      std::copy_n(moments.data(), 3 * n, charges.begin());
      std::copy_n(charge.data(), n, charges.begin() + 3 * n);
    }
    plan_.apply(charges.data(), 4, potential.data());
    Reaction all;
    for (int i = 0; i < 4; ++i) {
      const double factor = k * vacuum_impedance / (8 * pi) * (i < 3 ? 1 : -1 / (k * k));
      const auto one = by_sine(&charges[std::size_t(i * n)], &potential[std::size_t(i * n)], n, k);
      all.power += factor * one.power, all.bound += std::abs(factor) * one.bound;
    }
    return all;
  }

 private:
  static ngim::Options options_of(double tolerance, Device device) {
    ngim::Options o;
    o.tolerance = tolerance, o.device = device, o.may_use_host = o.surface = true;
    if (tolerance >= reaction_tolerance) o.precision = ngim::Precision::single_precision;
    return o;
  }

  const RadiatingPoints& sources_;
  ngim::Plan plan_;
};

}  // namespace

std::vector<double> reaction_power(const RadiatingPoints& sources, const Complex* x, Index count,
                                   Device device) {
  std::vector<double> power;
  std::vector<Index> again;
  const auto solution = [&](Index c) { return x + Offset(c) * sources.num_unknowns; };
  {
    const PointReaction coarse(sources, reaction_tolerance, device);
    for (Index c = 0; c < count; ++c) {
      check_interrupt();
      const auto sum = coarse.of(solution(c));
      power.push_back(sum.power);
      if (sum.power < least_active_part * sum.bound) again.push_back(c);
    }
  }  // room on the device for the finer one
  if (again.empty()) return power;
  const PointReaction fine(sources, finer_reaction_tolerance, device);
  for (const Index c : again) {
    check_interrupt();
    power[std::size_t(c)] = fine.of(solution(c)).power;
  }
  return power;
}

}  // namespace curlew::ie
