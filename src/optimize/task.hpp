// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The task of em-optimize: a solver's config, numbers of it that may change, and goals.

#include <optional>
#include <string>
#include <vector>

#include "io/config.hpp"
#include "optimize/limits.hpp"
#include "optimize/search.hpp"

namespace curlew::optimize {

/// A number of the solver's config.
struct Variable {
  std::string parameter;                                       ///< as [[variable]] names it
  std::string path;                                            ///< as --set takes it
  bool has_derivative;                                         ///< [[sensitivity]] can differentiate by it
  double min, max, start;                                      ///< [unit of the key]
  double spread = 0;                                           ///< standard deviation or half range
  double at(double x) const { return min + x * (max - min); }  ///< @param x from 0 to 1
  double share(double value) const { return (value - min) / (max - min); }
};

/// The scattering result that [[sensitivity]] can differentiate.
inline constexpr const char* backscatter = "backscatter_dbsm";

enum class Quantity { scattering, mode, gain, result };

/// One number that a goal constrains.
struct Sample {
  std::size_t goal;                 ///< from 0
  std::optional<double> frequency;  ///< [Hz]
};

struct Goal {
  std::string name;  ///< "S11"
  Quantity kind = Quantity::result;
  int row = 0, column = 0;            ///< of S; for modes row is the mode number
  std::vector<double> frequencies{};  ///< [Hz]
  double theta = 0, phi = 0;          ///< [degrees]
  std::optional<double> below, above, equal;
  double tolerance = 1e-3, weight = 1;
  std::string place;  ///< "filter_tuning.toml:12: goal 1", for messages
};

/// The unit of a goal's limits: "dB", "dBi", "Hz" or "".
const char* unit_of(const Goal& goal);
/// The value in the units of the goal's limits: S in decibels.
double shown(const Goal& goal, Complex value);

struct ToleranceAnalysis {
  int samples = 0;
  bool is_uniform = false;
};

struct Task {
  std::string program, config;      ///< the solver and its config
  std::vector<std::string> sets{};  ///< --set for it
  std::vector<Variable> variables{};
  std::vector<Goal> goals{};
  std::vector<Sample> samples{};  ///< the values of the search
  std::vector<Limit> limits{};
  SearchOptions search{};
  enum class Derivatives { automatic, solver, differences } derivatives = Derivatives::automatic;
  std::optional<ToleranceAnalysis> analysis{};

  /// Frequencies of all goals [Hz], ascending, each once.
  std::vector<double> frequencies() const;
  bool has(Quantity kind) const;
};

/// Reads and checks the whole config.
/// @throws InputError with file and line
Task read_task(const io::Config& config);

}  // namespace curlew::optimize
