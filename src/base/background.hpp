// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Jobs on a separate thread while the caller continues: results of one frequency are written while the next
// is solved.

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>

namespace curlew {

/// Does jobs one after another, in the order in which they come. Few of them wait, so that what they hold
/// does not fill the memory. Ctrl-C does not stop a job (InterruptHold). The first job that throws is the
/// last one; the caller gets its exception from the next call. The thread begins with the first job.
class Background {
 public:
  /// @param most_waiting jobs beside the one that runs; 0: the caller does them itself, without a thread
  explicit Background(std::size_t most_waiting);
  /// Leaves out the jobs that wait; ends when the running one has.
  ~Background();
  Background(const Background&) = delete;
  Background& operator=(const Background&) = delete;

  /// Waits while too many wait; after Ctrl-C until all are done.
  /// @throws what a job has thrown
  void add(std::function<void()> job);
  /// Waits until all jobs are done. @throws what a job has thrown
  void finish();
  /// Waits until the jobs of all objects are done and ends their threads; the next job starts one again.
  /// Rethrows what a job has thrown.
  static void rest_all();

 private:
  void start();
  void work();
  void end_thread();
  /// @throws what a job has thrown
  void wait_until(const std::function<bool()>& is_so);

  std::size_t most_waiting_;
  std::mutex mutex_;  // of all below
  std::condition_variable changed_;
  std::deque<std::function<void()>> jobs_;
  bool is_running_ = false;  // a job
  bool ends_ = false;
  std::exception_ptr failure_;
  std::thread thread_;
};

}  // namespace curlew
