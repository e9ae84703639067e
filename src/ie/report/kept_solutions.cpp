// SPDX-License-Identifier: BSD-3-Clause
#include "ie/report/kept_solutions.hpp"

#include <algorithm>

#include "job/kept.hpp"

namespace curlew::ie {
namespace {

constexpr const char* numbers_name = "numbers";
constexpr const char* solver_name = "solver";

std::vector<Complex> as_complex(std::span<const Index> numbers) {
  std::vector<Complex> out;
  for (const Index i : numbers) out.emplace_back(double(i));
  return out;
}

/// Pairs: sizes of the operator; for each right-hand side iterations and starts, then residuals.
std::vector<Complex> encoded(const GroupReport& report) {
  std::vector<Complex> out{{double(report.num_points), double(report.near_entries)}};
  for (const auto& one : report.krylov) {
    out.emplace_back(one.iterations, one.starts);
    out.emplace_back(one.relative_residual, one.estimated_residual);
  }
  return out;
}

/// For converged groups: others are not saved.
GroupReport decoded(const std::vector<Complex>& pairs) {
  GroupReport report;
  report.num_points = Offset(pairs[0].real()), report.near_entries = Offset(pairs[0].imag());
  for (std::size_t i = 1; i + 1 < pairs.size(); i += 2) {
    linalg::KrylovReport one;
    one.iterations = int(pairs[i].real()), one.starts = int(pairs[i].imag());
    one.relative_residual = pairs[i + 1].real(), one.estimated_residual = pairs[i + 1].imag();
    report.krylov.push_back(std::move(one));
  }
  return report;
}

}  // namespace

std::optional<KeptGroups::Results> KeptGroups::find_results(std::size_t group,
                                                            std::span<const Index> numbers) const {
  auto known = job::find_for_all(processes_, [&] { return sweep_.find_group(number_, group); });
  if (!known || (*known)[numbers_name] != as_complex(numbers) ||
      (*known)[solver_name].size() != 2 * numbers.size() + 1)
    return std::nullopt;
  return Results{decoded((*known)[solver_name]), std::move(*known)};
}

void KeptGroups::keep_results(std::size_t group, std::span<const Index> numbers, run::SolvedViews arrays,
                              const GroupReport& report) const {
  if (!is_first(processes_)) return;
  const auto own_numbers = as_complex(numbers), solver = encoded(report);
  arrays[numbers_name] = own_numbers, arrays[solver_name] = solver;
  sweep_.keep_group(number_, group, arrays);
}

std::optional<GroupReport> KeptGroups::find(std::size_t group, std::span<const Index> numbers,
                                            std::span<Complex> x) {
  auto known = find_results(group, numbers);
  if (!known || known->arrays["x"].size() != x.size()) return std::nullopt;
  std::ranges::copy(known->arrays["x"], x.begin());
  return known->report;
}

void KeptGroups::keep(std::size_t group, std::span<const Index> numbers, std::span<const Complex> x,
                      const GroupReport& report) {
  keep_results(group, numbers, {{"x", x}}, report);
}

}  // namespace curlew::ie
