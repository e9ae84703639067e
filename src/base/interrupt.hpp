// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Ctrl-C at times when stopping would leave half of something (error.hpp holds the rest).

#include <string_view>

namespace curlew {

/// Ends the process with status 130, after the clean-up of at_forced_exit and these last words, when nobody
/// has looked at the flag for so many seconds from Ctrl-C on: a library's call (factors of a large matrix)
/// looks at none. Seconds in which something holds interrupts do not count.
void limit_interrupts(int seconds, std::string_view last_words);

/// While one lives, check_interrupt lets Ctrl-C wait: between the first and the last row of a frequency, say.
/// A second Ctrl-C ends the process as ever.
class InterruptHold {
 public:
  InterruptHold();
  ~InterruptHold();
  InterruptHold(const InterruptHold&) = delete;
  InterruptHold& operator=(const InterruptHold&) = delete;
};

/// True after Ctrl-C, even while it has to wait.
bool is_interrupt_pending() noexcept;

/// The Ctrl-C that came is answered: what follows (writing of results) is not stopped by it.
void acknowledge_interrupt() noexcept;

}  // namespace curlew
