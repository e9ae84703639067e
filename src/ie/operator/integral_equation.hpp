// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Interface of an integral equation for solvers: its matrix, its corrected operator on host or device, and
// preconditioners from the near part. Implemented by surfaces, sheets and volumes.

#include "base/timer.hpp"
#include "ie/operator/basis_change.hpp"
#include "ie/operator/operator_fill.hpp"
#include "linalg/dense/matrix.hpp"
#include "ngim/share.hpp"

namespace curlew::ie {

/// none; the diagonal; sparse factors of the near part; hierarchical loops and stars (surface/loop_star.hpp),
/// which are stable at low frequency and on fine meshes; charges (mixed_potential/charge_preconditioner.hpp).
enum class Preconditioner { none, jacobi, near, loop_star, charges };
const char* name_of(Preconditioner kind);

struct Preconditioning {
  linalg::Csr<Complex> near;  ///< matrix to be factorised (jacobi: its diagonal); no rows: none
  BasisTransform basis;       ///< x = B z, or empty
  std::unique_ptr<linalg::LinearOperator<Complex>> host;            ///< or the finished preconditioner
  std::unique_ptr<linalg::DeviceOperator<complex<double>>> device;  ///< on the requested side
};

class IntegralEquation {
 public:
  virtual ~IntegralEquation() = default;
  virtual Index size() const = 0;
  /// @throws ResourceError if it does not fit
  virtual linalg::DenseMatrix full_matrix() const = 0;
  /// Time of an entry of that matrix, relative to those of equations whose integrals are over two elements.
  virtual double entry_cost() const { return 1; }
  /// True if the operator can be limited to a share of the rows.
  virtual bool can_share_rows() const { return false; }
  /// Data of the operator; rows of other shares are zero. @param set_up receives the seconds of its stages
  /// @throws ResourceError if memory does not suffice
  virtual std::unique_ptr<HostFill> fill(ngim::Share share, Stages& set_up) const = 0;
  /// For builds with CUDA, on the current device.
  virtual std::unique_ptr<DeviceFill> device_fill(ngim::Share share, Stages& set_up) const = 0;
  /// @param device that computes the entries @throws InputError for a kind that does not suit the equation
  virtual Preconditioning preconditioning(Preconditioner kind, Device device) const = 0;
  /// Bytes on the host during the set-up of an operator, and those of an operator on the device.
  virtual std::size_t making_bytes(Device device) const = 0;
  virtual std::size_t device_bytes() const = 0;
};

}  // namespace curlew::ie
