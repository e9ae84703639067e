// SPDX-License-Identifier: BSD-3-Clause
#include "job/adaptive.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/log.hpp"

namespace curlew::job {

void state_sweep(std::size_t solved, std::size_t frequencies, double error, run::Run& run) {
  run.results()["full_solutions"] = solved;
  run.results()["adaptive_error_estimate"] = error;
  run.line(fmt::format("adaptive sweep: {} full solutions for {} frequencies, error estimate {:.1e}", solved,
                       frequencies, error));
}

void plan_samples(const std::optional<io::AdaptiveSweep>& adaptive, std::size_t frequencies,
                  std::size_t values, run::Run& run) {
  if (!adaptive) return;
  const auto most = std::min(frequencies, std::size_t(adaptive->max_solutions));
  run.plan("solutions of the adaptive sweep", sizeof(Complex) * most * values);
}

void sample(linalg::SampledSolutions& between, const io::AdaptiveSweep& adaptive, std::size_t frequencies,
            run::Run& run) {
  try {
    const auto& sampling = between.sample(adaptive.tolerance, std::size_t(adaptive.max_solutions));
    if (adaptive.is_stated) linalg::require_converged(sampling, adaptive.tolerance);
    const bool is_met = sampling.converged;
    state_sweep(is_met ? sampling.taken.size() : frequencies, frequencies,
                is_met ? sampling.error_estimate : 0, run);
  } catch (const Interrupted&) {
    log::info("full solutions are kept: --resume continues after them");
    throw;
  }
}

}  // namespace curlew::job
