// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// An integral equation as solvers take it: its matrix, its corrected operator on host or device, and
// preconditioners made of the near part. Surfaces, sheets and volumes fill it.

#include "base/timer.hpp"
#include "ie/operator/basis_change.hpp"
#include "ie/operator/operator_fill.hpp"
#include "linalg/dense/matrix.hpp"
#include "ngim/share.hpp"

namespace curlew::ie {

/// none; the diagonal; sparse factors of the near part; the same in loops and trees, which holds at low
/// frequency; hierarchical loops and stars (surface/loop_star.hpp), which hold on fine meshes too; charges
/// (mixed_potential/charge_preconditioner.hpp).
enum class Preconditioner { none, jacobi, near, loop_tree, loop_star, charges };
const char* name_of(Preconditioner kind);

struct Preconditioning {
  linalg::Csr<Complex> near;  ///< what is factored (jacobi: its diagonal); no rows: nothing
  BasisTransform basis;       ///< x = B z, or empty. `near` is in its terms
  std::unique_ptr<linalg::LinearOperator<Complex>> host;            ///< or the preconditioner itself,
  std::unique_ptr<linalg::DeviceOperator<complex<double>>> device;  ///< on the side that was asked for
};

class IntegralEquation {
 public:
  virtual ~IntegralEquation() = default;
  virtual Index size() const = 0;
  /// @throws ResourceError if it does not fit
  virtual linalg::DenseMatrix full_matrix() const = 0;
  /// True if fills can be of a share of the rows; otherwise they are whole.
  virtual bool can_share_rows() const { return false; }
  /// What the operator is made of; the rows of other shares are zero. @param set_up takes the seconds of its
  /// stages @throws ResourceError if memory does not suffice
  virtual std::unique_ptr<HostFill> fill(ngim::Share share, Stages& set_up) const = 0;
  /// For builds with CUDA, on the current device.
  virtual std::unique_ptr<DeviceFill> device_fill(ngim::Share share, Stages& set_up) const = 0;
  /// @param device where the entries are made @throws InputError for a kind that does not suit the equation
  virtual Preconditioning preconditioning(Preconditioner kind, Device device) const = 0;
  /// Bytes on the host while an operator of host or device is made, and those of one on the device.
  virtual std::size_t making_bytes(Device device) const = 0;
  virtual std::size_t device_bytes() const = 0;
};

}  // namespace curlew::ie
