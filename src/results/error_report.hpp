// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// [accuracy] of a config, and the report of errors of results: errors.csv, `errors` in summary.json, a table,
// and a warning or a failed run where an error is above the tolerance. Without a tolerance an error bar above
// `worth_a_word` gives a warning.

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "io/config.hpp"
#include "run/carried.hpp"
#include "run/optional_part.hpp"

namespace curlew::results {

/// Limits of a bar's measure: above the first the run warns if no tolerance is set; above the second the mesh
/// does not resolve the quantity, and the size of its bar means little.
inline constexpr double worth_a_word = 0.05, unresolved = 0.3;

enum class Estimate { automatic, off, one, all };

struct AccuracyRequest {
  Estimate estimate = Estimate::automatic;
  std::optional<double> tolerance{};  ///< of |S|, else relative
  bool strict = false;                ///< an error above the tolerance ends the run with status 1
};
/// @throws InputError with file and line
AccuracyRequest read_accuracy(const io::Config& config);

/// One quantity and its bar.
struct ErrorBar {
  double frequency;      ///< [Hz]
  std::string quantity;  ///< "S21", "mode 1 frequency"
  std::string unit;      ///< of value, error and elements
  double value, error;
  double elements;                 ///< the error without that of flat facets
  double measure;                  ///< measure compared with the tolerance: |error| of S, else relative
  std::string shown, shown_error;  ///< on the screen, with units
  std::vector<std::pair<std::string, double>> summary;  ///< members of the entry in `errors`
  std::string source{};                                 ///< port or wave; empty: all of them
  bool is_spread = false;                               ///< interpolated from estimates at other frequencies
  bool is_resolved() const { return measure <= unresolved; }
  /// Remark in its row: "not resolved", "from other frequencies", both or nothing.
  std::string remark() const;
};

/// The error of an amplitude in decibels: 20 log10(1 + error/amplitude), at most 999.
double decibel_error(double amplitude, double error);

/// Cost of an estimate.
struct EstimateCost {
  long unknowns = 0;                          ///< of its largest system
  double price = 0;                           ///< in units of one solution of the run
  double solutions = 1;                       ///< number of solutions of the run
  std::function<run::OptionalPart()> memory;  ///< called if the estimate is wanted
  long small = 30000;  ///< below this number of unknowns it is cheap: half a second for a direct solution; of
                       ///< all solutions together if another estimate exists
  bool has_cheaper = false;  ///< another estimate exists if this one costs too much
};

/// Advice for more accurate results of problems that [refinement] supports; the second {} becomes ", or
/// [refinement]", if the mesh is of one geometry and without passes.
inline constexpr const char* with_refinement = "take smaller cells ({}) or a higher space.order{}";

class ErrorReport final : public run::Carried {
 public:
  /// @param way_out advice in the message about an error above the tolerance; {} in it becomes
  ///        run::source_of_sizes
  ErrorReport(AccuracyRequest request, run::Run& run,
              std::string way_out = "take smaller cells ({}) or a higher space.order")
      : request_(request), run_(run), way_out_(std::move(way_out)) {}
  /// Prints frequencies in Hz, for acoustics.
  void show_hertz() { shows_hertz_ = true; }
  bool is_off() const { return request_.estimate == Estimate::off; }
  /// Whether the program chooses the kind of estimate.
  bool is_free() const { return request_.estimate == Estimate::automatic; }
  /// Whether the config sets neither an estimate nor a tolerance.
  bool is_automatic() const { return request_.estimate == Estimate::automatic && !request_.tolerance; }
  /// Whether all frequencies are requested, not one.
  bool all_frequencies() const { return request_.estimate == Estimate::all; }
  bool one_frequency() const { return request_.estimate == Estimate::one; }
  /// Whether the estimate is requested or cheap enough, and fits into memory; prints the reason if not. Call
  /// it after the run's stages are planned and before they begin, also in dry runs.
  bool is_wanted(const EstimateCost& cost);
  /// Runs an estimate. If it fails, the run continues and reports why. Interruptions are passed on.
  void attempt(const std::function<void()>& estimate);
  /// Whether attempt_at estimates at frequency `number`, from 0: at all frequencies, or only the middle one.
  bool is_checked(std::size_t number, std::size_t frequencies) const {
    return checks(frequencies) == frequencies || number == (frequencies - 1) / 2;
  }
  /// attempt() at frequency `number` if it is checked.
  void attempt_at(std::size_t number, std::size_t frequencies, const std::function<void()>& estimate);
  /// Number of frequencies at which attempt_at estimates.
  std::size_t checks(std::size_t frequencies) const { return all_frequencies() ? frequencies : 1; }
  /// Adds a bar. A bar that is not finite (the impedance at S = 1) only gives a warning, so that other
  /// results are not lost.
  void add(ErrorBar bar);
  /// Bars of frequencies solved in copies of the process.
  std::string take() override;
  void put(const std::string& taken) override;
  /// Writes and prints the bars and compares them with the tolerance. @param how description of the estimate,
  /// such as "orders 2 and 3"
  void close(const std::string& how);
  /// The same after attempt_at.
  void close(const std::string& how, std::size_t frequencies) {
    close(how + (checks(frequencies) < frequencies ? ", at the middle frequency" : ""));
  }

 private:
  bool is_worth(const EstimateCost& cost);
  std::string shown_frequency(double frequency) const;
  void compare_with_tolerance();
  std::string above(const ErrorBar& worst, const std::string& limit) const;
  void complain(const std::string& text);

  AccuracyRequest request_;
  run::Run& run_;
  std::string way_out_;
  bool shows_hertz_ = false;
  std::vector<ErrorBar> bars_;
};

}  // namespace curlew::results
