// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Processes of one run, which all run the program, must take the same branches.

namespace curlew {

/// Gives all processes the value of the first one; set if there are several processes. All must call it.
inline bool (*first_process_decides)(bool own) = nullptr;

/// Call it after a part of a run that may fail on one process only, such as a point of a sweep: waits for all
/// processes, and ends all of them if only some failed. Set if there are several processes; all must call it.
inline void (*processes_meet)(int status) = nullptr;

/// The value of `own` on the first process, since only its folder is permanent.
inline bool as_first_process(bool own) {
  return first_process_decides != nullptr ? first_process_decides(own) : own;
}

}  // namespace curlew
