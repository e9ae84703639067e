// SPDX-License-Identifier: BSD-3-Clause
// JSON that runs keep and read back: summary.json of a run that --resume may skip, manifest.json of a sweep,
// summary.json of a run that em-optimize has started. The first byte chooses.

#include "kept_files.hpp"
#include "optimize/solver_results.hpp"
#include "run/share.hpp"
#include "scratch.hpp"

namespace {

using namespace curlew;

optimize::Task any_task() {
  optimize::Task task;
  task.variables.push_back({"mesh.parameters.gap", "mesh.parameters.gap", true, 0, 2, 1, 0});
  const auto add = [&](const char* name, optimize::Quantity kind, std::optional<double> frequency) {
    optimize::Goal goal{.name = name, .below = {}, .above = {}, .equal = {}, .place = name};
    goal.kind = kind, goal.row = goal.column = 1;
    task.samples.push_back({task.goals.size(), frequency});
    task.goals.push_back(goal);
  };
  add("S11", optimize::Quantity::scattering, 1e9);
  add("f1", optimize::Quantity::mode, std::nullopt);
  add("number", optimize::Quantity::result, std::nullopt);
  return task;
}

/// Each goal separately: a missing one must not prevent the next.
void read_response(const std::string& folder) {
  static const optimize::Task all = any_task();
  for (std::size_t i = 0; i < all.samples.size(); ++i) {
    optimize::Task one = all;
    one.samples = {all.samples[i]};
    fuzz::accepts([&] { optimize::read_response(one, folder); });
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string text = fuzz::text_of(data + 1, size - 1);
  static const std::string folder = fuzz::scratch().path("");
  fuzz::accepts([&] {
    if (data[0] % 3 == 1) {
      fuzz::scratch().file("manifest.json", text);
      return run::require_manifest(folder,
                                   {"fem-solve", "a.toml", "frequencies", {{"1 Hz", "", "h", "open"}}});
    }
    fuzz::scratch().file("summary.json", text);
    if (data[0] % 3 == 2) return read_response(folder);
    fuzz::ResumedRun resumed(folder);
    nlohmann::json summary;
    if (is_done(resumed.run().state(), summary)) summary.dump();
  });
  return 0;
}
