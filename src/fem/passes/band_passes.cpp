// SPDX-License-Identifier: BSD-3-Clause
#include "fem/passes/band_passes.hpp"

#include <algorithm>
#include <numeric>

#include "fem/error/scattering_error.hpp"
#include "fem/error/sweep_error.hpp"
#include "io/frequency.hpp"

namespace curlew::fem {

BandPasses::BandPasses(const job::Refinement& refinement, const io::Config& config)
    : frequencies_(refinement.frequencies),
      is_stated_(refinement.states_frequencies),
      tolerance_(refinement.tolerance),
      max_passes_(refinement.max_passes) {
  if (is_stated_) return;
  frequencies_ = io::frequencies(config, io::Lowest::zero);
  std::erase_if(frequencies_, [](double f) { return f <= 0; });
}

std::vector<std::size_t> BandPasses::choose(const std::vector<DrivenSolution>& solutions) const {
  if (is_stated_) {
    std::vector<std::size_t> all(frequencies_.size());
    std::iota(all.begin(), all.end(), 0);
    return all;
  }
  std::vector<Eigen::MatrixXcd> s;
  for (const auto& solution : solutions) s.push_back(solution.scattering.s);
  const auto steep = steepest(steepness(frequencies_, s), frequencies_.size());
  std::vector<std::size_t> chosen;
  const auto choose = [&](std::size_t i) {
    if (std::ranges::find(chosen, i) == chosen.end()) chosen.push_back(i);
  };
  choose(steep.front());
  choose(frequencies_.size() - 1);
  if (worst_) choose(*worst_);
  const auto unseen = std::ranges::find_if(steep, [&](std::size_t i) {
    return seen_.count(i) == 0 && std::ranges::find(chosen, i) == chosen.end();
  });
  if (unseen != steep.end()) choose(*unseen);
  return chosen;
}

bool BandPasses::may_be_last(const mesh::Pass& pass) const {
  return left_ <= 0 || std::ranges::none_of(pass.quantities, [&](const auto& q) {
           return q.estimate.value_or(0) >= tolerance_;
         });
}

bool BandPasses::needs_more(const mesh::Pass& pass, std::size_t done) const {
  return is_stated_ || done < 2 || may_be_last(pass);
}

void BandPasses::add_late(mesh::Pass& pass, const std::function<void()>& add) const {
  if (!may_be_last(pass)) return;
  const std::size_t first = pass.quantities.size();
  add();
  for (std::size_t i = first; i < pass.quantities.size(); ++i) pass.quantities[i].is_late = true;
}

void BandPasses::begin(const std::vector<job::Row>& before) {
  left_ = max_passes_ - int(before.size()) - 1;
  seen_.clear(), worst_.reset(), greatest_ = 0;
  for (const auto& row : before) {
    const auto count = std::size_t(std::ranges::count(row.quantities, false, &mesh::Pass::Quantity::is_late));
    greatest_ = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const auto& bar = row.quantities[i].estimate;
      if (!bar) continue;
      const std::size_t frequency = i * frequencies_.size() / count;
      seen_.insert(frequency);
      if (*bar >= greatest_) greatest_ = *bar, worst_ = frequency;
    }
  }
}

}  // namespace curlew::fem
