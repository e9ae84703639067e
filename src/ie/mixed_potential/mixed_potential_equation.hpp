// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A MixedPotentialSystem as an IntegralEquation for solvers.

#include "ie/mixed_potential/mixed_potential.hpp"
#include "ie/operator/integral_equation.hpp"

namespace curlew::ie {

class MixedPotentialEquation final : public IntegralEquation {
 public:
  /// @param system stored by reference
  explicit MixedPotentialEquation(const MixedPotentialSystem& system, const Integration& integration = {})
      : system_(system), integration_(integration) {}
  Index size() const override { return system_.num_unknowns(); }
  linalg::DenseMatrix full_matrix() const override { return assemble_dense(system_, integration_); }
  std::unique_ptr<HostFill> fill(ngim::Share share, Stages& set_up) const override;
  std::unique_ptr<DeviceFill> device_fill(ngim::Share share, Stages& set_up) const override;
  /// @throws InputError for others than none, jacobi and charges
  Preconditioning preconditioning(Preconditioner kind, Device device) const override;
  std::size_t making_bytes(Device device) const override;
  std::size_t device_bytes() const override;

 private:
  const MixedPotentialSystem& system_;
  Integration integration_;
};

}  // namespace curlew::ie
