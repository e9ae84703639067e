// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The state of an iteration on disk: enough to go on after Ctrl-C or a crash.

#include <optional>
#include <string>
#include <vector>

#include "base/types.hpp"

namespace curlew::truncation {

struct Checkpoint {
  std::string inputs;  ///< identifies what the values belong to
  double frequency = 0;
  std::vector<Complex> interface;  ///< load on S
};

/// Written beside its place and renamed. @throws ResourceError if it cannot be written
void write_checkpoint(const std::string& path, const Checkpoint& checkpoint);
/// Nothing if there is no file, or if it belongs to other inputs.
std::optional<Checkpoint> read_checkpoint(const std::string& path, const std::string& inputs);

}  // namespace curlew::truncation
