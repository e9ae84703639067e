// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Processes of one run, each of which runs the whole program, must take the same way through it.

namespace curlew {

/// Gives all processes what the first one has found; set where there are several. All must call it.
inline bool (*first_process_decides)(bool own) = nullptr;

/// Behind a part of a run that may fail by itself, as a point of a sweep: goes on when all processes are
/// there, and ends them all if this one failed and others did not. Set where there are several; all must call
/// it.
inline void (*processes_meet)(int status) = nullptr;

/// `own`, or what the first process has in its place: it alone has a folder that lasts.
inline bool as_first_process(bool own) {
  return first_process_decides != nullptr ? first_process_decides(own) : own;
}

}  // namespace curlew
