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
  mixed,  ///< one right-hand side: matrices and products in single precision, with distances, phases and sums
          ///< of 32 products in double; several, which share matrices: double
};
/// The error of E and of curl E by `mixed`, relative to the largest value, is below this.
constexpr double mixed_pair_error = 5e-6;

/// The map from currents to fields, prepared once: points in the layout of the loops, also on the device.
class RadiationOperator {
 public:
  /// @param observers [m] points [m]; coincident source points contribute nothing
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

  /// All right-hand sides together: the pair's matrix is computed once for all of them. The result does not
  /// depend on the number of threads.
  /// @param conjugates also fields of the currents -J*, M*, after the others; on the CPU without further
  /// products
  NearFields apply(const SurfaceCurrents& currents, bool conjugates = false) const;
  /// The same into existing fields, whose memory is reused if it fits: allocating memory for ten right-hand
  /// sides takes longer than computing them on the GPU.
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
