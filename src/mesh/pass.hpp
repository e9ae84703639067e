// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// What an adaptive pass finds on a mesh: the results that are to converge, their estimated errors, and which
// elements cause them. Solvers fill it (fem/adaptive, ie/surface), job/pass_loop.hpp compares passes, and the
// next mesh follows from the errors (refined_sizes.hpp).

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/types.hpp"

namespace curlew::mesh {

/// What passes make accurate.
enum class Target { scattering, impedance, frequency, rcs, gain, pressure };

struct Pass {
  struct Quantity {
    std::string name;  ///< "S21 10 GHz"
    Complex value;
    std::optional<double> estimate;  ///< of its error, in the measure of the tolerance
    double least = 0;                ///< smaller magnitudes count as this in relative changes and errors
    /// Value plus the change by basis functions up to order 3; for the rest only the magnitude is estimated.
    std::optional<Complex> extrapolated{};
    /// Changes and errors are relative to this if the value is smaller. Of S 0: they are absolute.
    double scale = 0;
    double of_shape = 0;   ///< part of the estimate, from the shape of the mesh
    bool is_late = false;  ///< only in passes whose other results have converged
  };
  long unknowns = 0;
  std::size_t bytes = 0;           ///< of its factors on the host, as the solver estimates; 0: not known
  std::optional<long> elements{};  ///< number of cells solved on, if the mesh's cells were subdivided
  std::vector<Quantity> quantities{};
  std::vector<double> errors{};  ///< [cells or triangles, at least] contributions to the error
  std::vector<int> parts{};      ///< [cells] number of parts that each was subdivided into; empty: one
  /// [cells, at least] orders of the elements, and magnitudes of the field's parts of orders 2 and 3; empty:
  /// orders do not change.
  std::vector<std::int8_t> orders{};
  std::vector<double> second{}, third{};
  std::vector<char> at_sharp_edge{};  ///< [cells, at least] at a sharp edge of a conductor; or empty
  /// [cells, at least] part of the errors from the shape of the mesh, which higher orders do not reduce;
  /// empty: none
  std::vector<double> of_shape{};
};

}  // namespace curlew::mesh
