// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Internal state of a Run. Private to this module, as it includes nlohmann-json.

#include <cstdint>
#include <functional>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "base/timer.hpp"
#include "io/atomic_file.hpp"
#include "io/config.hpp"
#include "report/html.hpp"
#include "run/options.hpp"
#include "run/run.hpp"

namespace curlew::run {

using report::Table;

/// needed: a run stops if it does not fit; beside, after: optional (optional_part.hpp), while the needed
/// stages hold their memory, or after they freed it; left_out: optional, and does not fit.
enum class Part { needed, beside, after, left_out };

struct Plan {
  std::string stage;
  std::size_t bytes;
  bool on_device;
  Part part = Part::needed;
};

/// A file that the results depend on, with the hash of its content.
struct Dependency {
  std::string path, hash;
};

struct RunState {
  const AppInfo* info = nullptr;
  const Options* options = nullptr;
  Device device = Device::cpu;
  bool has_config = true;
  std::string output;   ///< folder, or file
  std::string started;  ///< UTC, ISO 8601
  io::Provenance provenance;
  std::string inputs_hash;
  std::optional<Share> share;   ///< of the frequencies: others are not solved, no results are written
  std::string source_of_sizes;  ///< run::source_of_sizes; empty: keys_of_sizes
  std::string home;             ///< folder next to which meshes are cached, if not the output folder

  /// Called when all is planned, before the frequencies.
  std::function<void(RunState&)> before_work;
  /// For runs that share element sizes, such as points of a sweep: the file with the sizes of the first one's
  /// mesh; else empty.
  std::string family_sizes;
  bool is_first_of_family = false;  ///< which writes that file
  int neighbours = 1;               ///< points of a sweep that are computed at once, this one among them
  std::string said_at_once;         ///< processes and threads of frequencies at once, as last logged

  std::vector<io::AtomicFile> files;
  std::vector<std::string> needless;  ///< files for --resume to be removed when the results are written
  std::vector<Dependency> dependencies;
  Timer timer;
  Stages stages;
  Stages solver_stages;             ///< of solvers in copies of this process
  std::size_t bytes_of_copies = 0;  ///< greatest memory of copies at a time, beyond what is shared
  nlohmann::ordered_json sizes = nlohmann::ordered_json::object();
  Value results = std::initializer_list<Field>{};
  nlohmann::ordered_json solver = nlohmann::ordered_json::object();
  std::vector<std::string> warnings;
  std::mutex warning_mutex;  // warnings come from the solver's and the writer's thread
  std::string failure;       ///< run::fail_after_writing: results are written, then the status is 1
  std::vector<Table> tables;
  std::vector<std::string> lines;
  std::vector<Plan> plans;
  std::size_t planned_at =
      0;  ///< peak memory when the last plan was made [bytes]; timing in a dry run takes more
  Stages planned_seconds;  ///< of stages that a dry run skips
  std::string
      stopped;  ///< reason for an early end with complete files for the finished frequencies; else empty
};

/// The title of a config; empty if it has none.
std::string title_of(const io::Config& config);
/// As JSON; the order of records is not kept.
nlohmann::json as_json(const Value& value);

/// How a run ended.
struct Outcome {
  int status = 0;
  std::string error;  ///< one line; empty if done
};

/// Thrown when the frequencies of a share are solved and saved: there is nothing to write.
struct ShareDone {};

/// The exit status and the line of the exception in flight: the one place where both are decided.
Outcome outcome_of_exception();
/// The exception of an outcome again, in another process. @pre the outcome is not "done"
[[noreturn]] void throw_again(const Outcome& outcome);
/// "done", "failed", "interrupted".
const char* status_word(int status);

/// 64-bit FNV-1a, 16 hexadecimal digits: identifies inputs; not cryptographic.
class TextHash {
 public:
  void add(std::string_view text);
  std::string text() const;

 private:
  std::uint64_t value_ = 0xcbf29ce484222325U;
};
std::string hash_text(std::string_view text);

/// summary.json of one run.
nlohmann::ordered_json make_summary(const RunState& state, const Outcome& outcome);
/// Program, version, device, machine: what every summary starts with.
nlohmann::ordered_json summary_head(const RunState& state, const Outcome& outcome);
/// Whether OUTPUT/summary.json says that exactly this run is done and its files are still there.
/// @param[out] summary its content
bool is_done(const RunState& state, nlohmann::json& summary);

/// @throws std::logic_error if the summary holds a name that the tables of results lack
void check_results(const RunState& state);

/// Adds facts of other solves to those of a run: counts are summed, of residuals the largest is taken.
void add_solves(nlohmann::ordered_json& facts, const nlohmann::json& others);

/// Memory of the needed stages together; a stage that repeats at each frequency frees its memory.
std::size_t needed_bytes(const RunState& state, bool on_device);
/// Peak memory of the planned stages, on the host or on the device.
std::size_t planned_bytes(const RunState& state, bool on_device);
/// Tables and lines on stdout.
void print_tables(const RunState& state);
/// Sizes and memory of a dry run on stdout. @throws ResourceError if a stage cannot fit
void print_plan(const RunState& state);

/// Everything one run needs before its body is called.
struct Context {
  const AppInfo& info;
  const Options& options;
  const AppBody& body;
  Device device;
  bool has_config;
};
std::unique_ptr<RunState> make_state(const Context& context, const io::Config& config,
                                     const std::string& output);
/// Whether --resume has nothing to do; then a report.html that --no-report had left out is written.
/// @param[out] summary what was written
bool is_resumed_done(const Context& context, const io::Config& config, const RunState& state,
                     nlohmann::json& summary);
/// Calls the body and puts its files in place, or removes them; logs the one line of an error. Never throws.
/// @param label starts that line: "point_0003 (mesh.size=0.2): " in a sweep, else empty
/// @param[out] summary what was written
Outcome execute(const Context& context, const io::Config& config, Run& run, const std::string& label,
                nlohmann::json& summary);
/// All points of the options' sweeps. @returns the worst status
Outcome execute_sweep(const Context& context, const io::Config& config, const std::string& output);

}  // namespace curlew::run
