// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A barrier at which tasks, each in its own thread, wait until what all of them ask for is done in one batch:
// the right-hand sides of a system run their own Krylov loops and share the products with the matrix.

#include <condition_variable>
#include <functional>
#include <mutex>
#include <vector>

namespace curlew::linalg {

class BatchBarrier {
 public:
  /// What a task wants done: which operation, on what.
  struct Request {
    int task = 0;
    int operation = 0;
    const void* from = nullptr;
    void* to = nullptr;
  };
  using Body = std::function<void(int task)>;
  using Serve = std::function<void(const std::vector<Request>&)>;

  /// Runs body(0) to body(tasks - 1), each in its own thread. Whenever all that have not ended wait in `ask`,
  /// calls serve here, once for each operation asked for, with its requests in the order of the tasks: which
  /// requests meet does not depend on how fast the threads run.
  /// @throws what serve has thrown, or else the body of the first task that did
  void run(int tasks, const Body& body, const Serve& serve);
  /// Called by a body: returns when the request has been served. @throws an exception of no interest if serve
  /// has thrown: the body is to end
  void ask(const Request& request);

 private:
  std::exception_ptr serve_all(const Serve& serve, std::vector<Request> requests) const;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Request> waiting_;
  int live_ = 0;
  int round_ = 0;
  bool has_failed_ = false;
};

}  // namespace curlew::linalg
