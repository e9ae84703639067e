// SPDX-License-Identifier: BSD-3-Clause
#include "run/share.hpp"

#include <fmt/format.h>

#include <charconv>
#include <filesystem>

#include "base/error.hpp"
#include "base/log.hpp"
#include "run/folder_lock.hpp"
#include "run/sweep_plan.hpp"

namespace curlew::run {
namespace {

namespace fs = std::filesystem;

Manifest manifest_of(const Context& context, const SweepPlan& plan, const std::string& output) {
  Manifest manifest{context.info.name, context.options.input, "points", {}};
  for (std::size_t i = 0; i < plan.points.size(); ++i) {
    const auto folder = (fs::path(output) / plan.points[i].folder).string();
    const auto state = make_state(context, plan.configs[i], folder);
    manifest.items.push_back({plan.points[i].folder, plan.describe(i), state->inputs_hash, "open"});
  }
  return manifest;
}

/// Note of a failed point: wrong input leaves no folder.
std::string note_path(const std::string& output, const std::string& point) {
  return (fs::path(output) / ".shares" / (point + ".json")).string();
}

void write_note(const std::string& output, const Manifest::Item& item, const SweepPoint& point) {
  const nlohmann::ordered_json note = {{"inputs_hash", item.hash},
                                       {"exit_status", point.outcome.status},
                                       {"error", point.outcome.error},
                                       {"has_results", point.has_results}};
  io::write_text_file(note_path(output, item.name),
                      note.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
}

/// Reads how a point ended. @return false if it did not end yet
bool read_point(const Context& context, const io::Config& config, const std::string& output,
                const Manifest::Item& item, SweepPoint& point) {
  const auto state = make_state(context, config, (fs::path(output) / point.folder).string());
  point.reached = true;
  nlohmann::json summary;
  if (is_done(*state, summary)) {
    point.has_results = summary.contains("results");
    return true;
  }
  try {
    const auto note = nlohmann::json::parse(io::read_text_file(note_path(output, item.name)));
    if (note.at("inputs_hash") != item.hash) return false;
    point.outcome = {note.at("exit_status").get<int>(), note.at("error").get<std::string>()};
    point.has_results = note.at("has_results").get<bool>();
    return true;
  } catch (const InputError&) {
    return false;  // not there
  } catch (const nlohmann::json::exception&) {
    return false;
  }
}

/// Reads all points and sets their states. @return folders of those that did not end
std::vector<std::string> read_points(const Context& context, SweepPlan& plan, const std::string& output,
                                     Manifest& manifest) {
  std::vector<std::string> open;
  for (std::size_t i = 0; i < plan.points.size(); ++i) {
    auto& item = manifest.items[i];
    SweepPoint& point = plan.points[i];
    if (!read_point(context, plan.configs[i], output, item, point)) {
      open.push_back(item.name);
      continue;
    }
    item.state = point.outcome.status == exit_done ? "done" : "failed";
  }
  return open;
}

/// Options of a share, which skips what is done.
Options resuming(const Options& options) {
  Options copy = options;
  copy.resume = true;
  return copy;
}

}  // namespace

Share parse_share(const std::string& text) {
  constexpr int most = 100'000;
  Share share;
  const char *at = text.data(), *end = at + text.size();
  const auto first = std::from_chars(at, end, share.number);
  const bool is_split = first.ec == std::errc() && first.ptr != end && *first.ptr == '/';
  const auto second = is_split ? std::from_chars(first.ptr + 1, end, share.count) : first;
  if (!is_split || second.ec != std::errc() || second.ptr != end || share.number < 1 ||
      share.number > share.count || share.count > most)
    throw InputError(fmt::format("--array {}: must be I/N with 1 <= I <= N, as in --array 2/4", text));
  return share;
}

std::vector<std::size_t> numbers_of(const Share& share, std::size_t count) {
  std::vector<std::size_t> numbers;
  for (auto i = std::size_t(share.number - 1); i < count; i += std::size_t(share.count)) numbers.push_back(i);
  return numbers;
}

Outcome execute_point_share(const Context& given, const io::Config& config, const std::string& output) {
  const Options options = resuming(given.options);
  const Context context{given.info, options, given.body, given.device, given.has_config};
  const Share share = *options.share;
  SweepPlan plan = plan_sweep(context, config);
  const auto own = numbers_of(share, plan.points.size());
  if (options.dry_run) return run_points(context, plan, output, own);

  const fs::path notes = fs::path(output) / ".shares";
  const std::string place = (notes / fmt::format("{}_of_{}", share.number, share.count)).string();
  fs::create_directories(place);
  const FolderLock lock(place, fmt::format("{} --array {}/{}", context.info.name, share.number, share.count));
  Manifest manifest = manifest_of(context, plan, output);
  write_manifest(output, manifest);
  Outcome worst;
  for (const std::size_t i : own) {
    const Outcome outcome = run_points(context, plan, output, {i});
    if (outcome.status > worst.status) worst = outcome;
    if (outcome.status == exit_interrupted) break;
    if (outcome.status != exit_done) write_note(output, manifest.items[i], plan.points[i]);
  }
  read_points(context, plan, output, manifest);
  write_manifest(output, manifest);
  log::info("share {} of {}: {} of {} points, in {}; --join makes one table of all shares", share.number,
            share.count, own.size(), plan.points.size(), output);
  return worst;
}

Outcome join_points(const Context& context, const io::Config& config, const std::string& output) {
  SweepPlan plan = plan_sweep(context, config);
  Manifest manifest = manifest_of(context, plan, output);
  require_manifest(output, manifest);
  const FolderLock lock(output, context.info.name + " --join");
  const auto open = read_points(context, plan, output, manifest);
  write_manifest(output, manifest);
  if (!open.empty())
    throw InputError(
        fmt::format("--join: {} of {} points are not done, the first is {} ({}): start their --array tasks "
                    "again, they continue",
                    open.size(), plan.points.size(), open[0],
                    manifest.items[std::size_t(std::stoi(open[0].substr(6)) - 1)].values));
  Outcome worst;
  for (const auto& point : plan.points)
    if (point.outcome.status > worst.status) worst = point.outcome;
  write_sweep(context, config, output, plan, worst);
  return worst;
}

Outcome execute_share(const Context& context, const io::Config& config, const std::string& output) {
  return context.options.sweeps.empty() ? execute_frequency_share(context, config, output)
                                        : execute_point_share(context, config, output);
}

Outcome execute_join(const Context& context, const io::Config& config, const std::string& output) {
  return context.options.sweeps.empty() ? join_frequencies(context, config, output)
                                        : join_points(context, config, output);
}

}  // namespace curlew::run
