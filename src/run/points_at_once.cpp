// SPDX-License-Identifier: BSD-3-Clause
// Points of a sweep, several at once: the first begins alone, with all threads; after it has planned its
// memory, or has ended, the number that fits is known.

#include <sys/mman.h>
#include <unistd.h>
#include <csignal>

#include <array>
#include <atomic>
#include <cstring>
#include <new>
#include <optional>
#include <thread>

#include "base/error.hpp"
#include "base/interrupt.hpp"
#include "base/log.hpp"
#include "base/threads.hpp"
#include "run/at_once.hpp"
#include "run/copies.hpp"
#include "run/sweep_plan.hpp"

namespace curlew::run {
namespace {

/// State of the copies in shared memory. Points may differ: each waits until its memory is available, or no
/// other point runs.
class Room {
 public:
  explicit Room(std::size_t memory) : memory_(memory) {}

  bool is_decided() const { return decided_; }
  AtOnce decision() const { return {processes_, threads_, reason_.data()}; }
  void decide(const AtOnce& at_once) {
    processes_ = at_once.processes, threads_ = at_once.threads;
    std::strncpy(reason_.data(), at_once.reason.c_str(), reason_.size() - 1);
    decided_ = true;
  }
  /// @throws Interrupted
  void enter(std::size_t bytes) {
    Place& own = place();
    while (true) {
      own.bytes = bytes;
      const std::size_t others = taken_by_others();
      if (others == 0 || others + bytes <= memory_) return;
      own.bytes = 0;
      check_interrupt();
      std::this_thread::sleep_for(std::chrono::milliseconds(20 + 7 * (&own - places_.data())));
    }
  }
  void leave() { place().bytes = 0; }

 private:
  struct Place {
    std::atomic<pid_t> process = 0;
    std::atomic<std::size_t> bytes = 0;
  };

  Place& place() {
    for (Place& p : places_) {
      pid_t none = 0;
      if (p.process == getpid() || p.process.compare_exchange_strong(none, getpid())) return p;
    }
    return places_.back();
  }
  std::size_t taken_by_others() const {
    std::size_t taken = 0;
    for (const Place& p : places_)
      if (p.bytes > 0 && p.process != getpid() && kill(p.process, 0) == 0) taken += p.bytes;
    return taken;
  }

  std::size_t memory_;
  std::atomic<bool> decided_ = false;
  std::atomic<int> processes_ = 1, threads_ = 1;
  std::array<char, 200> reason_{};
  std::array<Place, 1024> places_{};
};

struct SharedRoom {
  explicit SharedRoom(std::size_t memory) {
    void* const place =
        mmap(nullptr, sizeof(Room), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (place == MAP_FAILED) throw std::bad_alloc();
    room = new (place) Room(memory);
  }
  ~SharedRoom() { munmap(room, sizeof(Room)); }
  SharedRoom(const SharedRoom&) = delete;
  SharedRoom& operator=(const SharedRoom&) = delete;
  Room* room;
};

}  // namespace

bool can_run_at_once(const Context& context, std::size_t points) {
  const Options& o = context.options;
  return points > 1 && !o.dry_run && context.device == Device::cpu &&
         can_copy(o.jobs, context.info.processes);
}

Outcome run_points_at_once(const Context& given, SweepPlan& plan, const std::string& output,
                           const std::vector<std::size_t>& wanted) {
  Options options = given.options;
  options.jobs = 0;  // they are for the points
  const Context context{given.info, options, given.body, given.device, given.has_config};
  const SharedRoom shared(usable_part(available_memory()));
  Room& room = *shared.room;
  const int threads = num_threads();
  const auto decide = [&](std::size_t bytes) {
    if (!room.is_decided())
      room.decide(choose_at_once({wanted.size(), bytes, given.options.jobs, threads, available_memory()}));
    set_num_threads(room.decision().threads);
  };
  plan.before_work = [&](RunState& state) {
    const std::size_t bytes = needed_bytes(state, false);
    decide(bytes);
    state.neighbours = room.decision().processes;
    room.enter(bytes);
  };
  SideBySide copies(
      "point",
      [&](std::size_t i) {
        SweepPoint& point = plan.points[i];
        if (room.is_decided()) set_num_threads(room.decision().threads);
        run_point(context, plan, output, i);
        room.leave();
        if (!point.was_done) decide(peak_memory());
        if (point.outcome.status == exit_interrupted) std::raise(SIGTERM);  // ends the copy, too
        if (point.outcome.status == exit_resource) throw ResourceError(point.outcome.error);
        return nlohmann::json{{"status", point.outcome.status},
                              {"error", point.outcome.error},
                              {"has_results", point.has_results}};
      },
      wanted);
  if (!copies.start(1, threads)) return run_points(context, plan, output, wanted);
  while (!room.is_decided() && !is_interrupted() && copies.listen()) {
  }
  if (room.is_decided() && room.decision().processes > 1 && !is_interrupted()) {
    const AtOnce at_once = room.decision();
    log::info("points: {} at once, {} thread{} each ({})", at_once.processes, at_once.threads,
              at_once.threads == 1 ? "" : "s", at_once.reason);
    copies.start(at_once.processes - 1, at_once.threads);
  }

  Outcome worst;
  for (const std::size_t i : wanted) {
    SweepPoint& point = plan.points[i];
    std::optional<SideBySide::Ended> ended;
    if (worst.status != exit_interrupted)
      log::info("{} of {}: {}", point.folder, plan.points.size(), plan.describe(i));
    try {
      ended = copies.wait(i);
    } catch (const Interrupted& e) {
      worst = {exit_interrupted, e.what()};
      copies.stop();
      acknowledge_interrupt();  // the table of the sweep is written
      ended = copies.wait(i);
    }
    if (ended && ended->outcome.status == exit_done) {
      const auto& said = ended->value;
      point.reached = true;
      point.outcome = {said.at("status").get<int>(), said.at("error").get<std::string>()};
      point.has_results = said.at("has_results").get<bool>();
    } else if (worst.status == exit_interrupted) {
      continue;
    } else {
      plan.before_work = nullptr;
      set_num_threads(threads);
      run_point(context, plan, output, i);
    }
    if (point.outcome.status > worst.status) worst = point.outcome;
  }
  return worst;
}

}  // namespace curlew::run
