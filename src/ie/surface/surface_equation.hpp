// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A surface system as an IntegralEquation for solvers.

#include "ie/operator/integral_equation.hpp"
#include "ie/surface/near_series.hpp"
#include "ie/surface/system.hpp"

namespace curlew::ie {

class SurfaceEquation final : public IntegralEquation {
 public:
  /// @param system, near (or null) stored by reference @param loads of ports: port_loads
  explicit SurfaceEquation(const System& system, std::vector<Entry> loads = {},
                           const NearSeries* near = nullptr)
      : system_(system), loads_(std::move(loads)), near_(near) {}
  Index size() const override { return system_.num_unknowns(); }
  linalg::DenseMatrix full_matrix() const override;
  double entry_cost() const override;
  bool can_share_rows() const override { return true; }
  std::unique_ptr<HostFill> fill(ngim::Share share, Stages& set_up) const override;
  std::unique_ptr<DeviceFill> device_fill(ngim::Share share, Stages& set_up) const override;
  Preconditioning preconditioning(Preconditioner kind, Device device) const override;
  std::size_t making_bytes(Device device) const override;
  std::size_t device_bytes() const override;

 private:
  /// [functions] of a share, by the middles of their edges.
  std::vector<char> functions_of(ngim::Share share) const;

  const System& system_;
  std::vector<Entry> loads_;
  const NearSeries* near_;
};

}  // namespace curlew::ie
