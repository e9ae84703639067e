// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/krylov/method_choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace curlew::linalg {
namespace {

// Fitted to the measurements in docs/measured/solvers.md; within a factor of two there.
constexpr double bytes_of_factors = 200;  // times n^(4/3): nested dissection in three dimensions
constexpr double flops_of_factors =
    0.45;                            // times the power 3/2 of their entries, in two and three dimensions
constexpr double core_flops = 2e10;  // a second, of one core in a factorisation
constexpr double gpu_flops = 1.4e13;
constexpr double values_gpu = 5e-7;  // seconds per unknown, to copy values to the GPU and solutions back
constexpr double analysis_cpu = 2e-5, analysis_gpu = 3.2e-6;            // seconds per unknown
constexpr double setup_cpu = 5e-6, setup_gpu = 1e-6;                    // of the levels, seconds per unknown
constexpr double setup_core = 1e-5;                                     // the part of it that all cores share
constexpr double cycle_cpu = 1e-8, cycle_gpu = 1.5e-10;                 // seconds per nonzero and iteration
constexpr double factor_reading_cpu = 1e10, factor_reading_gpu = 1e12;  // bytes per second
constexpr int iterations = 27;                                          // 18 to 36 on devices
constexpr int most_iterations = 36;                                     // of one right-hand side there
constexpr double gpu_vectors = 104;  // of GMRES(100): all are allocated, as its iterations are recorded
constexpr double cpu_vectors = 5;    // beside those that an iteration keeps

constexpr Index few_unknowns = 100'000;
constexpr double nearly_all = 0.85;  // of the unknowns on the coarse level
constexpr double clearly_faster = 0.5;

constexpr double gib = 1 << 30;

/// Speed of `threads` cores over that of one.
double speed_up(int threads) {
  return std::pow(std::max(threads, 1), 0.8);
}

/// Analysis, factorisation and reading of factors, one of each.
struct FactorCost {
  double analysis, factorisation, reading;
  double bytes;
};

FactorCost factor_cost(double unknowns, double flops, double bytes, bool on_gpu, int threads) {
  if (on_gpu)
    return {0.3 + analysis_gpu * unknowns, flops / gpu_flops + values_gpu * unknowns,
            bytes / factor_reading_gpu, bytes};
  return {analysis_cpu * unknowns, flops / (core_flops * speed_up(threads)), bytes / factor_reading_cpu,
          bytes};
}

/// Vectors of one solution. Flexible GMRES, over factors in single precision, keeps two an iteration.
double vectors(const SolverDemand& d, const SolverMachine& m) {
  return m.has_gpu ? gpu_vectors : (d.short_factors ? 2.0 : 1.0) * most_iterations + cpu_vectors;
}

std::string in_words(const SolverCost& cost) {
  return fmt::format("{:.2g} s and {:.2g} GiB", cost.seconds, double(cost.bytes) / gib);
}

}  // namespace

std::size_t expected_factor_bytes(Index unknowns) {
  return std::size_t(bytes_of_factors * std::pow(double(unknowns), 4.0 / 3));
}

MethodChoice choose_method(const SolverDemand& d, const SolverMachine& m) {
  const bool direct_on_gpu = m.has_gpu && m.has_cudss;
  const double n = d.unknowns, share = n > 0 ? d.coarse_unknowns / n : 1;
  const double bytes = double(d.factor_bytes > 0 ? d.factor_bytes : expected_factor_bytes(d.unknowns));
  const double flops =
      d.factor_flops > 0 ? d.factor_flops : flops_of_factors * std::pow(bytes / sizeof(Complex), 1.5);
  const FactorCost whole = factor_cost(n, flops, bytes, direct_on_gpu, m.threads);
  const double bytes_of_coarse = (d.short_factors ? 0.5 : 1.0) * bytes * std::pow(share, 4.0 / 3);
  const FactorCost coarse =
      factor_cost(d.coarse_unknowns, flops * share * share, bytes_of_coarse, direct_on_gpu, m.threads);
  const double rhs = std::max(d.right_hand_sides, 1), frequencies = std::max(d.frequencies, 1);
  const double setup = (m.has_gpu ? setup_gpu : setup_cpu + setup_core / speed_up(m.threads)) * n;
  const double cycle =
      double(d.nonzeros) * (m.has_gpu ? cycle_gpu : cycle_cpu / speed_up(m.threads)) + coarse.reading;

  MethodChoice choice;
  choice.analysis = d.is_analysed ? 0 : whole.analysis;
  choice.direct = {choice.analysis + frequencies * (whole.factorisation + rhs * whole.reading),
                   std::size_t(whole.bytes)};
  choice.iterative = {
      frequencies * (coarse.analysis + coarse.factorisation + setup + rhs * iterations * cycle),
      std::size_t(coarse.bytes + 2.0 * double(d.nonzeros) * (sizeof(Complex) + sizeof(Index)) +
                  vectors(d, m) * n * sizeof(Complex))};

  const std::string direct_name = direct_on_gpu ? "direct on the GPU" : "direct on the CPU";
  const std::string iterative_name = m.has_gpu ? "iterative on the GPU" : "iterative on the CPU";
  const bool direct_fits = whole.bytes < double(direct_on_gpu ? m.device_memory : m.memory);
  if (share > nearly_all) {
    choice.reason = fmt::format("{}: the multilevel preconditioner would factorise {:.0f} % of the unknowns",
                                direct_name, 100 * share);
  } else if (!direct_fits) {
    choice.is_iterative = true;
    choice.reason = fmt::format("{}: factors of {:.2g} GiB do not fit, {} are predicted", iterative_name,
                                whole.bytes / gib, in_words(choice.iterative));
  } else if (d.unknowns < few_unknowns) {
    choice.reason =
        fmt::format("{}: {} unknowns, fewer than {}, take seconds", direct_name, d.unknowns, few_unknowns);
  } else {
    choice.is_iterative = choice.iterative.seconds < clearly_faster * choice.direct.seconds;
    choice.reason = fmt::format("{}: {} predicted, {} {}", choice.is_iterative ? iterative_name : direct_name,
                                in_words(choice.is_iterative ? choice.iterative : choice.direct),
                                choice.is_iterative ? direct_name : iterative_name,
                                in_words(choice.is_iterative ? choice.direct : choice.iterative));
  }
  return choice;
}

}  // namespace curlew::linalg
