// SPDX-License-Identifier: BSD-3-Clause
#include "optimize/model_step.hpp"

#include <nlopt.h>

#include <algorithm>
#include <cmath>
#include <memory>

namespace curlew::optimize {
namespace {

/// Excesses are scaled by `unit`, steps by the size of the box, so that all numbers are of order 1.
struct Problem {
  const Response& response;
  const std::vector<Limit>& limits;
  double unit, box;
};

std::vector<double> scaled(const double* z, std::size_t count, double factor) {
  std::vector<double> out(z, z + count);
  for (double& number : out) number *= factor;
  return out;
}

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
  const auto values = linear_values(problem.response, scaled(z, n, problem.box));
  for (unsigned i = 0; i < rows; ++i) {
    const Limit& limit = problem.limits[i];
    const Complex value = values[limit.value];
    result[i] = excess(limit, value) / problem.unit - z[n];
    if (gradient == nullptr) continue;
    for (std::size_t j = 0; j < n; ++j)
      gradient[i * count + j] =
          excess_slope(limit, value, problem.response.derivatives[limit.value * n + j]) * problem.box /
          problem.unit;
    gradient[i * count + n] = -1;
  }
}

/// Improves a step in the box with one algorithm.
std::vector<double> improved(nlopt_algorithm algorithm, Problem problem, const std::vector<double>& low,
                             const std::vector<double>& high, const std::vector<double>& from) {
  const std::size_t n = low.size();
  constexpr double accuracy = 1e-9;
  constexpr int most_steps = 500;
  auto lower = scaled(low.data(), n, 1 / problem.box), upper = scaled(high.data(), n, 1 / problem.box),
       z = scaled(from.data(), n, 1 / problem.box);
  lower.push_back(-HUGE_VAL), upper.push_back(HUGE_VAL);
  z.push_back(worst_excess(problem.limits, linear_values(problem.response, from)) / problem.unit);
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
  nlopt_optimize(search.get(), z.data(), &least);  // its status is ignored: the caller checks the step
  auto step = scaled(z.data(), n, problem.box);
  for (std::size_t j = 0; j < n; ++j)
    step[j] = std::isfinite(step[j]) ? std::clamp(step[j], low[j], high[j]) : 0;
  return step;
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
  double least = worst_excess(limits, response.values), box = 0;
  for (std::size_t j = 0; j < low.size(); ++j) box = std::max({box, -low[j], high[j]});
  if (box == 0) return best;
  const Problem problem{response, limits, std::max(1.0, std::abs(least)), box};
  const auto improve = [&](nlopt_algorithm algorithm) {
    const auto step = improved(algorithm, problem, low, high, best);
    const double worst = worst_excess(limits, linear_values(response, step));
    const bool is_better = worst < least;
    if (is_better) best = step, least = worst;
    return is_better;
  };
  // Conservative approximations (K. Svanberg, SIAM J. Optim. 12 (2002) 555) are slower, but escape points
  // where the other algorithm stagnates.
  if (!improve(NLOPT_LD_SLSQP)) improve(NLOPT_LD_MMA);
  improve(NLOPT_LD_SLSQP);
  return best;
}

}  // namespace curlew::optimize
