// SPDX-License-Identifier: BSD-3-Clause
#include "programs/fem/accuracy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.hpp"

namespace curlew::programs {

AccuracyOptions read_accuracy(const io::Config& config) {
  const io::Config table = config.table("accuracy");
  AccuracyOptions options;
  options.estimate = table.get_or<bool>("estimate", options.estimate);
  options.warn_above = table.positive_or("warn_above", options.warn_above);
  options.strict = table.get_or<bool>("strict", options.strict);
  options.frequencies = table.integer_in_or("frequencies", 1, 100000, options.frequencies);
  options.excitations = table.integer_in_or("excitations", 1, 100000, options.excitations);
  table.require(options.estimate || !options.strict, "strict",
                "strict judges the estimate: it does not go with estimate = false");
  return options;
}

std::vector<std::size_t> spread(std::size_t count, int most) {
  std::vector<std::size_t> places;
  const std::size_t n = std::min(count, std::size_t(most));
  for (std::size_t i = 0; i < n; ++i)
    places.push_back(n == 1 ? count - 1 : (i * (count - 1) + (n - 1) / 2) / (n - 1));
  return places;
}

void Accuracy::attempt(const std::function<void()>& estimate) {
  if (!options_.estimate) return;
  const auto timer = run_.stage("error estimate");
  const auto give_up = [&](const Error& e) {
    if (options_.strict)
      throw NumericalError(fmt::format("accuracy.strict: the error cannot be estimated: {}", e.what()));
    run_.warn(fmt::format("no error estimate: {} (accuracy.estimate = false leaves it out)", e.what()));
  };
  try {
    estimate();
  } catch (const NumericalError& e) {
    give_up(e);
  } catch (const InputError& e) {  // a mesh that folds at the points of another order
    give_up(e);
  } catch (const ResourceError& e) {
    give_up(e);
  }
}

void Accuracy::note(const std::string& what, double relative) {
  if (relative <= largest_) return;
  largest_ = relative;
  widest_ = what;
}

void Accuracy::judge() {
  if (largest_ < 0) return;
  run_.results()["largest_error"] = largest_;
  if (largest_ <= options_.warn_above) return;
  const std::string text = fmt::format(
      "the error of {} is estimated as {:.2g}, above accuracy.warn_above = {:g}: make the mesh finer, "
      "raise [space] order, or mesh curved bodies with [mesh] order = 2",
      widest_, largest_, options_.warn_above);
  if (options_.strict) throw NumericalError(text);
  run_.warn(text);
}

std::string decibel_bar(double bar, double size) {
  if (!(size > 0)) return "-";
  return fmt::format("{:.2g}", 20 * std::log10(1 + bar / size));
}

}  // namespace curlew::programs
