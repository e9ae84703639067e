// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Which branches an input has reached, where the compiler has put -fsanitize-coverage=trace-pc into the code
// that is tested. Elsewhere nothing is ever new.

namespace curlew::fuzz {

/// Forgets what the last input has reached.
void start_coverage();
/// True if the input has taken a pair of branches that none before it took, or took it by a power of two more
/// often.
bool is_coverage_new();

}  // namespace curlew::fuzz
