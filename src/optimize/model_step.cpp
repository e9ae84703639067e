// SPDX-License-Identifier: BSD-3-Clause
#include "optimize/model_step.hpp"

#include <nlopt.h>

#include <algorithm>
#include <cmath>
#include <memory>

namespace curlew::optimize {
namespace {

struct Problem {
  const Response& response;
  const std::vector<Limit>& limits;
};

/// The last variable, t.
double objective(unsigned count, const double* z, double* gradient, void*) {
  if (gradient != nullptr) {
    std::fill(gradient, gradient + count, 0.0);
    gradient[count - 1] = 1;
  }
  return z[count - 1];
}

void constraints(unsigned rows, double* result, unsigned count, const double* z, double* gradient,
                 void* data) {
  const auto& problem = *static_cast<const Problem*>(data);
  const std::size_t n = count - 1;
  const auto values = linear_values(problem.response, {z, z + n});
  for (unsigned i = 0; i < rows; ++i) {
    const Limit& limit = problem.limits[i];
    result[i] = excess(limit, values[limit.value]) - z[n];
    if (gradient == nullptr) continue;
    for (std::size_t j = 0; j < n; ++j)
      gradient[i * count + j] =
          excess_slope(limit, values[limit.value], problem.response.derivatives[limit.value * n + j]);
    gradient[i * count + n] = -1;
  }
}

std::vector<double> solve(nlopt_algorithm algorithm, Problem problem, const std::vector<double>& low,
                          const std::vector<double>& high) {
  const std::size_t n = low.size();
  constexpr double accuracy = 1e-7;
  constexpr int most_steps = 1000;
  std::vector<double> lower = low, upper = high, z(n, 0.0);
  lower.push_back(-HUGE_VAL), upper.push_back(HUGE_VAL);
  z.push_back(worst_excess(problem.limits, problem.response.values));
  const std::unique_ptr<nlopt_opt_s, void (*)(nlopt_opt)> search(nlopt_create(algorithm, unsigned(n + 1)),
                                                                 nlopt_destroy);
  nlopt_set_min_objective(search.get(), objective, nullptr);
  nlopt_add_inequality_mconstraint(search.get(), unsigned(problem.limits.size()), constraints, &problem,
                                   nullptr);
  nlopt_set_lower_bounds(search.get(), lower.data());
  nlopt_set_upper_bounds(search.get(), upper.data());
  nlopt_set_ftol_abs(search.get(), accuracy);
  nlopt_set_maxeval(search.get(), most_steps);
  double least = 0;
  nlopt_optimize(search.get(), z.data(), &least);  // whatever it says: the caller looks at the step
  z.pop_back();
  for (std::size_t j = 0; j < n; ++j) z[j] = std::isfinite(z[j]) ? std::clamp(z[j], low[j], high[j]) : 0;
  return z;
}

}  // namespace

std::vector<Complex> linear_values(const Response& response, const std::vector<double>& step) {
  std::vector<Complex> values = response.values;
  for (std::size_t i = 0; i < values.size(); ++i)
    for (std::size_t j = 0; j < step.size(); ++j)
      values[i] += response.derivatives[i * step.size() + j] * step[j];
  return values;
}

std::vector<double> best_step(const Response& response, const std::vector<Limit>& limits,
                              const std::vector<double>& low, const std::vector<double>& high) {
  std::vector<double> best(low.size(), 0.0);
  double least = worst_excess(limits, response.values);
  // The second, conservative approximations (K. Svanberg, SIAM J. Optim. 12 (2002) 555), ends more slowly
  // and always.
  for (const auto algorithm : {NLOPT_LD_SLSQP, NLOPT_LD_MMA}) {
    const auto step = solve(algorithm, {response, limits}, low, high);
    const double worst = worst_excess(limits, linear_values(response, step));
    if (worst < least) best = step, least = worst;
    if (std::any_of(best.begin(), best.end(), [](double s) { return s != 0; })) break;
  }
  return best;
}

}  // namespace curlew::optimize
