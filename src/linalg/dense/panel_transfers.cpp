// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/dense/panel_transfers.hpp"

#include <omp.h>

#include <algorithm>

#include "base/copy_rows.hpp"
#include "base/threads.hpp"

namespace curlew::linalg {

PanelTransfers::PanelTransfers(DenseMatrix& stored, PanelLayout layout, FormColumns form,
                               cudaStream_t compute)
    : stored_(stored),
      layout_(layout),
      form_(std::move(form)),
      compute_(compute),
      piece_entries_(piece_entries(stored.rows())),
      feed_threads_(std::max(1, num_threads() / 2)),
      store_threads_(std::max(1, num_threads() / 4)) {
  const auto rows = std::size_t(stored.rows());
  const auto panel = std::size_t(std::min(layout.panel, stored.rows())),
             strip = std::size_t(std::min(layout.strip, stored.rows()));
  const Offset columns = resident_columns(stored.rows(), layout);
  for (Offset c = 0; c < columns; c += layout.panel)
    resident_.emplace_back(rows * std::size_t(std::min(layout.panel, columns - c)));
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

/// An exception in a thread is rethrown by the caller's next wait.
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

bool PanelTransfers::stays(const Transfer& t) const {
  return t.kind == TransferKind::panel && t.first / layout_.panel < layout_.resident;
}

/// A buffer is free when its content was dropped and, if it was a panel, stored; strips are read from stored
/// panels. @pre mutex_ is held
bool PanelTransfers::may_fill(const Transfer& t) {
  if (stays(t)) return true;
  const Places& p = places(t.kind);
  const long slots = long(p.all.size());
  if (p.filled - p.dropped >= slots) return false;
  return t.kind == TransferKind::panel ? p.filled - panels_stored_ < slots
                                       : t.formed_again || columns_stored_ >= t.first + t.width;
}

void PanelTransfers::feed() {
  omp_set_num_threads(feed_threads_);  // of this thread's loops only
  for (const Transfer& t : order_) {
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [&] { return stop_ || may_fill(t); });
    }
    Places& p = places(t.kind);
    fill(t, stays(t) ? place_of_resident(t) : p.at(p.filled));
    if (stop_) return;
    {
      const std::lock_guard lock(mutex_);
      if (!stays(t)) ++p.filled;
      ++num_sent_;
    }
    changed_.notify_all();
  }
}

void PanelTransfers::fill(const Transfer& t, Place& place) {
  if (t.formed_again || (form_ && t.kind == TransferKind::panel)) {
    place.unused.wait();
    form_(t.first, t.width, reinterpret_cast<Complex*>(place.memory.data()));
  } else {
    place.unused.before(up_.get());
    send(t, place);
  }
  place.arrived.after(up_.get());
}

void PanelTransfers::send(const Transfer& t, Place& place) {
  const Offset rows = t.bottom - t.top, most = columns_of_piece(rows);
  const auto column = std::size_t(rows) * sizeof(Value), stride = std::size_t(stored_.rows()) * sizeof(Value);
  for (Offset c = 0; c < t.width && !stop_; c += most) {
    const auto count = std::size_t(std::min(most, t.width - c));
    Piece& piece = sent_[next_piece_++ % sent_.size()];
    piece.done.wait();
    copy_rows(piece.memory.data(), column, stored_column(t.first + c) + t.top, stride, column, count);
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
  Place& place = stays(t) ? place_of_resident(t) : p.at(p.taken++);
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
    copy_rows(stored_column(first + c), column, piece.memory.data(), column, column, count_at(c));
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
