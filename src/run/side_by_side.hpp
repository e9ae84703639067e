// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Tasks by number, done by copies of this process (fork), which share with it all that was made before: mesh,
// ports, analysis. Processes and not threads, as MUMPS and the pool of the BLAS are one a process. Private to
// this room, as run_state.hpp.

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
  /// Done in a copy; what it throws is rethrown where the number is awaited.
  using Task = std::function<nlohmann::json(std::size_t number)>;
  /// State of a number.
  struct Ended {
    Outcome outcome;
    nlohmann::json value;  ///< of the task
  };

  /// @param what "frequency", in the log
  /// @param numbers in the order in which they begin: each copy takes the next one when it is free
  SideBySide(std::string what, Task task, std::vector<std::size_t> numbers);
  ~SideBySide();
  SideBySide(const SideBySide&) = delete;
  SideBySide& operator=(const SideBySide&) = delete;

  /// More copies, of so many threads each. @return false, with the reason in the log, if there are none
  bool start(int processes, int threads);
  /// Waits until a number is done, and says in the log what its copy has said. Nothing if it was not done:
  /// its copy was killed or lacked memory, or none has begun it. Then all others have ended, and the caller
  /// can do it alone. @throws Interrupted
  std::optional<Ended> wait(std::size_t number);
  /// Ends copies at once.
  void finish();
  /// Largest resident sizes of copies that have ended, beside what they shared with this process at the
  /// start.
  std::size_t bytes() const { return bytes_; }
  /// Hears what copies say, for a while. @return whether one is still there
  bool listen();
  /// No number begins any more; copies end as after Ctrl-C.
  void stop();

 private:
  struct Copy {
    pid_t pid = -1;
    int messages = -1;
    std::string text;  ///< of a message that is not complete
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
};

}  // namespace curlew::run
