// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Preparation of a process before it is copied (fork), and of its copy afterwards.

#include <cstddef>
#include <string>
#include <vector>

namespace curlew {

/// Before: ends the threads that wait for loops, for the BLAS and for jobs (Background), when these are done;
/// they start again when there is work. @return whether the calling thread is then the only one: others would
/// not exist in the copy
bool leave_one_thread();
/// Resident size of this process [bytes].
std::size_t resident_memory();

/// In the copy: clears signals that the process had received, and creates its timer again, which copies do
/// not inherit.
void restart_interrupts();

namespace log {

/// A line that was not printed.
struct Line {
  int level = 0;  ///< of spdlog
  std::string text;
};
/// In the copy: collects lines for the parent, which owns screen and run.log.
void keep_lines();
std::vector<Line> take_lines();
/// In the parent: logs lines of the copy.
void repeat(const Line& line);

}  // namespace log
}  // namespace curlew
