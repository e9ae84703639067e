// SPDX-License-Identifier: BSD-3-Clause
// Shares of the frequencies of one run: each process saves its solutions in OUTPUT/share_I_of_N, and the join
// writes all files from them like a resumed run.

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <regex>

#include "base/error.hpp"
#include "base/log.hpp"
#include "io/atomic_file.hpp"
#include "io/frequency.hpp"
#include "run/share.hpp"

namespace curlew::run {
namespace {

namespace fs = std::filesystem;

fs::path share_folder(const std::string& output, const Share& share) {
  return fs::path(output) / fmt::format("share_{}_of_{}", share.number, share.count);
}

/// Refuses configs without a list of frequencies. @returns the config, in which every frequency is solved
io::Config shared_frequencies(const Context& context, const io::Config& given, const char* option) {
  if (!context.has_config)
    throw InputError(fmt::format("{} needs a config, {} is none", option, context.options.input));
  io::Config config = given.clone();
  config.check_schema(context.info.name);
  config.evaluate(context.info.name);
  const auto table = config.table("frequency");
  const auto all = io::frequencies(config, io::Lowest::zero);
  const auto adaptive = io::adaptive_sweep(config, all);
  table.require(
      !adaptive || !adaptive->is_stated, "adaptive_tolerance",
      fmt::format("{}: an adaptive sweep chooses its frequencies one after another, they cannot be shared: "
                  "leave out adaptive_tolerance, or share the points of a --sweep",
                  option));
  table.require(all.size() > 1, "values",
                fmt::format("{} shares frequencies, and there is one only: give more, or a --sweep", option));
  io::Config shared = given.clone();
  shared.allow({"title"});
  if (adaptive) shared.set("frequency.adaptive_tolerance", "0", option);
  return shared;
}

/// Folders of shares in the output folder.
std::vector<Share> find_shares(const std::string& output) {
  static const std::regex pattern("share_([0-9]{1,6})_of_([0-9]{1,6})");
  std::vector<Share> shares;
  std::error_code fault;
  for (const auto& entry : fs::directory_iterator(output, fault)) {
    std::smatch match;
    const std::string name = entry.path().filename().string();
    if (std::regex_match(name, match, pattern)) shares.push_back({std::stoi(match[1]), std::stoi(match[2])});
  }
  return shares;
}

/// True if the share's frequencies are all solved. @throws InputError if it is of other inputs
bool is_solved(const std::string& output, const Share& share, const std::string& inputs_hash) {
  const auto path = (share_folder(output, share) / "share.json").string();
  if (!fs::exists(path)) return false;
  const auto json = nlohmann::json::parse(io::read_text_file(path), nullptr, false);
  if (json.is_discarded() || json.value("inputs_hash", "") != inputs_hash)
    throw InputError(
        fmt::format("--join: {} is of another config, other options or another version: run that share "
                    "again with --array {}/{}",
                    path, share.number, share.count));
  return true;
}

/// The shares of a complete division. @throws InputError naming what is missing
std::vector<Share> complete_shares(const std::string& output, const std::string& inputs_hash) {
  const auto found = find_shares(output);
  std::vector<int> missing;
  int count = 0;
  for (const Share& share : found) count = std::max(count, share.count);
  if (count == 0)
    throw InputError(
        fmt::format("--join: {} contains no --array tasks: run them first, with --array 1/N to N/N", output));
  std::vector<Share> shares;
  for (int i = 1; i <= count; ++i) {
    shares.push_back({i, count});
    if (!is_solved(output, shares.back(), inputs_hash)) missing.push_back(i);
  }
  if (!missing.empty())
    throw InputError(
        fmt::format("--join: {} of {} shares are not done, the first is {}: start it again with --array "
                    "{}/{}, it continues",
                    missing.size(), count, missing[0], missing[0], count));
  return shares;
}

/// Moves solutions of the shares to the folder of a resumed run.
void gather(const std::string& output, const std::vector<Share>& shares) {
  for (const Share& share : shares) {
    for (const auto& entry : fs::directory_iterator(share_folder(output, share))) {
      const std::string name = entry.path().filename().string();
      if (!name.starts_with("solved_") || !name.ends_with(".h5")) continue;
      const fs::path target = fs::path(output) / name;
      std::error_code fault;
      fs::remove(target, fault);
      fs::create_hard_link(entry.path(), target, fault);
      if (!fault) continue;
      io::AtomicFile place(target.string());  // another file system: copied, which may be killed half-way
      fs::copy_file(entry.path(), place.part());
      place.commit();
    }
  }
}

}  // namespace

bool is_joined(const Context& context, const io::Config& config, const std::string& output) {
  nlohmann::json summary;
  if (!is_done(*make_state(context, config, output), summary)) return false;
  log::info("{}: done before, skipped", output);
  return true;
}

Outcome execute_frequency_share(const Context& given, const io::Config& stated, const std::string& output) {
  const io::Config config = shared_frequencies(given, stated, "--array");
  Options options = given.options;
  options.resume = true;
  const Context context{given.info, options, given.body, given.device, given.has_config};
  if (!options.dry_run && is_joined(context, config, output)) return {};
  const Share share = *options.share;
  auto state = make_state(context, config, share_folder(output, share).string());
  state->share = share;
  state->home = output;
  Run run(std::move(state));
  nlohmann::json summary;
  return execute(context, config, run, fmt::format("share {} of {}: ", share.number, share.count), summary);
}

Outcome join_frequencies(const Context& given, const io::Config& stated, const std::string& output) {
  const io::Config config = shared_frequencies(given, stated, "--join");
  Options options = given.options;
  options.resume = true;
  const Context context{given.info, options, given.body, given.device, given.has_config};
  Run run(make_state(context, config, output));
  nlohmann::json summary;
  if (is_joined(context, config, output)) return {};
  const auto shares = complete_shares(output, run.state().inputs_hash);
  gather(output, shares);
  const Outcome outcome = execute(context, config, run, "", summary);
  if (outcome.status == exit_done || outcome.error == run.state().failure) {
    print_tables(run.state());
    for (const Share& share : shares) {
      std::error_code ignored;
      fs::remove_all(share_folder(output, share), ignored);
    }
    log::info("results of {} shares in {}", shares.size(), output);
  }
  return outcome;
}

}  // namespace curlew::run
