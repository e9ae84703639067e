// SPDX-License-Identifier: BSD-3-Clause
#include "optimize/search.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"

namespace curlew::optimize {
namespace {

/// Fractions of the predicted gain: below the first the box shrinks, above the second it may grow.
constexpr double poor = 0.25, good = 0.7;
constexpr double shrink = 0.4, grow = 2, largest_step = 1;
/// A gain below this fraction of the scale is noise.
constexpr double least_gain = 1e-4;

double longest(const std::vector<double>& step) {
  double size = 0;
  for (const double s : step) size = std::max(size, std::abs(s));
  return size;
}

bool is_exact(const Response& response) {
  return std::all_of(response.exact.begin(), response.exact.end(), [](bool e) { return e; });
}

/// Updates approximate derivatives so that they reproduce the values at x + step from those at x.
/// @param from values and derivatives at x @param[out] to receives the derivatives
void follow(const Response& from, const std::vector<Complex>& values, const std::vector<double>& step,
            Response& to) {
  const std::size_t n = step.size();
  double square = 0;
  for (const double s : step) square += s * s;
  const auto foretold = linear_values(from, step);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (to.exact[i]) continue;
    for (std::size_t j = 0; j < n; ++j)
      to.derivatives[i * n + j] = from.derivatives[i * n + j] + (values[i] - foretold[i]) * step[j] / square;
  }
}

class Search {
 public:
  Search(const Evaluations& evaluations, const std::vector<Limit>& limits, std::vector<double> start,
         const SearchOptions& options)
      : evaluations_(evaluations), limits_(limits), options_(options), box_(options.first_step) {
    result_.x = std::move(start);
    auto first = evaluations_.evaluate(result_.x);
    ++result_.evaluations;
    if (!first) throw NumericalError("the run at the start values has no results: change start or range");
    result_.response = std::move(*first);
    result_.worst = worst_excess(limits_, result_.response.values);
  }

  SearchResult run() {
    while (true) {
      if (options_.ends_when_met && result_.worst <= 0) return ended(SearchEnd::met);
      if (!are_derivatives_there_ && !refresh()) return ended(SearchEnd::max_evaluations);
      const auto step = model_step();
      const double foretold = result_.worst - worst_excess(limits_, linear_values(result_.response, step));
      if (box_ < options_.least_step || foretold < least_gain) {
        if (!are_followed_) return ended(result_.worst <= 0 ? SearchEnd::met : SearchEnd::no_better);
        are_derivatives_there_ = false;
        continue;
      }
      if (result_.evaluations >= options_.max_evaluations) return ended(SearchEnd::max_evaluations);
      take(step, foretold);
    }
  }

 private:
  SearchResult ended(SearchEnd end) {
    result_.end = end;
    return std::move(result_);
  }

  /// @return false if too few evaluations are left
  bool refresh() {
    if (!is_exact(result_.response)) {
      const int cost = int(result_.x.size());
      if (result_.evaluations + cost > options_.max_evaluations) return false;
      evaluations_.differentiate(result_.x, result_.response);
      result_.evaluations += cost;
    }
    are_derivatives_there_ = true, are_followed_ = false;
    return true;
  }

  std::vector<double> model_step() const {
    std::vector<double> low, high;
    for (const double x : result_.x) {
      low.push_back(std::max(-box_, -x));
      high.push_back(std::min(box_, 1 - x));
    }
    return best_step(result_.response, limits_, low, high);
  }

  void take(const std::vector<double>& step, double foretold) {
    std::vector<double> x = result_.x;
    for (std::size_t j = 0; j < x.size(); ++j) x[j] = std::clamp(x[j] + step[j], 0.0, 1.0);
    auto there = evaluations_.evaluate(x);
    ++result_.evaluations;
    const double size = longest(step);
    if (!there) {
      box_ = shrink * size;
      return;
    }
    const double worst = worst_excess(limits_, there->values), gain = result_.worst - worst;
    const bool all_exact = is_exact(*there);
    if (gain > 0) {
      follow(result_.response, there->values, step, *there);
      result_.x = std::move(x), result_.response = std::move(*there), result_.worst = worst;
      are_followed_ = !all_exact;
    } else if (are_followed_) {
      are_derivatives_there_ = false;  // perhaps the derivatives were inaccurate, not the box too large
      return;
    }
    if (gain < poor * foretold) box_ = shrink * size;
    if (gain > good * foretold && size > 0.9 * box_) box_ = std::min(grow * box_, largest_step);
  }

  const Evaluations& evaluations_;
  const std::vector<Limit>& limits_;
  const SearchOptions& options_;
  double box_;
  SearchResult result_;
  bool are_derivatives_there_ = false;
  bool are_followed_ = false;  ///< by Broyden's formula since they were taken
};

}  // namespace

SearchResult search(const Evaluations& evaluations, const std::vector<Limit>& limits,
                    std::vector<double> start, const SearchOptions& options) {
  return Search(evaluations, limits, std::move(start), options).run();
}

}  // namespace curlew::optimize
