// SPDX-License-Identifier: BSD-3-Clause
#include "run/frequency_sweep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <numeric>
#include <sstream>
#include <utility>

#include "base/error.hpp"
#include "base/hertz.hpp"
#include "base/log.hpp"
#include "io/atomic_file.hpp"
#include "io/hdf5.hpp"
#include "run/copies.hpp"
#include "run/run_state.hpp"
#include "run/share.hpp"

namespace curlew::run {
namespace {

namespace fs = std::filesystem;

constexpr const char* about =
    "unknowns of a finished frequency or group, or results of them, or the state of an iteration, for "
    "--resume";
constexpr const char* kept_name = "solved_";

/// Checksum of all values: errors of the disk would otherwise enter the results unnoticed.
template <class Arrays>
std::string checksum(const Arrays& arrays) {
  std::string sums;
  for (const auto& [name, values] : arrays) {
    if (values.empty()) continue;  // these are not saved
    sums += name + hash_text({reinterpret_cast<const char*>(values.data()), values.size() * sizeof(Complex)});
  }
  return hash_text(sums);
}

}  // namespace

void plan_waiting(Run& run, std::size_t frequencies, std::size_t bytes) {
  if (frequencies > 1 && bytes > 0) run.plan("solutions being written", 2 * bytes);
}

FrequencySweep::FrequencySweep(std::vector<double> frequencies, Run& run)
    : frequencies_(std::move(frequencies)), run_(run) {
  if (!run.resume()) remove_kept(kept_name);
}

FrequencySweep::~FrequencySweep() = default;

std::string FrequencySweep::path(std::size_t number) const {
  return (fs::path(run_.output_path()) / fmt::format("{}{}.h5", kept_name, number + 1)).string();
}

std::string FrequencySweep::group_path(std::size_t number, std::size_t group) const {
  return (fs::path(run_.output_path()) / fmt::format("{}{}_{}.h5", kept_name, number + 1, group + 1))
      .string();
}

std::string identity_of(Run& run) {
  std::string text = run.inputs_hash();
  for (const auto& [path, hash] : run.state().dependencies) text += " " + hash;
  return text;
}

/// Paths of saved solutions with this prefix, followed by numbers; other files belong to the user.
std::vector<std::string> FrequencySweep::kept_files(const std::string& beginning) const {
  std::vector<std::string> out;
  std::error_code missing;
  for (const auto& entry : fs::directory_iterator(run_.output_path(), missing)) {
    const auto name = entry.path().filename().string();
    if (!name.starts_with(beginning) || !name.ends_with(".h5")) continue;
    if (entry.path().stem().string().find_first_not_of("0123456789_", std::strlen(kept_name)) ==
        std::string::npos)
      out.push_back(entry.path().string());
  }
  return out;
}

void FrequencySweep::remove_kept(const std::string& beginning) const {
  std::error_code ignored;
  for (const auto& file : kept_files(beginning)) fs::remove(file, ignored);
}

std::optional<SolvedArrays> FrequencySweep::find(std::size_t number) const {
  if (has_begun() && !is_sound_[number]) return std::nullopt;
  return find_file(path(number), number);
}

std::optional<SolvedArrays> FrequencySweep::find_group(std::size_t number, std::size_t group) const {
  return find_file(group_path(number, group), number);
}

std::optional<SolvedArrays> FrequencySweep::find_file(const std::string& path, std::size_t number) const {
  if (!(run_.resume() || is_from_copy(number)) || !fs::exists(path)) return std::nullopt;
  try {
    return read_kept(path, number);
  } catch (const InputError& e) {
    log::warn("{}: solved again", e.what());
    return std::nullopt;
  }
}

bool FrequencySweep::is_of_this_run(const io::H5File& file, std::size_t number) const {
  return file.string_attribute("inputs") == identity_of(run_) &&
         file.number_attribute("frequency_hz") == frequencies_[number];
}

bool FrequencySweep::is_kept(std::size_t number) const {
  if (!run_.resume() || !fs::exists(path(number))) return false;
  try {
    return is_of_this_run(io::H5File::open(path(number)), number);
  } catch (const InputError& e) {
    log::warn("{}: solved again", e.what());
    return false;
  }
}

std::optional<SolvedArrays> FrequencySweep::read_kept(const std::string& path, std::size_t number) const {
  const auto file = io::H5File::open(path, has_begun() && is_sound_[number]);
  if (!is_of_this_run(file, number)) return std::nullopt;
  SolvedArrays arrays;
  std::istringstream names(file.string_attribute("names"));
  for (std::string name; names >> name;) arrays[name] = file.read<Complex>(name);
  if (file.string_attribute("checksum") != checksum(arrays))
    throw InputError(path + ": its values have changed since they were written");
  if (!is_from_copy(number)) log::info("{}: solved before, in {}", hertz(frequencies_[number]), path);
  return arrays;
}

void FrequencySweep::keep(std::size_t number, const SolvedViews& arrays) const {
  if (frequencies_.size() < 2) return;
  write_kept(path(number), number, arrays);
  remove_kept(fmt::format("{}{}_", kept_name, number + 1));
}

void FrequencySweep::keep_group(std::size_t number, std::size_t group, const SolvedViews& arrays) const {
  write_kept(group_path(number, group), number, arrays);
}

void FrequencySweep::write_kept(const std::string& path, std::size_t number,
                                const SolvedViews& arrays) const {
  io::AtomicFile place(path);
  auto file = io::H5File::create(place.part());
  file.set_attribute("inputs", identity_of(run_));
  file.set_attribute("frequency_hz", frequencies_[number]);
  std::string names;
  file.set_attribute("checksum", checksum(arrays));
  for (const auto& [name, values] : arrays) {
    if (values.empty()) continue;
    file.write_raw(name, values.data(), {values.size()}, {"1", about});
    names += name + " ";
  }
  file.set_attribute("names", names);
  file.close();
  place.commit();
}

/// manifest.json next to the shares, and share.json in this one when its frequencies are done.
void FrequencySweep::write_states(bool is_done) const {
  const RunState& state = run_.state();
  const Share& share = *state.share;
  Manifest manifest{state.info->name, run_.input(), "frequencies", {}};
  for (std::size_t i = 0; i < frequencies_.size(); ++i) {
    const auto owner = int(i % std::size_t(share.count)) + 1;
    const auto kept = fs::path(state.home) / fmt::format("share_{}_of_{}", owner, share.count) /
                      fmt::format("solved_{}.h5", i + 1);
    manifest.items.push_back(
        {fmt::format("{} Hz", frequencies_[i]), "", identity_of(run_), fs::exists(kept) ? "done" : "open"});
  }
  write_manifest(state.home, manifest);
  if (!is_done) return;
  const nlohmann::ordered_json json = {
      {"share", share.number}, {"of", share.count}, {"inputs_hash", run_.inputs_hash()}, {"state", "done"}};
  io::write_text_file((fs::path(state.output) / "share.json").string(), json.dump(2) + "\n");
}

void FrequencySweep::finish_solution(std::size_t number, const std::function<void()>& compute) {
  if (is_from_copy(number)) return;
  if (compute) compute();
  if (copies_ && copies_->is_copy()) throw SolutionDone();
}

bool FrequencySweep::solve_in_copy(std::size_t number) {
  if (copies_ && !copies_->has_begun() && copies_->may_begin(number)) copies_->begin(number);
  if (!copies_ || !copies_->take(number)) return false;
  return from_copy_[number] = is_sound_[number] = true;
}

bool FrequencySweep::may_copy() const {
  return !is_alone_ && !run_.on_cuda() && can_copy(run_.jobs(), run_.processes());
}

void FrequencySweep::solve_side_by_side(std::vector<std::size_t> numbers,
                                        const std::function<void(std::size_t)>& solve) {
  if (const auto once = std::exchange(run_.state().before_work, nullptr)) once(run_.state());
  std::erase_if(numbers, [&](std::size_t number) { return is_kept(number); });
  if (numbers.size() < 2 || !may_copy()) return;
  from_copy_.resize(frequencies_.size());
  std::ranges::sort(numbers);
  copies_ = std::make_unique<Copies>(
      run_, numbers,
      [&](std::size_t number) {
        solve(number);
        throw SolutionDone();
      },
      carried_, watched_);
  copies_->begin(numbers.front());
  for (const std::size_t number : numbers) from_copy_[number] = copies_->take(number);
  copies_.reset();
}

void FrequencySweep::prepare(const std::vector<std::size_t>& numbers, const Solve& work) {
  if (run_.state().before_work) run_.state().before_work(run_.state());
  from_copy_.assign(frequencies_.size(), false);
  std::vector<bool> is_sound(frequencies_.size());
  std::vector<std::size_t> missing;
  for (const std::size_t number : numbers)
    if (!(is_sound[number] = is_kept(number))) missing.push_back(number);
  is_sound_ = std::move(is_sound);
  if (!may_copy()) return;
  const auto solve = [this, &work](std::size_t number) {
    Background none(0);
    work(number, frequencies_[number], none);
  };
  copies_ = std::make_unique<Copies>(run_, std::move(missing), solve, carried_, watched_);
}

void FrequencySweep::each_of_share(const Solve& work, Background& writer) {
  const Share& share = *run_.state().share;
  const auto own = numbers_of(share, frequencies_.size());
  write_states(false);
  prepare(own, work);
  for (const std::size_t number : own) {
    check_interrupt();
    if (!find(number) && !solve_in_copy(number)) work(number, frequencies_[number], writer);
  }
  writer.finish();
  copies_.reset();
  write_states(true);
  log::info("share {} of {}: {} of {} frequencies are solved; --join makes the results of all shares",
            share.number, share.count, own.size(), frequencies_.size());
  throw ShareDone();
}

bool FrequencySweep::each(const std::function<void(std::size_t, double)>& work) {
  Background none(0);
  return loop([&](std::size_t number, double frequency, Background&) { work(number, frequency); }, none);
}

bool FrequencySweep::each_behind(const Solve& work) {
  Background writer(frequencies_.size() > 1 ? waiting_ : 0);
  try {
    return loop(work, writer);
  } catch (const ShareDone&) {
    throw;
  } catch (...) {
    copies_.reset();
    writer.finish();  // solved frequencies are saved, and the failure of an earlier frequency is reported
    throw;
  }
}

void FrequencySweep::forget() const {
  for (auto& file : kept_files(kept_name)) run_.state().needless.push_back(std::move(file));
}

bool FrequencySweep::loop(const Solve& work, Background& writer) {
  if (run_.state().share) each_of_share(work, writer);
  // Complete files are moved to the output folder, also if the signal came after the last frequency was
  // written.
  const auto stop = [&](std::size_t done) {
    copies_.reset();
    acknowledge_interrupt();
    writer.finish();
    run_.state().stopped =
        fmt::format("interrupted after {} of {} frequencies: the files contain these, --resume continues",
                    done, frequencies_.size());
    return false;
  };
  std::vector<std::size_t> all(frequencies_.size());
  std::iota(all.begin(), all.end(), std::size_t(0));
  prepare(all, work);
  for (std::size_t done = 0; done < frequencies_.size(); ++done) {
    try {
      check_interrupt();
      solve_in_copy(done);
      work(done, frequencies_[done], writer);
    } catch (const Interrupted&) {
      if (done == 0) {
        copies_.reset();
        if (!kept_files(kept_name).empty())
          log::info("solved groups are kept: --resume continues after them");
        throw;
      }
      return stop(done);
    }
  }
  copies_.reset();
  writer.finish();
  if (is_interrupt_pending()) return stop(frequencies_.size());
  forget();
  return true;
}

}  // namespace curlew::run
