// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/bytes.hpp"
#include "base/device.hpp"
#include "base/threads.hpp"
#include "run/optional_part.hpp"
#include "run/run_state.hpp"

namespace curlew::run {

std::size_t needed_bytes(const RunState& state, bool on_device) {
  std::map<std::string, std::size_t> largest;
  for (const auto& plan : state.plans)
    if (plan.on_device == on_device && plan.part == Part::needed)
      largest[plan.stage] = std::max(largest[plan.stage], plan.bytes);
  std::size_t together = 0;
  for (const auto& [stage, bytes] : largest) together += bytes;
  return together;
}

std::size_t planned_bytes(const RunState& state, bool on_device) {
  const std::size_t needed = needed_bytes(state, on_device);
  std::size_t most = needed;
  for (const auto& plan : state.plans) {
    if (plan.on_device != on_device) continue;
    if (plan.part == Part::beside) most = std::max(most, needed + plan.bytes);
    if (plan.part == Part::after) most = std::max(most, plan.bytes);
  }
  return most;
}

bool plan_optional(Run& run, const OptionalPart& part) {
  RunState& state = run.state();
  const auto shortage = [&](bool on_device, std::size_t bytes, std::size_t available) -> std::string {
    const std::size_t others = part.is_beside ? needed_bytes(state, on_device) : 0;
    if (bytes == 0 || others + bytes <= available) return {};
    const std::string beside =
        part.is_beside ? fmt::format(" in addition to {:.2f} GiB of the run", gib(others)) : "";
    return fmt::format("{:.2f} GiB of {} memory{}, {:.2f} GiB are available", gib(bytes),
                       on_device ? "device" : "host", beside, gib(available));
  };
  std::string missing = shortage(false, part.host, available_memory());
  if (missing.empty() && run.on_cuda()) missing = shortage(true, part.device, device_info().free_memory);
  const Part kind = !missing.empty() ? Part::left_out : part.is_beside ? Part::beside : Part::after;
  if (part.host > 0) state.plans.push_back({part.stage, part.host, false, kind});
  if (part.device > 0) state.plans.push_back({part.stage, part.device, true, kind});
  if (missing.empty()) return true;
  run.warn(fmt::format("{} is left out: it would need {}", part.stage, missing));
  return false;
}

}  // namespace curlew::run
