// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The processes of a run, as a value that main makes and passes down; a null pointer is one process alone.

#include <cstddef>
#include <cstring>
#include <functional>
#include <optional>
#include <type_traits>
#include <typeinfo>
#include <vector>

#include "base/types.hpp"

namespace curlew {

/// A step that process 0 announces: a small struct, whose type says what all do and whose values how. The
/// type is declared where the step is announced and taken. Processes recognise it by a hash of its name, as
/// all run the same program file.
class GroupStep {
 public:
  GroupStep() = default;
  template <class Step>
  GroupStep(const Step& step) : kind_(typeid(Step).hash_code()) {  // implicit: announce(Multiply{columns})
    static_assert(std::is_trivially_copyable_v<Step> && sizeof step <= sizeof values_);
    if constexpr (!std::is_empty_v<Step>) std::memcpy(values_, &step, sizeof step);
  }
  template <class Step>
  bool is() const {
    return kind_ == typeid(Step).hash_code();
  }
  /// Nothing if it is a step of another type.
  template <class Step>
  std::optional<Step> as() const {
    if (!is<Step>()) return std::nullopt;
    Step step{};
    std::memcpy(static_cast<void*>(&step), values_, sizeof step);
    return step;
  }

 private:
  std::size_t kind_ = 0;
  alignas(8) char values_[24] = {};
};

class ProcessGroup {
 public:
  virtual ~ProcessGroup() = default;
  virtual int rank() const = 0;
  virtual int size() const = 0;
  /// Sends data of process 0 to all.
  virtual void broadcast(void* data, std::size_t bytes) const = 0;
  /// Sums y of all processes on process 0. @param y [n]
  virtual void add_up(Complex* y, std::size_t n) const = 0;
  /// Sends data to process 0, from another one.
  virtual void send(const void* data, std::size_t bytes) const = 0;
  /// On process 0: receives the next data of this size from process `from`.
  virtual void receive(int from, void* data, std::size_t bytes) const = 0;
  /// The sum of y over all processes, with the same bits on all. @param y [n]
  virtual void sum(double* y, std::size_t n) const = 0;
  /// The maximum of each entry over all processes, on all. @param y [n]
  virtual void largest(Index* y, std::size_t n) const = 0;
  /// Exchanges data between all pairs of processes, including each with itself. @param out_begin, in_begin
  /// [size + 1] first bytes of the processes in `out` and `in`
  virtual void exchange(const char* out, const std::vector<std::size_t>& out_begin, char* in,
                        const std::vector<std::size_t>& in_begin) const = 0;
  /// A choice that depends on a folder, the clock or free memory: all call it, and where all run the program
  /// to its end, all get the value of `own` of process 0.
  virtual bool decide(bool own) const {
    broadcast(&own, sizeof own);
    return own;
  }
  /// Called by all after a part of a run that may fail on some processes only, such as a point of a sweep:
  /// waits for all of them, and ends them if only some failed. @param status exit status of that part
  virtual void meet(int status) const { static_cast<void>(status); }
  /// The largest number of them on one machine.
  virtual int most_on_a_machine() const { return size(); }
  /// Fortran handle of the MPI communicator of all.
  virtual int communicator() const { return 0; }

  // ---- where process 0 leads ----
  /// Whether all run the program. Where process 0 leads they do until the first distributed matrix begins.
  virtual bool is_together() const { return true; }
  /// From now on the others only take the steps of process 0.
  virtual void part() const {}
  /// On process 0: announces a step, which all take.
  virtual void announce(const GroupStep&) const {}
  enum class Taken { no, yes, last };
  /// On the others: sleeps and takes steps until `takes` returns last or the program of process 0 ends. Steps
  /// that it does not take are calls of MUMPS with a matrix of process 0. @returns false if the program ended
  virtual bool follow(const std::function<Taken(const GroupStep&)>& takes) const {
    static_cast<void>(takes);
    return false;
  }
  /// A new number for a solver or an integral, from 1.
  int next_instance() const { return ++instances_; }

 private:
  mutable int instances_ = 0;
};

/// Whether this process shows and keeps results. The others print nothing and write to temporary folders.
inline bool is_first(const ProcessGroup* processes) {
  return processes == nullptr || processes->rank() == 0;
}

/// Copies a vector or a string of process 0 to all.
template <class Values>
void broadcast_values(const ProcessGroup& group, Values& values) {
  std::size_t size = values.size();
  group.broadcast(&size, sizeof size);
  if (group.rank() != 0) values.resize(size);
  group.broadcast(values.data(), size * sizeof values[0]);
}

/// Sends values to each process. @param to [size] @returns [size] values of each process for this one
template <class Value>
std::vector<std::vector<Value>> deal(const ProcessGroup& group, const std::vector<std::vector<Value>>& to) {
  const auto processes = std::size_t(group.size());
  std::vector<std::size_t> out_sizes, in_sizes(processes), single, out_begin{0}, in_begin{0};
  for (std::size_t p = 0; p <= processes; ++p) single.push_back(p * sizeof(std::size_t));
  for (const auto& values : to) out_sizes.push_back(values.size());
  group.exchange(reinterpret_cast<const char*>(out_sizes.data()), single,
                 reinterpret_cast<char*>(in_sizes.data()), single);
  std::vector<Value> out;
  for (std::size_t p = 0; p < processes; ++p) {
    out.insert(out.end(), to[p].begin(), to[p].end());
    out_begin.push_back(out_begin[p] + out_sizes[p] * sizeof(Value));
    in_begin.push_back(in_begin[p] + in_sizes[p] * sizeof(Value));
  }
  std::vector<Value> in(in_begin.back() / sizeof(Value));
  group.exchange(reinterpret_cast<const char*>(out.data()), out_begin, reinterpret_cast<char*>(in.data()),
                 in_begin);
  std::vector<std::vector<Value>> from(processes);
  auto next = in.cbegin();
  for (std::size_t p = 0; p < processes; ++p) {
    from[p].assign(next, next + Offset(in_sizes[p]));
    next += Offset(in_sizes[p]);
  }
  return from;
}

}  // namespace curlew
