// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Near fields of surface currents by all pairs: E and curl E at any points off the surface. Equations
// (10)-(13) of Badia et al. (2020), IEEE Access 8, doi 10.1109/ACCESS.2020.2993103; the pair's formula is in
// green/surface_pair.hpp.

#include <memory>
#include <span>
#include <vector>

#include "base/device.hpp"
#include "fields/surface_currents.hpp"

namespace curlew::fields {

/// Fields of `count` right-hand sides at m points.
struct NearFields {
  Index count = 0;
  std::vector<Vec3<Complex>> e;     ///< [count, m] E [V/m]
  std::vector<Vec3<Complex>> curl;  ///< [count, m] curl E [V/m^2]
};

/// H = j curl E / (k eta) [A/m] outside the sources.
Vec3<Complex> magnetic_field(Vec3<Complex> curl_e, const Exterior& exterior);

/// Arithmetic of the pairs on the GPU; the CPU always computes in double.
enum class PairPrecision {
  exact,  ///< double
  mixed,  ///< one right-hand side by matrices and products in single, with distances, phases and the sums of
          ///< 32 products in double; several, which share their matrices, in double
};
/// The error of E and of curl E by `mixed` stays below this share of the largest value.
constexpr double mixed_pair_error = 5e-6;

/// The map from currents to fields, prepared once: points in the layout of the loops, on the device too.
class RadiationOperator {
 public:
  /// @param observers [m] points [m]; one that coincides with a source point gets nothing from it
  /// @throws InputError unless k and the impedance are positive and the coordinates finite; ResourceError if
  ///         memory or the device do not suffice
  RadiationOperator(const SurfacePoints& sources, std::span<const Vec3<double>> observers,
                    const Exterior& exterior, Device device = Device::cpu,
                    PairPrecision precision = PairPrecision::exact);
  ~RadiationOperator();
  RadiationOperator(RadiationOperator&&) noexcept;
  RadiationOperator& operator=(RadiationOperator&&) noexcept;

  Offset num_sources() const;
  Offset num_observers() const;

  /// All right-hand sides together: the pair's matrix is made once for all of them. The result does not
  /// depend on the number of threads.
  /// @param conjugates also those of the currents -J*, M*, after the others; on the CPU they cost no product
  NearFields apply(const SurfaceCurrents& currents, bool conjugates = false) const;
  /// The same into fields that exist, whose memory is kept if it fits: new memory for ten right-hand sides
  /// takes longer to get than the GPU takes to compute them.
  void apply(const SurfaceCurrents& currents, NearFields& fields, bool conjugates = false) const;
  /// Seconds that the device computed in the last apply, without transfers; 0 on the CPU.
  double kernel_seconds() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// RadiationOperator for one use, on the CPU.
NearFields radiate(const SurfacePoints& sources, const SurfaceCurrents& currents,
                   std::span<const Vec3<double>> observers, const Exterior& exterior);

}  // namespace curlew::fields
