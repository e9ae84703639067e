// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Variables between 0 and 1 that keep numbers within limits: the worst excess is minimised by linear models
// in a trust region, with few evaluations.

#include <functional>
#include <optional>
#include <vector>

#include "optimize/model_step.hpp"

namespace curlew::optimize {

/// The function that is minimised. An evaluation may take hours of a solver.
struct Evaluations {
  /// Values at a point, with the derivatives that the evaluation gives; others are 0 and not `exact`. Empty
  /// if a point has no values (an impossible geometry).
  std::function<std::optional<Response>(const std::vector<double>& x)> evaluate;
  /// Fills the derivatives that are not exact, by num_variables further evaluations.
  std::function<void(const std::vector<double>& x, Response& response)> differentiate;
};

struct SearchOptions {
  int max_evaluations = 30;   ///< including those for derivatives
  double first_step = 0.25;   ///< of each variable, at most
  double least_step = 1e-3;   ///< the search ends at shorter steps than this
  bool ends_when_met = true;  ///< else it continues until nothing improves
};

enum class SearchEnd { met, no_better, max_evaluations };

struct SearchResult {
  std::vector<double> x;  ///< the best point
  Response response;      ///< at the best point
  double worst = 0;       ///< worst excess at the best point
  int evaluations = 0;
  SearchEnd end = SearchEnd::met;
};

/// Madsen's method (K. Madsen, "Minimax solution of non-linear equations without calculating derivatives",
/// Math. Programming Study 3 (1975) 110), with derivatives where there are some: the best step of the linear
/// model in a box; the box grows or shrinks with the accuracy of the predicted worst excess. Derivatives by
/// differences are taken once, then follow by Broyden's formula (C. G. Broyden, Math. Comp. 19 (1965) 577),
/// and are taken again where a step fails.
/// @param start [num_variables] in [0, 1]
/// @throws NumericalError if the start has no values
SearchResult search(const Evaluations& evaluations, const std::vector<Limit>& limits,
                    std::vector<double> start, const SearchOptions& options);

}  // namespace curlew::optimize
