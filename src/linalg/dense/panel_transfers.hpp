// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Copies panels and strips between ordinary host memory and the device while the device computes. Two threads
// copy through page-locked buffers: locking the whole matrix would take as long as factorising it. Panels may
// be computed on the device instead. For builds with CUDA.

#include <atomic>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "base/complex.hpp"
#include "base/cuda_event.hpp"
#include "base/cuda_pinned.hpp"
#include "base/cuda_stream.hpp"
#include "linalg/dense/matrix.hpp"
#include "linalg/dense/panel_machine.hpp"
#include "linalg/dense/panel_plan.hpp"

namespace curlew::linalg {

/// The transfers of a PanelMachine; see there for its functions.
class PanelTransfers {
 public:
  /// @param stored the last columns of the matrix, all of them unless `form` is given; then at least those of
  /// the panels that do not stay on the device. Panels are read from it and stored in it @param form computes
  /// panels in a separate thread while the device computes; may be empty
  /// @param compute the stream that uses what take() returns
  PanelTransfers(DenseMatrix& stored, PanelLayout layout, FormColumns form, cudaStream_t compute);
  /// Ends transfers in progress.
  ~PanelTransfers();
  PanelTransfers(const PanelTransfers&) = delete;
  PanelTransfers& operator=(const PanelTransfers&) = delete;

  void expect(std::vector<Transfer> order);
  /// The compute stream waits for it. @throws exceptions of the threads
  PanelView take();
  void drop(TransferKind kind);
  void store(PanelView panel, Offset first);
  void finish_stores();

 private:
  using Value = complex<double>;
  struct Place {
    explicit Place(std::size_t entries) : memory(entries) {}
    cuda::Buffer<Value> memory;
    cuda::Event arrived, unused;
  };
  struct Places {
    std::deque<Place> all;
    long filled = 0, taken = 0, dropped = 0;
    Place& at(long number) { return all[std::size_t(number) % all.size()]; }
  };
  struct Piece {
    explicit Piece(std::size_t entries) : memory(entries) {}
    cuda::Pinned<Value> memory;
    cuda::Event done;
  };

  Places& places(TransferKind kind) { return kind == TransferKind::panel ? panels_ : strips_; }
  bool stays(const Transfer& t) const;
  Place& place_of_resident(const Transfer& t) { return resident_[std::size_t(t.first / layout_.panel)]; }
  Complex* stored_column(Offset j) { return stored_.column(j - (stored_.rows() - stored_.cols())); }
  bool may_fill(const Transfer& t);
  void fill(const Transfer& t, Place& place);
  void feed();
  void send(const Transfer& t, Place& place);
  void fetch(PanelView panel, Offset first);
  template <class F>
  void guarded(F&& work);
  void rethrow();
  /// Number of columns with this many rows that fit into a page-locked buffer.
  Offset columns_of_piece(Offset rows) const;

  DenseMatrix& stored_;
  PanelLayout layout_;
  FormColumns form_;
  cudaStream_t compute_;
  cuda::Stream up_, down_;
  Places panels_, strips_;
  std::deque<Place> resident_;  ///< of the panels that stay, from the left
  std::deque<Piece> sent_, fetched_;
  std::size_t piece_entries_, next_piece_ = 0;
  int feed_threads_, store_threads_;
  cuda::Event factored_;
  std::vector<Transfer> order_;
  std::size_t num_taken_ = 0;

  std::mutex mutex_;  ///< of all below, and of the counts of places
  std::condition_variable changed_;
  std::size_t num_sent_ = 0;
  long panels_stored_ = 0;
  Offset columns_stored_ = 0;
  std::exception_ptr error_;
  std::atomic<bool> stop_{false};
  std::thread feeder_, storer_;
};

}  // namespace curlew::linalg
