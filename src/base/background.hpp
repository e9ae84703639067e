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

/// Runs jobs in sequence, in the order of their submission. Few may wait, to limit memory. Ctrl-C does not
/// stop a job (InterruptHold). The first job that throws is the last one; the caller gets its exception from
/// the next call. The thread begins with the first job.
class Background {
 public:
  /// @param most_waiting waiting jobs in addition to the running one; 0: the caller runs jobs itself, without
  /// a thread
  explicit Background(std::size_t most_waiting);
  /// Drops waiting jobs; waits for the running one.
  ~Background();
  Background(const Background&) = delete;
  Background& operator=(const Background&) = delete;

  /// Waits while too many jobs wait; after Ctrl-C until all are done. @throws the exception of a job
  void add(std::function<void()> job);
  /// Waits until all jobs are done. @throws the exception of a job
  void finish();
  /// Waits until the jobs of all objects are done and ends their threads; the next job starts one again.
  /// Rethrows the exception of a job.
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
