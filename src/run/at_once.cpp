// SPDX-License-Identifier: BSD-3-Clause
#include "run/at_once.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/bytes.hpp"

namespace curlew::run {

std::size_t usable_part(std::size_t memory) {
  return std::size_t(0.8 * double(memory));
}

AtOnce choose_at_once(const Work& work) {
  const auto count = int(std::min<std::size_t>(work.count, 4096));
  if (count < 2) return {1, work.threads, "there is one"};
  if (work.jobs > 0) {
    const int processes = std::min(work.jobs, count);
    return {processes, std::max(1, work.threads / processes), fmt::format("--jobs {}", work.jobs)};
  }
  if (work.threads < 2) return {1, work.threads, "there is one thread"};
  const int rounds = (count + work.threads - 1) / work.threads;
  int processes = (count + rounds - 1) / rounds;
  std::string reason = fmt::format("{} threads", work.threads);
  const double fit = work.bytes == 0 ? processes : double(usable_part(work.memory)) / double(work.bytes);
  if (fit < processes) {
    processes = std::max(1, int(fit));
    reason =
        fmt::format("each takes {:.2f} GiB, {:.2f} GiB are available", gib(work.bytes), gib(work.memory));
  }
  return {processes, work.threads / processes, reason};
}

}  // namespace curlew::run
