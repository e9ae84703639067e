// SPDX-License-Identifier: BSD-3-Clause
#include "base/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <utility>

#include "base/error.hpp"

namespace curlew {
namespace {
bool enabled_ = true;
bool on_terminal() {
  return isatty(STDERR_FILENO) != 0;
}
// On a terminal the line is overwritten; in a file a line every ten seconds keeps the log readable.
double interval() {
  return on_terminal() ? 0.2 : 10.0;
}
}  // namespace

Progress::Progress(std::string label, long total)
    : label_(std::move(label)), total_(total), next_print_(on_terminal() ? 1.0 : 10.0) {}

Progress::~Progress() {
  if (printed_) print(done_, true);
}

void Progress::update(long done) {
  check_interrupt();
  done_ = done;
  if (!enabled_ || timer_.seconds() < next_print_) return;
  next_print_ = timer_.seconds() + interval();
  print(done, false);
}

void Progress::set_enabled(bool enabled) {
  enabled_ = enabled;
}

void Progress::print(long done, bool last) {
  printed_ = true;
  const double share = total_ > 0 ? double(done) / double(total_) : 1.0;
  const double elapsed = timer_.seconds();
  const std::string left = done > 0 && !last ? fmt::format(", {:.0f} s left", elapsed * (1 / share - 1)) : "";
  const std::string text =
      fmt::format("{}: {}/{} ({:.0f} %), {:.1f} s{}", label_, done, total_, 100 * share, elapsed, left);
  if (on_terminal()) {
    fmt::print(stderr, "\r\033[K{}{}", text, last ? "\n" : "");
  } else {
    fmt::print(stderr, "{}\n", text);
  }
  std::fflush(stderr);
}

}  // namespace curlew
