// SPDX-License-Identifier: BSD-3-Clause
#include "truncation/shared_radiation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "base/error.hpp"
#include "linalg/attempt.hpp"
#include "ngim/share.hpp"

namespace curlew::truncation {
namespace {

// Steps of process 0 with an integral of a number.
struct RadiationBegins {
  int number;
};
struct Radiate {
  int number;
  bool conjugates;
};
struct RadiationEnds {
  int number;
};

using linalg::Failure;

/// Indices of a process's observers among all of them.
std::vector<std::size_t> piece_of(int rank, int size, std::span<const Vec3<double>> observers) {
  const auto own = ngim::points_of_share(observers, {rank, size});
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < own.size(); ++i)
    if (own[i] != 0) places.push_back(i);
  return places;
}

std::vector<std::vector<std::size_t>> pieces_of(int size, std::span<const Vec3<double>> observers) {
  std::vector<std::vector<std::size_t>> pieces;
  for (int rank = 0; rank < size; ++rank) pieces.push_back(piece_of(rank, size, observers));
  return pieces;
}

RadiationMap make_piece(const RadiationChoice& choice, const fields::SurfacePoints& sources,
                        std::span<const Vec3<double>> observers, const std::vector<std::size_t>& piece) {
  if (piece.empty())
    return [](const fields::SurfaceCurrents& currents, bool conjugates) {
      return fields::NearFields{(conjugates ? 2 : 1) * currents.count, {}, {}};
    };
  std::vector<Vec3<double>> own;
  for (const std::size_t i : piece) own.push_back(observers[i]);
  return make_chosen_radiation(choice, sources, own);
}

/// Sends the error of a process to process 0.
void send(const ProcessGroup& processes, const Failure& failure) {
  const std::size_t length = failure.text.size();
  processes.send(&failure.status, sizeof failure.status);
  processes.send(&length, sizeof length);
  processes.send(failure.text.data(), length);
}

Failure receive_failure(const ProcessGroup& processes, int from) {
  Failure failure;
  std::size_t length = 0;
  processes.receive(from, &failure.status, sizeof failure.status);
  processes.receive(from, &length, sizeof length);
  failure.text.resize(length);
  processes.receive(from, failure.text.data(), length);
  if (failure.status != exit_done) failure.text = fmt::format("process {}: {}", from, failure.text);
  return failure;
}

/// Does the work of this process, then collects the errors of the others, so that no process is left waiting.
/// @param own what process 0 does @param receive called for each other process that has done its share
template <class Own, class Receive>
void do_together(const ProcessGroup& processes, const Own& own, const Receive& receive) {
  const linalg::Attempt attempt(own);
  Failure other;
  for (int from = 1; from < processes.size(); ++from) {
    const Failure failure = receive_failure(processes, from);
    if (failure.status == exit_done)
      receive(from);
    else
      other = failure;
  }
  attempt.finish(other);
}

/// An integral that exists on the other processes too.
class Instance {
 public:
  explicit Instance(const ProcessGroup& processes)
      : processes_(processes), number_(processes.next_instance()) {
    processes_.announce(RadiationBegins{number_});
  }
  ~Instance() { processes_.announce(RadiationEnds{number_}); }
  Instance(const Instance&) = delete;
  Instance& operator=(const Instance&) = delete;
  int number() const { return number_; }

 private:
  const ProcessGroup& processes_;
  int number_;
};

/// On process 0. Its own points and currents are only read.
template <class T>
void send_to_all(const ProcessGroup& processes, const std::vector<T>& values) {
  broadcast_values(processes, const_cast<std::vector<T>&>(values));
}

class SharedRadiation {
 public:
  SharedRadiation(const ProcessGroup& processes, const RadiationChoice& choice,
                  const fields::SurfacePoints& sources, std::span<const Vec3<double>> observers)
      : processes_(processes),
        num_observers_(observers.size()),
        pieces_(pieces_of(processes.size(), observers)) {
    for (const auto& piece : pieces_) largest_piece_ = std::max(largest_piece_, piece.size());
    instance_ = std::make_unique<Instance>(processes);
    RadiationChoice same = choice;
    processes.broadcast(&same, sizeof same);
    send_to_all(processes, sources.position), send_to_all(processes, sources.normal);
    send_to_all(processes, sources.weight);
    send_to_all(processes, std::vector<Vec3<double>>(observers.begin(), observers.end()));
    do_together(
        processes, [&] { own_ = make_piece(choice, sources, observers, pieces_[0]); }, [](int) {});
  }

  fields::NearFields apply(const fields::SurfaceCurrents& currents, bool conjugates) const {
    Index count = currents.count;
    fields::NearFields all;
    all.count = (conjugates ? 2 : 1) * count;
    // Allocates all memory before the other processes begin: if this failed later, they would wait for
    // process 0.
    for (auto* field : {&all.e, &all.curl}) field->resize(std::size_t(all.count) * num_observers_);
    std::vector<Vec3<Complex>> piece(std::size_t(all.count) * largest_piece_);
    processes_.announce(Radiate{instance_->number(), conjugates});
    processes_.broadcast(&count, sizeof count);
    send_to_all(processes_, currents.electric), send_to_all(processes_, currents.magnetic);
    do_together(
        processes_,
        [&] {
          const fields::NearFields own = own_(currents, conjugates);
          place(own.e, 0, all.e), place(own.curl, 0, all.curl);
        },
        [&](int from) {
          piece.resize(std::size_t(all.count) * pieces_[std::size_t(from)].size());
          for (auto* field : {&all.e, &all.curl}) {
            processes_.receive(from, piece.data(), piece.size() * sizeof piece[0]);
            place(piece, from, *field);
          }
        });
    return all;
  }

 private:
  void place(const std::vector<Vec3<Complex>>& piece, int rank, std::vector<Vec3<Complex>>& all) const {
    const auto& places = pieces_[std::size_t(rank)];
    for (std::size_t i = 0; i < piece.size(); ++i)
      all[i / places.size() * num_observers_ + places[i % places.size()]] = piece[i];
  }

  const ProcessGroup& processes_;
  std::size_t num_observers_, largest_piece_ = 0;
  std::vector<std::vector<std::size_t>> pieces_;  // [processes]
  std::unique_ptr<Instance> instance_;
  RadiationMap own_;
};

/// Run by the other processes while process 0 runs SharedRadiation's constructor.
RadiationMap receive_map(const ProcessGroup& processes) {
  RadiationChoice choice;
  fields::SurfacePoints sources;
  std::vector<Vec3<double>> observers;
  processes.broadcast(&choice, sizeof choice);
  for (auto* points : {&sources.position, &sources.normal}) broadcast_values(processes, *points);
  broadcast_values(processes, sources.weight);
  broadcast_values(processes, observers);
  RadiationMap map;
  send(processes, linalg::Attempt([&] {
                    map = make_piece(choice, sources, observers,
                                     piece_of(processes.rank(), processes.size(), observers));
                  }).failure());
  return map;
}

/// Run by the other processes while process 0 runs apply().
void radiate(const ProcessGroup& processes, const RadiationMap& map, bool conjugates) {
  fields::SurfaceCurrents currents;
  processes.broadcast(&currents.count, sizeof currents.count);
  broadcast_values(processes, currents.electric);
  broadcast_values(processes, currents.magnetic);
  fields::NearFields piece;
  const Failure failure = linalg::Attempt([&] { piece = map(currents, conjugates); }).failure();
  send(processes, failure);
  if (failure.status != exit_done) return;
  for (const auto* field : {&piece.e, &piece.curl})
    processes.send(field->data(), field->size() * sizeof(Vec3<Complex>));
}

}  // namespace

int processes_that_radiate(Device device, const ProcessGroup* processes) {
  const bool share = device == Device::cpu && processes != nullptr && processes->rank() == 0;
  return share ? processes->size() : 1;
}

RadiationMap make_shared_radiation(const ProcessGroup& processes, const RadiationChoice& choice,
                                   const fields::SurfacePoints& sources,
                                   std::span<const Vec3<double>> observers) {
  return [shared = std::make_shared<SharedRadiation>(processes, choice, sources, observers)](
             const fields::SurfaceCurrents& currents, bool conjugates) {
    return shared->apply(currents, conjugates);
  };
}

bool RadiationServer::take(const ProcessGroup& processes, const GroupStep& step) {
  if (const auto begins = step.as<RadiationBegins>())
    maps_[begins->number] = receive_map(processes);
  else if (const auto wanted = step.as<Radiate>())
    radiate(processes, maps_.at(wanted->number), wanted->conjugates);
  else if (const auto ends = step.as<RadiationEnds>())
    maps_.erase(ends->number);
  else
    return false;
  return true;
}

}  // namespace curlew::truncation
