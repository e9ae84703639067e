// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// How many frequencies of a run, or points of a sweep, are computed simultaneously, and with how many threads
// each.

#include <cstddef>
#include <string>

namespace curlew::run {

struct Work {
  std::size_t count = 0;   ///< number of frequencies or points
  std::size_t bytes = 0;   ///< memory per run besides the shared one; 0: unknown, assumed small
  int jobs = 0;            ///< --jobs of the user; 0: not given
  int threads = 1;         ///< of all together
  std::size_t memory = 0;  ///< that is available [bytes]
};

struct AtOnce {
  int processes = 1;
  int threads = 1;  ///< of each
  std::string reason;
  bool operator==(const AtOnce&) const = default;
};

/// The part of the available memory that may be used; the rest allows for errors of the predictions.
std::size_t usable_part(std::size_t memory);

/// Chooses from sizes only, not from measured times, so that a repeated run gives the same bits. One thread
/// each if there are enough tasks: tasks are independent, while threads within one factorisation are less
/// efficient. Not more at once than memory holds, and no more than needed for the smallest number of rounds.
AtOnce choose_at_once(const Work& work);

}  // namespace curlew::run
