// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A barrier at which tasks, each in its own thread, wait until the requests of all are done in one batch: the
// right-hand sides of a system run their own Krylov loops and share the products with the matrix.

#include <condition_variable>
#include <functional>
#include <mutex>
#include <vector>

namespace curlew::linalg {

class BatchBarrier {
 public:
  /// Request of a task: an operation and its operands.
  struct Request {
    int task = 0;
    int operation = 0;
    const void* from = nullptr;
    void* to = nullptr;
  };
  using Body = std::function<void(int task)>;
  using Serve = std::function<void(const std::vector<Request>&)>;

  /// Runs body(0) to body(tasks - 1), each in its own thread. When all unfinished tasks wait in `ask`, calls
  /// serve once for each requested operation, with its requests in the order of the tasks, so that batches do
  /// not depend on timing. @throws the exception of serve, or else of the first task that threw
  void run(int tasks, const Body& body, const Serve& serve);
  /// Called by a body: returns when the request has been served. @throws an exception that ends the body if
  /// serve has thrown
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
