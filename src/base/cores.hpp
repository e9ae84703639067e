// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace curlew {

/// Threads that this process may keep busy: its processors by affinity, and no more than the quota of its
/// control groups, to the nearest number; at least 1.
int usable_cores();

}  // namespace curlew
