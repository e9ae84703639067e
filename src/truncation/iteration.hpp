// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// b = F(b), F affine: the condition on S from the radiated field of S'. Solved by fixed-point iteration, as
// Badia et al. (2020), IEEE Access 8, doi 10.1109/ACCESS.2020.2993103 do, and by GMRES on (I - L) b = F(0), L
// the linear part. Several right-hand sides share one search space, since L is the same: the fields of a body
// have few degrees of freedom, so that many waves need fewer iterations each. Source of GMRES: Saad and
// Schultz (1986), SIAM J. Sci. Stat. Comput. 7.

#include <functional>
#include <string>
#include <vector>

#include "base/types.hpp"

namespace curlew::truncation {

enum class Acceleration { none, gmres };

struct IterationOptions {
  Acceleration acceleration = Acceleration::gmres;
  double tolerance =
      1e-4;  ///< of ||F(b) - b|| / ||F(b)||, the paper's incremental error; GMRES: of the result
  int max_iterations = 50;  ///< evaluations of F
};

/// F on columns.
class InterfaceMap {
 public:
  virtual ~InterfaceMap() = default;
  virtual std::size_t size() const = 0;
  virtual Index count() const = 0;
  /// F(0) [size, count] if known without an evaluation, else empty.
  virtual std::vector<Complex> constant() const { return {}; }
  /// @param b, image [size, count], column-major
  virtual void apply(const std::vector<Complex>& b, std::vector<Complex>& image) = 0;
  /// image = L b, of any number of columns. May append columns to both: further vectors and their images.
  /// @param share largest contribution of the image to the result: its relative error may be 1/share times
  /// that of the result
  virtual void apply_linear(std::vector<Complex>& b, double share, std::vector<Complex>& image) = 0;
};

struct IterationReport {
  bool converged = false;
  int iterations = 0;           ///< evaluations of F or L, without the last one for the true residual
  std::vector<double> history;  ///< largest relative error of a column after each iteration
  double true_residual = 0;     ///< ||F(b) - b|| / ||F(b)|| of the result, the largest of a column
};

/// Called after each iteration with the number of iterations and the error; an exception ends the iteration.
/// `current` computes the current iterate.
using IterationObserver =
    std::function<void(int iterations, double error, const std::function<std::vector<Complex>()>& current)>;

/// @param[in,out] b [size, count] start, then result; the last call of map.apply was with the result
/// @throws NumericalError if the errors grow without bound
IterationReport iterate(InterfaceMap& map, std::vector<Complex>& b, const IterationOptions& options,
                        const IterationObserver& observer = {});

}  // namespace curlew::truncation
