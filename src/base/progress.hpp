// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A progress bar for work of more than a second: a moving line on a terminal, plain lines when piped.

#include <string>

#include "base/timer.hpp"

namespace curlew {

/// Prints nothing in the first second, nothing at all when quiet. update also checks for Ctrl-C, so a loop
/// that reports its progress can be interrupted.
class Progress {
 public:
  Progress(std::string label, long total);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// @param done steps finished, 0 <= done <= total; call it from one thread
  void update(long done);
  /// Turns all bars off (-q) or on.
  static void set_enabled(bool enabled);

 private:
  void print(long done, bool last);

  std::string label_;
  long total_;
  long done_ = 0;
  bool printed_ = false;
  Timer timer_;
  double next_print_;
};

}  // namespace curlew
