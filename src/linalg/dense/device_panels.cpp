// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/dense/device_panels.hpp"

#include "base/timer.hpp"
#include "linalg/dense/device_arithmetic.cuh"
#include "linalg/dense/panel_solve.hpp"
#include "linalg/dense/panel_transfers.hpp"

namespace curlew::linalg {
namespace {

/// Transfers run beside the arithmetic.
class DevicePanels final : public DeviceArithmetic, public PanelMachine {
 public:
  /// @param stored, form see PanelTransfers
  DevicePanels(DenseMatrix& stored, PanelLayout layout, int num_rhs, FormColumns form)
      : DeviceArithmetic(stored.rows(), layout, num_rhs),
        transfers_(stored, layout, std::move(form), stream()) {}
  ~DevicePanels() override { cudaStreamSynchronize(stream()); }

  void expect(std::vector<Transfer> order) override { transfers_.expect(std::move(order)); }
  PanelView take() override { return transfers_.take(); }
  void drop(TransferKind kind) override { transfers_.drop(kind); }
  void store(PanelView panel, Offset first) override { transfers_.store(panel, first); }
  void finish_stores() override { transfers_.finish_stores(); }

 private:
  PanelTransfers transfers_;
};

}  // namespace

PanelWorkspace::PanelWorkspace(Offset n) : n_(n) {
  cusolverDnHandle_t solver = nullptr;
  check(cusolverDnCreate(&solver), "create");
  solver_ = solver;
}
PanelWorkspace::~PanelWorkspace() {
  cusolverDnDestroy(static_cast<cusolverDnHandle_t>(solver_));
}
std::size_t PanelWorkspace::operator()(Offset width) const {
  return std::size_t(panel_workspace_length(static_cast<cusolverDnHandle_t>(solver_), n_, width)) * sizeof(Z);
}

LuReport solve_out_of_core(DenseMatrix& a, Complex* b, int num_rhs, PanelLayout layout, bool with_condition) {
  Timer timer;
  DevicePanels machine(a, layout, num_rhs, {});
  const double seconds = timer.seconds();
  auto report = solve_by_panels(machine, a, layout, b, num_rhs, with_condition);
  report.set_up_seconds = seconds;
  return report;
}

LuReport solve_formed(Offset n, const FormColumns& form, Complex* b, int num_rhs, PanelLayout layout,
                      bool with_condition) {
  Timer timer;
  DenseMatrix stored(n, n - resident_columns(n, layout), "the part of the matrix in the host's memory");
  DevicePanels machine(stored, layout, num_rhs, form);
  const double seconds = timer.seconds();
  auto report = solve_formed_by_panels(machine, n, layout, b, num_rhs, with_condition);
  report.set_up_seconds = seconds;
  return report;
}

}  // namespace curlew::linalg
