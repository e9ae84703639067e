// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace curlew {

/// Number of threads for this process: its processors by affinity, limited by the quota of its control groups
/// (rounded); at least 1.
int usable_cores();

}  // namespace curlew
