// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Work of one process, whose failure is reported to all processes, so that none waits for a message.

#include <exception>
#include <string>

#include "base/process_group.hpp"

namespace curlew::linalg {

/// Exit status (base/error.hpp) and message of an exception.
struct Failure {
  int status = 0;
  std::string text{};
  /// Throws the error of this status, if it is one.
  void raise() const;
};

/// Finished work, or its exception.
class Attempt {
 public:
  template <class Work>
  explicit Attempt(const Work& work) {
    try {
      work();
    } catch (...) {
      thrown_ = std::current_exception();
    }
  }
  Failure failure() const;
  /// Rethrows the exception of the work, or else the error of another process.
  void finish(const Failure& other) const;

 private:
  std::exception_ptr thrown_;
};

/// Work without messages: if it throws on one process, all throw an error of the same kind.
template <class Work>
void on_each(const ProcessGroup& group, const Work& work) {
  const Attempt own(work);
  Index status = own.failure().status;
  group.largest(&status, 1);
  own.finish({int(status), "another process could not continue"});
}

}  // namespace curlew::linalg
