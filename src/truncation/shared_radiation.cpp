// SPDX-License-Identifier: BSD-3-Clause
#include "truncation/shared_radiation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "linalg/attempt.hpp"
#include "ngim/share.hpp"

namespace curlew::truncation {
namespace {

using linalg::Failure;
using linalg::mumps_group;
using linalg::ProcessGroup;

const ProcessGroup& processes() {
  return *mumps_group().processes;
}

/// Indices of a process's observers among all of them.
std::vector<std::size_t> piece_of(int rank, std::span<const Vec3<double>> observers) {
  const auto own = ngim::points_of_share(observers, {rank, processes().size()});
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < own.size(); ++i)
    if (own[i] != 0) places.push_back(i);
  return places;
}

std::vector<std::vector<std::size_t>> pieces_of(std::span<const Vec3<double>> observers) {
  std::vector<std::vector<std::size_t>> pieces;
  for (int rank = 0; rank < processes().size(); ++rank) pieces.push_back(piece_of(rank, observers));
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
void send(const Failure& failure) {
  const std::size_t length = failure.text.size();
  processes().send(&failure.status, sizeof failure.status);
  processes().send(&length, sizeof length);
  processes().send(failure.text.data(), length);
}

Failure receive_failure(int from) {
  Failure failure;
  std::size_t length = 0;
  processes().receive(from, &failure.status, sizeof failure.status);
  processes().receive(from, &length, sizeof length);
  failure.text.resize(length);
  processes().receive(from, failure.text.data(), length);
  if (failure.status != exit_done) failure.text = fmt::format("process {}: {}", from, failure.text);
  return failure;
}

/// Does the work of this process, then collects the errors of the others, so that no process is left waiting.
/// @param own what process 0 does @param receive called for each other process that has done its share
template <class Own, class Receive>
void do_together(const Own& own, const Receive& receive) {
  const linalg::Attempt attempt(own);
  Failure other;
  for (int from = 1; from < processes().size(); ++from) {
    const Failure failure = receive_failure(from);
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
  Instance() : number_(++last_) { mumps_group().announce({linalg::step_radiation_begin, number_, 0}); }
  ~Instance() { mumps_group().announce({linalg::step_radiation_end, number_, 0}); }
  Instance(const Instance&) = delete;
  Instance& operator=(const Instance&) = delete;
  int number() const { return number_; }

 private:
  static inline int last_ = 0;
  int number_;
};

/// On process 0. Its own points and currents are only read.
template <class T>
void send_to_all(const std::vector<T>& values) {
  linalg::broadcast_values(processes(), const_cast<std::vector<T>&>(values));
}

class SharedRadiation {
 public:
  SharedRadiation(const RadiationChoice& choice, const fields::SurfacePoints& sources,
                  std::span<const Vec3<double>> observers)
      : num_observers_(observers.size()), pieces_(pieces_of(observers)) {
    for (const auto& piece : pieces_) largest_piece_ = std::max(largest_piece_, piece.size());
    instance_ = std::make_unique<Instance>();
    RadiationChoice same = choice;
    processes().broadcast(&same, sizeof same);
    send_to_all(sources.position), send_to_all(sources.normal), send_to_all(sources.weight);
    send_to_all(std::vector<Vec3<double>>(observers.begin(), observers.end()));
    do_together([&] { own_ = make_piece(choice, sources, observers, pieces_[0]); }, [](int) {});
  }

  fields::NearFields apply(const fields::SurfaceCurrents& currents, bool conjugates) const {
    Index count = currents.count;
    fields::NearFields all;
    all.count = (conjugates ? 2 : 1) * count;
    // Allocates all memory before the other processes begin: if this failed later, they would wait for
    // process 0.
    for (auto* field : {&all.e, &all.curl}) field->resize(std::size_t(all.count) * num_observers_);
    std::vector<Vec3<Complex>> piece(std::size_t(all.count) * largest_piece_);
    mumps_group().announce({linalg::step_radiate, instance_->number(), int(conjugates)});
    processes().broadcast(&count, sizeof count);
    send_to_all(currents.electric), send_to_all(currents.magnetic);
    do_together(
        [&] {
          const fields::NearFields own = own_(currents, conjugates);
          place(own.e, 0, all.e), place(own.curl, 0, all.curl);
        },
        [&](int from) {
          piece.resize(std::size_t(all.count) * pieces_[std::size_t(from)].size());
          for (auto* field : {&all.e, &all.curl}) {
            processes().receive(from, piece.data(), piece.size() * sizeof piece[0]);
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

  std::size_t num_observers_, largest_piece_ = 0;
  std::vector<std::vector<std::size_t>> pieces_;  // [processes]
  std::unique_ptr<Instance> instance_;
  RadiationMap own_;
};

/// Run by the other processes while process 0 runs SharedRadiation's constructor.
RadiationMap receive_map() {
  RadiationChoice choice;
  fields::SurfacePoints sources;
  std::vector<Vec3<double>> observers;
  processes().broadcast(&choice, sizeof choice);
  for (auto* points : {&sources.position, &sources.normal}) linalg::broadcast_values(processes(), *points);
  linalg::broadcast_values(processes(), sources.weight);
  linalg::broadcast_values(processes(), observers);
  RadiationMap map;
  send(linalg::Attempt([&] {
         map = make_piece(choice, sources, observers, piece_of(processes().rank(), observers));
       }).failure());
  return map;
}

/// Run by the other processes while process 0 runs apply().
void radiate(const RadiationMap& map, bool conjugates) {
  fields::SurfaceCurrents currents;
  processes().broadcast(&currents.count, sizeof currents.count);
  linalg::broadcast_values(processes(), currents.electric);
  linalg::broadcast_values(processes(), currents.magnetic);
  fields::NearFields piece;
  const Failure failure = linalg::Attempt([&] { piece = map(currents, conjugates); }).failure();
  send(failure);
  if (failure.status != exit_done) return;
  for (const auto* field : {&piece.e, &piece.curl})
    processes().send(field->data(), field->size() * sizeof(Vec3<Complex>));
}

}  // namespace

int processes_that_radiate(Device device) {
  const auto& group = mumps_group();
  return device == Device::cpu && group.leads() ? group.size : 1;
}

RadiationMap make_shared_radiation(const RadiationChoice& choice, const fields::SurfacePoints& sources,
                                   std::span<const Vec3<double>> observers) {
  return [shared = std::make_shared<SharedRadiation>(choice, sources, observers)](
             const fields::SurfaceCurrents& currents, bool conjugates) {
    return shared->apply(currents, conjugates);
  };
}

bool RadiationServer::take(const linalg::GroupStep& step) {
  switch (step.job) {
    case linalg::step_radiation_begin:
      maps_[step.instance] = receive_map();
      return true;
    case linalg::step_radiate:
      radiate(maps_.at(step.instance), step.detail != 0);
      return true;
    case linalg::step_radiation_end:
      maps_.erase(step.instance);
      return true;
    default:
      return false;
  }
}

}  // namespace curlew::truncation
