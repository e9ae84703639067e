// SPDX-License-Identifier: BSD-3-Clause
#include "job/kept.hpp"

#include <algorithm>

namespace curlew::job {
namespace {

// Files of saved solutions contain complex arrays by name: real arrays have a prefix in their name, and two
// reals are stored in one complex number; a list follows its length.
const std::string real_mark = "real_";

std::vector<Complex> packed(std::span<const double> values) {
  std::vector<Complex> out;
  for (std::size_t i = 0; i < values.size(); i += 2)
    out.emplace_back(values[i], i + 1 < values.size() ? values[i + 1] : 0.0);
  return out;
}

bool copy(const std::vector<Complex>& from, std::span<Complex> to) {
  if (from.size() != to.size()) return false;
  std::copy(from.begin(), from.end(), to.begin());
  return true;
}

bool copy(const std::vector<Complex>& from, std::span<double> to) {
  if (from.size() != (to.size() + 1) / 2) return false;
  for (std::size_t i = 0; i < to.size(); ++i) to[i] = i % 2 == 0 ? from[i / 2].real() : from[i / 2].imag();
  return true;
}

std::vector<Complex> packed(const std::vector<double>* list) {
  std::vector<double> values{double(list->size())};
  values.insert(values.end(), list->begin(), list->end());
  return packed(std::span<const double>(values));
}

bool copy(const std::vector<Complex>& from, std::vector<double>* list) {
  if (from.empty() || !(from[0].real() >= 0 && from[0].real() < 2 * double(from.size()))) return false;
  list->resize(1 + std::size_t(from[0].real()));
  if (!copy(from, std::span(*list))) return false;
  list->erase(list->begin());
  return true;
}

}  // namespace

void with_views(const Arrays& solution, const std::function<void(run::SolvedViews&)>& keep) {
  std::vector<std::vector<Complex>> reals;
  reals.reserve(solution.size());  // views of them are taken
  run::SolvedViews views;
  for (const auto& [name, values] : solution) {
    if (const auto* complex = std::get_if<std::span<Complex>>(&values))
      views[name] = *complex;
    else if (const auto* list = std::get_if<std::vector<double>*>(&values))
      views[real_mark + name] = reals.emplace_back(packed(*list));
    else
      views[real_mark + name] = reals.emplace_back(packed(std::get<std::span<double>>(values)));
  }
  keep(views);
}

void keep(const run::FrequencySweep& sweep, std::size_t number, const Arrays& solution) {
  with_views(solution, [&](const run::SolvedViews& views) { sweep.keep(number, views); });
}

std::optional<run::SolvedArrays> find_for_all(const ProcessGroup* processes,
                                              const std::function<std::optional<run::SolvedArrays>()>& find) {
  auto own = is_first(processes) ? find() : std::nullopt;
  if (processes == nullptr || processes->size() == 1) return own;
  run::SolvedArrays arrays = own ? std::move(*own) : run::SolvedArrays();
  std::uint64_t count = own ? arrays.size() + 1 : 0;
  processes->broadcast(&count, sizeof count);
  if (count == 0) return std::nullopt;
  auto next = arrays.begin();
  for (std::uint64_t i = 1; i < count; ++i) {
    std::string name = is_first(processes) ? next->first : "";
    broadcast_values(*processes, name);
    broadcast_values(*processes, arrays[name]);
    if (is_first(processes)) ++next;
  }
  return arrays;
}

bool fill(const run::SolvedArrays& known, const Arrays& solution) {
  return std::all_of(solution.begin(), solution.end(), [&](const Array& array) {
    const bool is_real = !std::holds_alternative<std::span<Complex>>(array.values);
    const auto found = known.find(is_real ? real_mark + array.name : array.name);
    static const std::vector<Complex> none;  // empty arrays are not saved
    const auto& from = found == known.end() ? none : found->second;
    return std::visit([&](const auto& to) { return copy(from, to); }, array.values);
  });
}

}  // namespace curlew::job
