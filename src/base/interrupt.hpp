// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Ctrl-C while a file or table is half written (the rest is in error.hpp).

#include <string_view>

namespace curlew {

/// Ends the process with status 130, after the clean-up of at_forced_exit and this message, if the flag has
/// not been read for so many seconds after Ctrl-C, as in a call of a library (factors of a large matrix).
/// Seconds in which something holds interrupts do not count.
void limit_interrupts(int seconds, std::string_view last_words);

/// While one lives, check_interrupt lets Ctrl-C wait: between the first and the last row of a frequency, say.
/// A second Ctrl-C ends the process at once.
class InterruptHold {
 public:
  InterruptHold();
  ~InterruptHold();
  InterruptHold(const InterruptHold&) = delete;
  InterruptHold& operator=(const InterruptHold&) = delete;
};

/// True after Ctrl-C, even while it has to wait.
bool is_interrupt_pending() noexcept;

/// Clears the flag: what follows (writing of results) is not interrupted by that Ctrl-C.
void acknowledge_interrupt() noexcept;

}  // namespace curlew
