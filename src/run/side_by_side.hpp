// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Numbered tasks in copies of this process (fork), which share with it all earlier data: mesh, ports,
// analysis. Not threads, since MUMPS and the BLAS thread pool exist once per process. Private to this module,
// like run_state.hpp.

#include <sys/types.h>

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "run/run_state.hpp"

namespace curlew::run {

class SideBySide {
 public:
  /// Runs in a copy; its exceptions are rethrown by wait().
  using Task = std::function<nlohmann::json(std::size_t number)>;
  /// State of a task.
  struct Ended {
    Outcome outcome;
    nlohmann::json value;  ///< result of the task
  };

  /// @param what "frequency", for the log
  /// @param numbers in the order in which they begin: each copy takes the next one when it is free
  SideBySide(std::string what, Task task, std::vector<std::size_t> numbers);
  ~SideBySide();
  SideBySide(const SideBySide&) = delete;
  SideBySide& operator=(const SideBySide&) = delete;

  /// Starts more copies with this number of threads each. @return false, with the reason in the log, if there
  /// are none
  bool start(int processes, int threads);
  /// Waits until a task is done, and logs the messages of its copy. Empty if it was not done: its copy was
  /// killed or lacked memory, or none started it. Then all copies have ended, and the caller can do it
  /// itself. @throws Interrupted
  std::optional<Ended> wait(std::size_t number);
  /// Ends copies at once.
  void finish();
  /// Peak resident sizes of ended copies, without what they shared with this process at the start.
  std::size_t bytes() const { return bytes_; }
  /// Reads messages of the copies for a limited time. @return whether a copy still runs
  bool listen();
  /// Starts no further tasks; copies end as after Ctrl-C.
  void stop();

 private:
  struct Copy {
    pid_t pid = -1;
    int messages = -1;
    std::string text;  ///< incomplete message
    std::optional<std::size_t> at{};
  };
  struct Shared;

  [[noreturn]] void work(int messages, pid_t parent, int threads);
  void read(Copy& copy);
  void take(Copy& copy, const std::string& line);
  void end(Copy& copy);

  std::string what_;
  Task task_;
  std::vector<std::size_t> numbers_;
  Shared* shared_;
  std::vector<Copy> copies_;
  std::map<std::size_t, nlohmann::json> said_;
  std::size_t shared_bytes_ = 0, bytes_ = 0;
  bool is_stopped_ = false;  ///< copies end because they are told to
};

}  // namespace curlew::run
