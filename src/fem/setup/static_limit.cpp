// SPDX-License-Identifier: BSD-3-Clause
#include "fem/setup/static_limit.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "fem/driven/low_frequency.hpp"

namespace curlew::fem {

StaticLimit::StaticLimit(std::vector<double>& frequencies, const mesh::Mesh& mesh, const Model& model) {
  if (frequencies.front() > 0) return;
  frequency_ = static_frequency(mesh, model);
  if (frequencies.size() > 1) frequency_ = std::min(frequency_, frequencies[1] / 2);
  frequencies.front() = frequency_;
}

void StaticLimit::leave_out(std::vector<double>& written, bool fields_asked, const io::Config& config) const {
  if (!is_asked()) return;
  std::erase(written, frequency_);
  if (fields_asked && written.empty())
    config.table("frequency")
        .error("values", "at 0 Hz there is only S: leave out fields, or give another frequency");
}

void StaticLimit::require(const DrivenProblem& problem, bool has_sources) const {
  if (!is_asked()) return;
  std::string why = problem.not_split();
  if (why.empty() && has_sources) why = "an [excitation] together with ports";
  if (!why.empty())
    throw InputError(fmt::format("frequency: 0 Hz is not possible with {}: leave one of them out", why));
}

void StaticLimit::add(const DrivenSolution& solution, PortNetwork& network) const {
  if (is_asked() && solution.frequency == frequency_)
    return network.add_limit(solution.frequency, solution.modes, solution.scattering.s);
  network.add(solution.frequency, solution.modes, solution.scattering.s);
}

}  // namespace curlew::fem
