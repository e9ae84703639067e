// SPDX-License-Identifier: BSD-3-Clause
#include "job/kept.hpp"

#include <span>
#include <stdexcept>

namespace curlew::job {
namespace {

// Files of kept solutions hold complex arrays by name: an array of real numbers says so in its name, and is
// kept two of them in one.
const std::string real_mark = "real_";

std::vector<Complex> packed(const std::vector<double>& values) {
  std::vector<Complex> out{Complex(double(values.size()))};
  for (std::size_t i = 0; i < values.size(); i += 2)
    out.emplace_back(values[i], i + 1 < values.size() ? values[i + 1] : 0.0);
  return out;
}

std::vector<double> unpacked(const std::vector<Complex>& values) {
  std::vector<double> out;
  for (std::size_t i = 1; i < values.size(); ++i) out.insert(out.end(), {values[i].real(), values[i].imag()});
  out.resize(std::size_t(values.at(0).real()));
  return out;
}

}  // namespace

Array& Solution::find(const std::string& name) {
  for (auto& array : arrays)
    if (array.name == name) return array;
  throw std::out_of_range("a solution has no array \"" + name + "\"");
}

void keep(const run::FrequencySweep& sweep, std::size_t number, const Solution& solution) {
  std::vector<std::vector<Complex>> reals;
  reals.reserve(solution.arrays.size());  // views of them are taken
  run::SolvedViews views;
  for (const auto& array : solution.arrays) {
    if (const auto* complex = std::get_if<std::vector<Complex>>(&array.values))
      views[array.name] = *complex;
    else
      views[real_mark + array.name] = reals.emplace_back(packed(std::get<std::vector<double>>(array.values)));
  }
  sweep.keep(number, views);
}

std::optional<Solution> find_kept(const run::FrequencySweep& sweep, std::size_t number, double frequency) {
  auto known = sweep.find(number);
  if (!known) return std::nullopt;
  Solution solution{frequency, {}};
  for (auto& [name, values] : *known) {
    const std::vector<std::uint64_t> shape{values.size()};
    if (name.starts_with(real_mark))
      solution.arrays.push_back({name.substr(real_mark.size()), "", shape, unpacked(values)});
    else
      solution.arrays.push_back({name, "", shape, std::move(values)});
  }
  return solution;
}

}  // namespace curlew::job
