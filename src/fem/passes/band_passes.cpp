// SPDX-License-Identifier: BSD-3-Clause
#include "fem/passes/band_passes.hpp"

#include <algorithm>
#include <numeric>

#include "fem/error/scattering_error.hpp"
#include "fem/error/sweep_error.hpp"
#include "io/frequency.hpp"

namespace curlew::fem {

BandPasses::BandPasses(const job::Refinement& refinement, const io::Config& config)
    : frequencies_(refinement.frequencies), is_stated_(refinement.states_frequencies) {
  if (is_stated_) return;
  frequencies_ = io::frequencies(config, io::Lowest::zero);
  std::erase_if(frequencies_, [](double f) { return f <= 0; });
}

std::vector<std::size_t> BandPasses::choose(const std::vector<DrivenSolution>& solutions) {
  if (is_stated_) {
    std::vector<std::size_t> all(frequencies_.size());
    std::iota(all.begin(), all.end(), 0);
    return all;
  }
  std::vector<Eigen::MatrixXcd> s;
  for (const auto& solution : solutions) s.push_back(solution.scattering.s);
  const auto steep = steepest(steepness(frequencies_, s), frequencies_.size());
  std::set<std::size_t> chosen{frequencies_.size() - 1, steep.front()};
  if (worst_) chosen.insert(*worst_);
  const auto unseen = std::find_if(
      steep.begin(), steep.end(), [&](std::size_t i) { return seen_.count(i) == 0 && chosen.count(i) == 0; });
  if (unseen != steep.end()) chosen.insert(*unseen);
  seen_.insert(chosen.begin(), chosen.end());
  return {chosen.begin(), chosen.end()};
}

void BandPasses::look_back(const mesh::Pass& pass, std::size_t each) {
  double greatest = -1;
  for (std::size_t i = 0; i < pass.quantities.size(); ++i)
    if (const double bar = pass.quantities[i].estimate.value_or(-1); bar > greatest)
      greatest = bar, worst_ = i / each;
}

}  // namespace curlew::fem
