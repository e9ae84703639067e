// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Interfaces of the machines that factor the panels of a blocked LU: what they compute, and how panels are
// transferred to a machine that does not hold all of them. The matrix is in the host's memory, or is formed
// on the machine,
// panel by panel.

#include <functional>
#include <utility>
#include <vector>

#include "base/types.hpp"

namespace curlew::linalg {

/// Columns in the machine's memory, column-major. Pointers may be the device's.
struct PanelView {
  Complex* data = nullptr;
  Offset rows = 0, columns = 0, stride = 0;

  PanelView block(Offset row, Offset column, Offset num_rows, Offset num_columns) const {
    return {data + row + column * stride, num_rows, num_columns, stride};
  }
};

enum class TransferKind { panel, strip };

/// Columns [first, first + width) of rows [top, bottom), from the host to the machine: panels of the matrix,
/// strips of its factors.
struct Transfer {
  TransferKind kind;
  Offset first, width, top, bottom;
  bool formed_again = false;  ///< a strip of the matrix instead, of all rows, on machines that compute it
};

/// Computes columns [first, first + count), all rows, in the machine's memory; they are complete on return.
using FormColumns = std::function<void(Offset first, Offset count, Complex* to)>;

/// Row `to` gets the values of row `from`.
struct RowMove {
  int to, from;
};

enum class Triangle { unit_lower, upper };

/// What is computed with panels. Calls may return before the work is done; each sees the results of those
/// before it.
class PanelArithmetic {
 public:
  virtual ~PanelArithmetic() = default;

  /// LU with partial pivoting, as LAPACK's getrf. @param[out] pivots [columns] rows from 1
  /// @returns 0, or the number, from 1, of the first pivot that is zero
  virtual int factor(PanelView panel, int* pivots) = 0;
  /// Stores the row moves of a panel, a permutation of these rows; called once per panel from the left.
  virtual void keep_moves(const std::vector<RowMove>& moves) = 0;
  /// @param x whole columns @param back from `to` to `from`
  virtual void move_rows(PanelView x, int panel, bool back) = 0;
  /// x = T^-1 x, or T^-H x if `adjoint`.
  virtual void solve_triangle(Triangle triangle, bool adjoint, PanelView t, PanelView x) = 0;
  /// c -= A b, or A^H b if `adjoint`.
  virtual void subtract_product(bool adjoint, PanelView a, PanelView b, PanelView c) = 0;
  /// ||A||_1 of these columns, not finite if an entry is not.
  virtual double norm1(PanelView a) = 0;

  /// Copies right-hand sides [n, count] to the machine. @pre count is at most right_side_room
  virtual PanelView load_right_sides(const Complex* b, int count) = 0;
  virtual void fetch_right_sides(PanelView x, Complex* b) = 0;
};

/// The same with panels that come and go.
class PanelMachine : public virtual PanelArithmetic {
 public:
  /// All transfers that take() will return, in this order, so that they can be fetched ahead. @pre those of
  /// the previous call are taken and dropped
  virtual void expect(std::vector<Transfer> order) = 0;
  /// The next of them. A strip of columns that was passed to store() holds the stored values. The panels that
  /// the layout keeps on the machine have separate memory there; they are neither dropped nor stored.
  virtual PanelView take() = 0;
  /// The oldest one of the kind is not needed any more.
  virtual void drop(TransferKind kind) = 0;
  /// Copies a panel of whole columns, the next one from the left, to the host.
  virtual void store(PanelView panel, Offset first) = 0;
  /// Waits until all panels are stored.
  virtual void finish_stores() = 0;
};

}  // namespace curlew::linalg
