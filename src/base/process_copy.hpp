// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// What a copy of a process (fork) has to put right of its own, and the process before it is copied.

#include <cstddef>
#include <string>
#include <vector>

namespace curlew {

/// Before: ends the threads that wait for loops, for the BLAS and for jobs (Background), when these are done;
/// they come again when there is work.
/// @return whether the calling one is the only thread then: others would be missing in the copy
bool leave_one_thread();
/// Resident size of this process [bytes].
std::size_t resident_memory();

/// In the copy: signals that the process had count no more, and its timer, which copies lack, is made anew.
void restart_interrupts();

namespace log {

/// A line that was not printed.
struct Line {
  int level = 0;  ///< of spdlog
  std::string text;
};
/// In the copy: screen and run.log are the process's, from now on lines wait to be taken.
void keep_lines();
std::vector<Line> take_lines();
/// In the process: logs what the copy has kept.
void repeat(const Line& line);

}  // namespace log
}  // namespace curlew
