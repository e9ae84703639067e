// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/dense/panel_transfers.hpp"

#include <omp.h>

#include <algorithm>

#include "base/copy_rows.hpp"
#include "base/threads.hpp"

namespace curlew::linalg {
namespace {

constexpr std::size_t piece_bytes = std::size_t(32) << 20;
constexpr int pieces_up = 4, pieces_down = 2;

}  // namespace

PanelTransfers::PanelTransfers(DenseMatrix& a, PanelWidths widths, cudaStream_t compute)
    : a_(a),
      compute_(compute),
      piece_entries_(std::max(std::size_t(a.rows()), piece_bytes / sizeof(Value))),
      feed_threads_(std::max(1, num_threads() / 2)),
      store_threads_(std::max(1, num_threads() / 4)) {
  const auto rows = std::size_t(a.rows());
  const auto panel = std::size_t(std::min(widths.panel, a.rows())),
             strip = std::size_t(std::min(widths.strip, a.rows()));
  for (int i = 0; i < panel_slots; ++i) panels_.all.emplace_back(rows * panel);
  for (int i = 0; i < strip_slots; ++i) strips_.all.emplace_back(rows * strip);
  for (int i = 0; i < pieces_up; ++i) sent_.emplace_back(piece_entries_);
  for (int i = 0; i < pieces_down; ++i) fetched_.emplace_back(piece_entries_);
}

PanelTransfers::~PanelTransfers() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  changed_.notify_all();
  if (feeder_.joinable()) feeder_.join();
  if (storer_.joinable()) storer_.join();
  cudaStreamSynchronize(up_.get());
  cudaStreamSynchronize(down_.get());
}

/// What goes wrong in a thread is thrown by the caller's next wait.
template <class F>
void PanelTransfers::guarded(F&& work) {
  try {
    work();
  } catch (...) {
    const std::lock_guard lock(mutex_);
    if (!error_) error_ = std::current_exception();
    stop_ = true;
  }
  changed_.notify_all();
}

void PanelTransfers::rethrow() {
  const std::lock_guard lock(mutex_);
  if (error_) std::rethrow_exception(error_);
}

Offset PanelTransfers::columns_of_piece(Offset rows) const {
  return std::max<Offset>(1, Offset(piece_entries_) / rows);
}

void PanelTransfers::expect(std::vector<Transfer> order) {
  if (feeder_.joinable()) feeder_.join();
  rethrow();
  order_ = std::move(order);
  num_sent_ = num_taken_ = 0;
  feeder_ = std::thread([this] { guarded([&] { feed(); }); });
}

/// A place is free when what it held was dropped and, if it was a panel, stored; strips are read from what is
/// stored. @pre mutex_ is held
bool PanelTransfers::may_fill(const Transfer& t) {
  const Places& p = places(t.kind);
  const long slots = long(p.all.size());
  if (p.filled - p.dropped >= slots) return false;
  return t.kind == TransferKind::panel ? p.filled - panels_stored_ < slots
                                       : columns_stored_ >= t.first + t.width;
}

void PanelTransfers::feed() {
  omp_set_num_threads(feed_threads_);  // of this thread's loops only
  for (const Transfer& t : order_) {
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [&] { return stop_ || may_fill(t); });
    }
    Places& p = places(t.kind);
    Place& place = p.at(p.filled);
    place.unused.before(up_.get());
    send(t, place);
    if (stop_) return;
    place.arrived.after(up_.get());
    {
      const std::lock_guard lock(mutex_);
      ++p.filled, ++num_sent_;
    }
    changed_.notify_all();
  }
}

void PanelTransfers::send(const Transfer& t, Place& place) {
  const Offset rows = t.bottom - t.top, most = columns_of_piece(rows);
  const auto column = std::size_t(rows) * sizeof(Value), stride = std::size_t(a_.rows()) * sizeof(Value);
  for (Offset c = 0; c < t.width && !stop_; c += most) {
    const auto count = std::size_t(std::min(most, t.width - c));
    Piece& piece = sent_[next_piece_++ % sent_.size()];
    piece.done.wait();
    copy_rows(piece.memory.data(), column, a_.column(t.first + c) + t.top, stride, column, count);
    CURLEW_CUDA_CALL(cudaMemcpyAsync(place.memory.data() + c * rows, piece.memory.data(), count * column,
                                     cudaMemcpyHostToDevice, up_.get()));
    piece.done.after(up_.get());
  }
}

PanelView PanelTransfers::take() {
  {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return stop_ || num_sent_ > num_taken_; });
  }
  rethrow();
  const Transfer& t = order_.at(num_taken_++);
  Places& p = places(t.kind);
  Place& place = p.at(p.taken++);
  place.arrived.before(compute_);
  const Offset rows = t.bottom - t.top;
  return {reinterpret_cast<Complex*>(place.memory.data()), rows, t.width, rows};
}

void PanelTransfers::drop(TransferKind kind) {
  Places& p = places(kind);
  p.at(p.dropped).unused.after(compute_);
  {
    const std::lock_guard lock(mutex_);
    ++p.dropped;
  }
  changed_.notify_all();
}

void PanelTransfers::store(PanelView panel, Offset first) {
  finish_stores();
  factored_.after(compute_);
  factored_.before(down_.get());
  storer_ = std::thread([this, panel, first] { guarded([&] { fetch(panel, first); }); });
}

void PanelTransfers::finish_stores() {
  if (storer_.joinable()) storer_.join();
  rethrow();
}

void PanelTransfers::fetch(PanelView panel, Offset first) {
  omp_set_num_threads(store_threads_);
  const Offset rows = panel.rows, most = columns_of_piece(rows);
  const auto column = std::size_t(rows) * sizeof(Value);
  const auto count_at = [&](Offset c) { return std::size_t(std::min(most, panel.columns - c)); };
  const auto unpack = [&](Offset c) {
    Piece& piece = fetched_[std::size_t(c / most) % fetched_.size()];
    piece.done.wait();
    copy_rows(a_.column(first + c), column, piece.memory.data(), column, column, count_at(c));
  };
  for (Offset c = 0; c < panel.columns && !stop_; c += most) {
    Piece& piece = fetched_[std::size_t(c / most) % fetched_.size()];
    CURLEW_CUDA_CALL(cudaMemcpyAsync(piece.memory.data(), panel.data + c * panel.stride, count_at(c) * column,
                                     cudaMemcpyDeviceToHost, down_.get()));
    piece.done.after(down_.get());
    if (c > 0) unpack(c - most);
  }
  if (stop_) return;
  unpack((panel.columns - 1) / most * most);
  const std::lock_guard lock(mutex_);
  ++panels_stored_;
  columns_stored_ = first + panel.columns;
}

}  // namespace curlew::linalg
