// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A sweep shared by several processes, on one machine or on many with a common file system: --array I/N runs
// every N-th point (or frequency) from the I-th on, --join combines all shares into the results of one run,
// --jobs N does both. Private to this module, as it includes run_state.hpp.

#include <cstddef>
#include <string>
#include <vector>

#include "run/run_state.hpp"

namespace curlew::run {

/// "2/4". @throws InputError unless 1 <= I <= N <= 100000
Share parse_share(const std::string& text);
/// Indices, ascending, of those of `count` items that belong to the share.
std::vector<std::size_t> numbers_of(const Share& share, std::size_t count);

/// One share of the points of --sweep, or of the frequencies of a run. Skips what is done.
Outcome execute_share(const Context& context, const io::Config& config, const std::string& output);
/// All results of the shares in the output folder, as one run writes them.
/// @throws InputError if a share is not done, naming what is missing
Outcome execute_join(const Context& context, const io::Config& config, const std::string& output);
/// Whether the output folder holds the results that a join would make: there is nothing to solve.
bool is_joined(const Context& context, const io::Config& config, const std::string& output);
/// Starts --jobs processes of this program with a share each, then joins.
Outcome execute_jobs(const Context& context, const io::Config& config, const std::string& output);

// ---- the manifest: OUTPUT/manifest.json ----

/// The points or frequencies of a sweep.
struct Manifest {
  std::string program, config;
  std::string kind;  ///< "points" or "frequencies"
  struct Item {
    std::string name;    ///< folder of a point, a frequency in Hz
    std::string values;  ///< of the swept keys
    std::string hash;    ///< of all inputs
    std::string state;   ///< "done", "failed", "open"
  };
  std::vector<Item> items;

  /// Equal for shares of one sweep, whatever their state.
  std::string hash() const;
};

/// Writes the manifest into the folder.
/// @throws InputError if there is one of another sweep
void write_manifest(const std::string& folder, const Manifest& manifest);
/// @throws InputError unless the folder has the manifest of this sweep
void require_manifest(const std::string& folder, const Manifest& manifest);

// ---- shares of the points of a sweep ----

Outcome execute_point_share(const Context& context, const io::Config& config, const std::string& output);
Outcome join_points(const Context& context, const io::Config& config, const std::string& output);

// ---- shares of the frequencies of a run ----

Outcome execute_frequency_share(const Context& context, const io::Config& config, const std::string& output);
Outcome join_frequencies(const Context& context, const io::Config& config, const std::string& output);

}  // namespace curlew::run
