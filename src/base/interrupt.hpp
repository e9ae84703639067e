// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Ctrl-C while a file or table is half written (the rest is in error.hpp).

#include <string_view>

namespace curlew {

/// Ends the process with status 130, after the clean-up of at_forced_exit and this message, if the flag has
/// not been read for this time after Ctrl-C, as during a library call (factorising a large matrix). Time in
/// which an InterruptHold exists is not counted.
void limit_interrupts(int seconds, std::string_view last_words);

/// While one exists, check_interrupt defers Ctrl-C, e.g. between the first and the last row of a frequency. A
/// second Ctrl-C ends the process at once.
class InterruptHold {
 public:
  InterruptHold();
  ~InterruptHold();
  InterruptHold(const InterruptHold&) = delete;
  InterruptHold& operator=(const InterruptHold&) = delete;
};

/// True after Ctrl-C, even while it has to wait.
bool is_interrupt_pending() noexcept;

/// Clears the flag: the following work (writing of results) is not interrupted by that Ctrl-C.
void acknowledge_interrupt() noexcept;

}  // namespace curlew
