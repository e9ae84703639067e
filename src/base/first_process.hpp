// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Processes of one run, each of which runs the whole program, must take the same way through it.

namespace curlew {

/// Gives all processes what the first one has found; set where there are several. All must call it.
inline bool (*first_process_decides)(bool own) = nullptr;

/// `own`, or what the first process has in its place: it alone has a folder that lasts.
inline bool as_first_process(bool own) {
  return first_process_decides != nullptr ? first_process_decides(own) : own;
}

}  // namespace curlew
