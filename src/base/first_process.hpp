// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Processes of one run, each of which runs the whole program, must take the same branches.

namespace curlew {

/// Gives all processes the value of the first one; set if there are several processes. All must call it.
inline bool (*first_process_decides)(bool own) = nullptr;

/// After a part of a run that may fail alone, such as a point of a sweep: waits for all processes, and ends
/// all of them if this one failed and others did not. Set if there are several processes; all must call it.
inline void (*processes_meet)(int status) = nullptr;

/// `own`, or what the first process has in its place: it alone has a folder that lasts.
inline bool as_first_process(bool own) {
  return first_process_decides != nullptr ? first_process_decides(own) : own;
}

}  // namespace curlew
