// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Limits of double precision at low frequencies. In ∫ (∇×W)·(∇×E)/μ - k² ∫ W·εE the gradients, the part of E
// that carries charge (voltages, capacitances), are determined by the second term only, to which the first
// adds its rounding errors. The residual does not show this. In a cell with matrices K and M that round-off
// changes the gradients' equation by ε_machine λ / |k|² of itself at most, λ the largest eigenvalue of (K,
// M). With J the cell's map from a regular tetrahedron of edge 1, of singular values s1 >= s2 >= s3, the
// Piola maps give λ <= λ_regular(order) s1² / (s2 s3)². split_system.hpp has no such bound. Source: Zhu and
// Jiao (2010), IEEE Trans. Microw. Theory Techn. 58(9), the low-frequency breakdown.

#include <string>
#include <vector>

#include "fem/model/model.hpp"

namespace curlew::fem {

/// Largest ∫|∇×W|² / ∫|W|² of the functions of an order on a regular tetrahedron of edge 1 [1/m²].
double largest_curl_ratio(int order);

class ChargeRounding {
 public:
  ChargeRounding(const mesh::Mesh& mesh, const Model& model);

  /// The bound at a frequency [Hz], the largest of all materials.
  double share(const Model& model, double frequency) const;
  /// Checks the lowest frequency: warns from 1e-3 on. @param why reason why the split system cannot be used,
  /// "ports of several media"
  /// @throws InputError above 1e-2: it names the lowest frequency that the mesh allows
  void require(const Model& model, double lowest, const std::string& why) const;

 private:
  std::vector<double> curl_ratio_;  ///< [materials] largest λ of the cells [1/m²]
};

/// Above this relative rounding error the split system is used.
constexpr double split_from_share = 1e-5;

/// A frequency at which S equals its limit at 0 Hz: the extent of the mesh is 1e-9 / 2π wavelengths, and
/// every medium and wall of loss is a resistance: skin depths exceed the extent, relaxation effects have
/// vanished. The difference from the limit is odd in frequency and imaginary in S; the error of the real part
/// is its square.
/// @throws InputError where a material or wall has no limit: dispersion, a metal of infinite depth
double static_frequency(const mesh::Mesh& mesh, const Model& model);

}  // namespace curlew::fem
