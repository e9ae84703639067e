// SPDX-License-Identifier: BSD-3-Clause
#include "ie/surface/surface_equation.hpp"

#include "base/error.hpp"
#include "curlew/build.hpp"
#include "ie/surface/dense_fill.hpp"
#include "ie/surface/near_matrix.hpp"
#include "ie/surface/surface_fill.hpp"
#include "ie/surface/surface_preconditioner.hpp"
#ifdef CURLEW_HAVE_CUDA
#include "ie/surface/device_near_matrix.hpp"
#endif

namespace curlew::ie {
namespace {

void require_fast_sums(const System& system) {
  if (system.dual() != nullptr)
    throw InputError("equations with dual testing have no fast sums: their matrix is stored");
}

/// The system tested with RWG functions, close to that with dual ones; it has entries for near pairs.
System with_rwg_tests(const System& system) {
  Problem p = system.problem();
  p.testing = MagneticTesting::rwg;
  return System(std::move(p));
}

}  // namespace

linalg::DenseMatrix SurfaceEquation::full_matrix() const {
  auto a = fill_dense(system_, near_);
  for (const auto& e : loads_) a(e.row, e.column) += e.value;
  return a;
}

std::vector<char> SurfaceEquation::functions_of(ngim::Share share) const {
  if (share.is_all()) return {};
  const auto& mesh = system_.mesh();
  std::vector<Vec3<double>> middles;
  for (const auto& f : system_.space().functions())
    middles.push_back(0.5 * (mesh.nodes[f.a] + mesh.nodes[f.b]));
  return ngim::points_of_share(middles, share);
}

std::unique_ptr<HostFill> SurfaceEquation::fill(ngim::Share share, Stages& set_up) const {
  require_fast_sums(system_);
  const ScopedStage timed(set_up, "near corrections");
  const auto rows = functions_of(share);
  auto sums = make_surface_sums(system_);
  sums.restrict_tests(rows);
  return make_surface_fill(std::move(sums),
                           near_matrix(system_, loads_, NearPairs::medium, NearPart::corrections, rows));
}

std::unique_ptr<DeviceFill> SurfaceEquation::device_fill([[maybe_unused]] ngim::Share share,
                                                         [[maybe_unused]] Stages& set_up) const {
  require_fast_sums(system_);
#ifdef CURLEW_HAVE_CUDA
  const ScopedStage timed(set_up, "near corrections");
  const auto rows = functions_of(share);
  auto sums = make_surface_sums(system_);
  sums.restrict_tests(rows);
  return make_device_surface_fill(
      std::move(sums), device_near_matrix(system_, loads_, NearPairs::medium, NearPart::corrections, rows));
#else
  return nullptr;
#endif
}

Preconditioning SurfaceEquation::preconditioning(Preconditioner kind, Device device) const {
  if (system_.dual() != nullptr) return make_preconditioning(with_rwg_tests(system_), loads_, kind, device);
  return make_preconditioning(system_, loads_, kind, device);
}

double SurfaceEquation::entry_cost() const {
  constexpr double dual =
      8;  // measured: a dual function extends over the parts of all triangles around its edge
  return system_.dual() != nullptr ? dual : 1;
}

std::size_t SurfaceEquation::making_bytes(Device device) const {
  const auto size = estimate_near_matrix(system_, NearPairs::medium);
  // For a device the host makes the pattern: columns by chunks and joined, and the near lists.
  return device == Device::cuda ? 3 * sizeof(Index) * size.entries : size.making_bytes;
}

std::size_t SurfaceEquation::device_bytes() const {
  std::size_t points = 0;
  for (int r = 0; r < int(system_.scene().regions.size()); ++r)
    points += system_.scene().regions[r].triangles.size() * system_.integrals(r).far_rule().weights.size();
  return estimate_near_matrix(system_, NearPairs::medium).bytes() +
         points * (device_currents_per_point + device_sums_per_point);
}

}  // namespace curlew::ie
