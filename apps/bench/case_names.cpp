// SPDX-License-Identifier: BSD-3-Clause
#include "bench/case_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/error.hpp"
#include "bench/austin_published.hpp"
#include "bench/sparse_matrices.hpp"

namespace curlew::bench {
namespace {

constexpr bool on_gpu = true;

std::vector<CaseName> multilevel_names() {
  std::vector<CaseName> names{{"p2"}, {"p2-million"}, {"p3"}, {"devices"}};
  for (const std::string& config : device_configs()) names.push_back({config});
  return names;
}

std::vector<CaseName> austin_names() {
  std::vector<CaseName> names;
  for (const AustinRow& row : austin_rows) names.push_back({fmt::format("{:g}", row.megahertz)});
  return names;
}

std::vector<CaseName> room_names() {
  std::vector<CaseName> names;
  for (const AcousticCase& c : acoustic_cases()) names.push_back({c.name});
  names.push_back({"doubling"});
  return names;
}

std::vector<CaseName> ngim_names() {
  std::vector<CaseName> names{{"near", on_gpu},
                              {"stages"},
                              {"high stages", on_gpu},
                              {"vectors", on_gpu},
                              {"low"},
                              {"largest", on_gpu},
                              {"accuracy"},
                              {"surface"},
                              {"high"},
                              {"sphere"},
                              {"mixed"},
                              {"peers"},
                              {"direct"},
                              {"memory"},
                              {"gpus", on_gpu},
                              {"gpus 64 M high", on_gpu},
                              {"errors"}};
  for (const std::string& wave : ngim_error_waves()) names.push_back({"errors " + wave});
  return names;
}

}  // namespace

std::vector<CaseName> case_names(const std::string& benchmark) {
  static const std::map<std::string, std::vector<CaseName>> fixed = {
      {"assembly",
       {{"p1-straight"}, {"p2-straight"}, {"p3-straight"}, {"p1-curved"}, {"p2-curved"}, {"p3-curved"}}},
      {"direct", {{"p1"}, {"p2"}, {"p3"}, {"p2-million"}}},
      {"spmv",
       {{"antenna"}, {"antenna-pml"}, {"antenna-printed"}, {"cabin"}, {"cabin-complex"}, {"acoustic"}}},
      {"lu", {{"device", on_gpu}, {"host", on_gpu}, {"split", on_gpu}, {"shared", on_gpu}}},
      {"mom2d", {{"steps"}}},
      {"ie", {{"fine"}, {"sphere"}}},
      {"truncation",
       {{"antenna"}, {"rcs"}, {"rcs-2"}, {"rcs-4"}, {"rcs-8"}, {"rcs-10"}, {"rcs-16"}, {"tables"}, {"ngim"}}},
      {"errors",
       {{"quick"},
        {"guides"},
        {"irises"},
        {"steps"},
        {"tees"},
        {"blocks"},
        {"cells"},
        {"lumped"},
        {"lines"},
        {"cavities"},
        {"spheres"},
        {"surfaces"},
        {"volumes"},
        {"contours"}}}};
  if (benchmark == "multilevel") return multilevel_names();
  if (benchmark == "austin") return austin_names();
  if (benchmark == "krylov") return room_names();
  if (benchmark == "ngim") return ngim_names();
  const auto found = fixed.find(benchmark);
  return found == fixed.end() ? std::vector<CaseName>{} : found->second;
}

std::string listed(const std::vector<CaseName>& cases) {
  std::string text;
  for (const CaseName& c : cases) text += (text.empty() ? "" : ", ") + c.name + (c.needs_gpu ? " (GPU)" : "");
  return text;
}

void check_case(const std::string& benchmark, const Options& options) {
  if (options.case_name.empty()) return;
  const auto cases = case_names(benchmark);
  if (cases.empty())
    throw InputError(fmt::format("--case {}: {} has no cases", options.case_name, benchmark));
  const auto found =
      std::ranges::find_if(cases, [&](const CaseName& c) { return c.name == options.case_name; });
  if (found == cases.end())
    throw InputError(
        fmt::format("--case {}: {} has no such case: take {}", options.case_name, benchmark, listed(cases)));
  if (found->needs_gpu && options.device == Device::cpu)
    throw InputError(
        fmt::format("--case {}: this case of {} needs a GPU (--device cuda)", options.case_name, benchmark));
}

}  // namespace curlew::bench
