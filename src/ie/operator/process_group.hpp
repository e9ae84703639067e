// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The processes of an MPI run that share the rows of a corrected operator (ngim/share.hpp). All run the same
// program; process 0 leads each iteration, and the others compute their rows of every product and receive the
// results, so that decisions are made only once.

#include "linalg/process_group.hpp"

namespace curlew::ie {

using linalg::ProcessGroup;

/// Null without MPI. Set once, before anything is solved.
const ProcessGroup*& process_group();

}  // namespace curlew::ie
