// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// How many frequencies of a run, or points of a sweep, are computed at once, and by how many threads each.

#include <cstddef>
#include <string>

namespace curlew::run {

struct Work {
  std::size_t count = 0;   ///< of things to compute
  std::size_t bytes = 0;   ///< that one takes beside what all share; 0: not known, and little
  int jobs = 0;            ///< what the user says (--jobs); 0: nothing
  int threads = 1;         ///< of all together
  std::size_t memory = 0;  ///< that is available [bytes]
};

struct AtOnce {
  int processes = 1;
  int threads = 1;  ///< of each
  std::string reason;
  bool operator==(const AtOnce&) const = default;
};

/// The part of the available memory that may be planned, as predictions are accurate to some tenths only.
std::size_t usable_part(std::size_t memory);

/// By no clock: who computes what is the same in the next run, to the last bit. One thread each where there
/// are enough things: they share nothing that would have to wait, where threads of one factorisation bring a
/// third. No more at once than end in as many rounds, and than the memory holds.
AtOnce choose_at_once(const Work& work);

}  // namespace curlew::run
