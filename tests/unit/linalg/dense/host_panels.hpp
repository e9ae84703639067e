// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The machine of a panel factorisation in plain host memory: LAPACK, and copies at the last moment.

#include <cmath>
#include <deque>
#include <stdexcept>
#include <vector>

#include "linalg/dense/lapack.hpp"
#include "linalg/dense/matrix.hpp"
#include "linalg/dense/panel_machine.hpp"
#include "linalg/dense/panel_plan.hpp"

namespace curlew::linalg {

/// The arithmetic of panels by LAPACK.
class HostArithmetic : public virtual PanelArithmetic {
 public:
  explicit HostArithmetic(Offset n) : n_(n) {}

  int factor(PanelView p, int* pivots) override {
    const int m = int(p.rows), n = int(p.columns), stride = int(p.stride);
    int info = 0;
    zgetrf_(&m, &n, p.data, &stride, pivots, &info);
    return info;
  }
  void keep_moves(const std::vector<RowMove>& moves) override { moves_.push_back(moves); }
  void move_rows(PanelView x, int panel, bool back) override {
    const auto& moves = moves_.at(std::size_t(panel));
    std::vector<Complex> kept(moves.size());
    for (Offset j = 0; j < x.columns; ++j) {
      Complex* column = x.data + j * x.stride;
      for (std::size_t i = 0; i < moves.size(); ++i) kept[i] = column[back ? moves[i].to : moves[i].from];
      for (std::size_t i = 0; i < moves.size(); ++i) column[back ? moves[i].from : moves[i].to] = kept[i];
    }
  }
  /// Substitution, an equation at a time.
  void solve_triangle(Triangle triangle, bool adjoint, PanelView t, PanelView x) override {
    const Offset n = t.rows;
    const auto at = [&](Offset i, Offset j) {
      return adjoint ? std::conj(t.data[j + i * t.stride]) : t.data[i + j * t.stride];
    };
    const bool downwards = (triangle == Triangle::unit_lower) != adjoint;
    for (Offset c = 0; c < x.columns; ++c) {
      Complex* v = x.data + c * x.stride;
      for (Offset step = 0; step < n; ++step) {
        const Offset i = downwards ? step : n - 1 - step;
        for (Offset j = downwards ? 0 : i + 1; j < (downwards ? i : n); ++j) v[i] -= at(i, j) * v[j];
        if (triangle == Triangle::upper) v[i] /= at(i, i);
      }
    }
  }
  void subtract_product(bool adjoint, PanelView a, PanelView b, PanelView c) override {
    const int m = int(c.rows), n = int(c.columns), k = int(b.rows);
    const int lda = int(a.stride), ldb = int(b.stride), ldc = int(c.stride);
    const Complex minus = -1, one = 1;
    zgemm_(adjoint ? "C" : "N", "N", &m, &n, &k, &minus, a.data, &lda, b.data, &ldb, &one, c.data, &ldc);
  }

  double norm1(PanelView a) override {
    double largest = 0;
    for (Offset j = 0; j < a.columns; ++j) {
      double sum = 0;
      for (Offset i = 0; i < a.rows; ++i) sum += std::abs(a.data[i + j * a.stride]);
      largest = std::isfinite(sum) ? std::max(largest, sum) : sum;
    }
    return largest;
  }
  PanelView load_right_sides(const Complex* b, int count) override {
    right_.assign(b, b + n_ * count);
    return {right_.data(), n_, count, n_};
  }
  void fetch_right_sides(PanelView x, Complex* b) override { std::copy_n(x.data, x.rows * x.columns, b); }

 private:
  Offset n_;
  std::vector<std::vector<RowMove>> moves_;
  std::vector<Complex> right_;
};

/// Its "host memory" holds the last columns of the matrix, or all if panels are not formed.
/// It refuses calls that a machine with few buffers could not execute.
class HostPanels final : public HostArithmetic, public PanelMachine {
 public:
  explicit HostPanels(DenseMatrix& stored, PanelLayout layout = {}, FormColumns form = {})
      : HostArithmetic(stored.rows()),
        stored_columns_(stored),
        resident_(resident_columns(stored.rows(), layout)),
        form_(std::move(form)) {}

  void expect(std::vector<Transfer> order) override {
    if (!order_.empty() || !panels_.empty() || !strips_.empty())
      throw std::logic_error("the order before is not used up");
    order_.assign(order.begin(), order.end());
  }
  PanelView take() override {
    const Transfer t = order_.at(0);
    order_.pop_front();
    const bool stays = t.kind == TransferKind::panel && t.first < resident_;
    auto& places = stays ? kept_ : places_of(t.kind);
    if (!stays && int(places.size()) == (t.kind == TransferKind::panel ? panel_slots : strip_slots))
      throw std::logic_error("no place is free");
    // The panel to the left of the last one may not be stored yet: only stored ones may be read.
    const bool is_formed = t.formed_again || (form_ && t.kind == TransferKind::panel);
    if (t.kind == TransferKind::strip && !is_formed && (t.first < resident_ || t.first + t.width > stored_))
      throw std::logic_error("a strip that is not stored");
    const Offset rows = t.bottom - t.top;
    auto& place = places.emplace_back(std::size_t(rows * t.width));
    if (is_formed)
      form_(t.first, t.width, place.data());
    else
      read(t, place.data());
    return {place.data(), rows, t.width, rows};
  }
  void drop(TransferKind kind) override { places_of(kind).pop_front(); }
  void store(PanelView panel, Offset first) override {
    if (first != std::max(stored_, resident_)) throw std::logic_error("panels are stored from the left");
    for (Offset j = 0; j < panel.columns; ++j)
      std::copy_n(panel.data + j * panel.stride, panel.rows, column(first + j));
    stored_ = first + panel.columns;
    bytes_stored += std::size_t(panel.rows * panel.columns) * sizeof(Complex);
  }
  void finish_stores() override {}

  std::size_t bytes_read = 0, bytes_stored = 0;

 private:
  using Places = std::deque<std::vector<Complex>>;
  Places& places_of(TransferKind kind) { return kind == TransferKind::panel ? panels_ : strips_; }

  Complex* column(Offset j) {
    return stored_columns_.column(j - (stored_columns_.rows() - stored_columns_.cols()));
  }
  void read(const Transfer& t, Complex* to) {
    const Offset rows = t.bottom - t.top;
    for (Offset j = 0; j < t.width; ++j) std::copy_n(column(t.first + j) + t.top, rows, to + j * rows);
    bytes_read += std::size_t(rows * t.width) * sizeof(Complex);
  }

  DenseMatrix& stored_columns_;
  Offset resident_;
  FormColumns form_;
  std::deque<Transfer> order_;
  Places panels_, strips_, kept_;
  Offset stored_ = 0;
};

}  // namespace curlew::linalg
