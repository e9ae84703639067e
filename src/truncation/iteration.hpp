// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// b = F(b), F affine: the condition on S that the radiated field of S' returns. By fixed point, as Badia et
// al. (2020), IEEE Access 8, doi 10.1109/ACCESS.2020.2993103 do, and by GMRES on (I - L) b = F(0), L the
// linear part. Several right-hand sides go together and search one space that all of them span: L is the
// same, and the fields of a body have few degrees of freedom, so that many waves need fewer iterations than
// one. Source of GMRES: Saad and Schultz (1986), SIAM J. Sci. Stat. Comput. 7.

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
  /// F(0) [size, count] where it is known without an evaluation, else empty.
  virtual std::vector<Complex> constant() const { return {}; }
  /// @param b, image [size, count], column-major
  virtual void apply(const std::vector<Complex>& b, std::vector<Complex>& image) = 0;
  /// image = L b, of any number of columns. May add columns to both: what L makes of others that came with
  /// those asked.
  /// @param share how much of the image, at most, goes into the result: its relative error may be 1/share
  ///        times that of the result
  virtual void apply_linear(std::vector<Complex>& b, double share, std::vector<Complex>& image) = 0;
};

struct IterationReport {
  bool converged = false;
  int iterations = 0;           ///< evaluations of F or L, without the last that gives the true residual
  std::vector<double> history;  ///< largest relative error of a column after each iteration
  double true_residual = 0;     ///< ||F(b) - b|| / ||F(b)|| of the result, the largest of a column
};

/// Called after each iteration with the number of iterations and the error; what it throws ends the
/// iteration. `current` makes the iterate at this point.
using IterationObserver =
    std::function<void(int iterations, double error, const std::function<std::vector<Complex>()>& current)>;

/// @param[in,out] b [size, count] start, then result; the last call of map.apply was with the result
/// @throws NumericalError if the errors grow without bound
IterationReport iterate(InterfaceMap& map, std::vector<Complex>& b, const IterationOptions& options,
                        const IterationObserver& observer = {});

}  // namespace curlew::truncation
