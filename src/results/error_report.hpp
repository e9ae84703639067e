// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// [accuracy] of a config, and what a run says of the error of its results: errors.csv, `errors` in
// summary.json, a table, and a warning or a failed run where an error is above the tolerance. Without a
// tolerance a bar above `worth_a_word` is a warning: nobody should have to look for it.

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "io/config.hpp"
#include "run/carried.hpp"
#include "run/optional_part.hpp"

namespace curlew::results {

/// Of a bar's measure: above the first the run warns, where no tolerance says otherwise; above the second the
/// mesh does not resolve the quantity, and its bar is no more than a sign of that.
inline constexpr double worth_a_word = 0.05, unresolved = 0.3;

enum class Estimate { automatic, off, one, all };

struct AccuracyRequest {
  Estimate estimate = Estimate::automatic;
  std::optional<double> tolerance{};  ///< of |S|, else relative
  bool strict = false;                ///< what is above the tolerance ends the run with status 1
};
/// @throws InputError with file and line
AccuracyRequest read_accuracy(const io::Config& config);

/// One quantity and its bar.
struct ErrorBar {
  double frequency;      ///< [Hz]
  std::string quantity;  ///< "S21", "mode 1 frequency"
  std::string unit;      ///< of value, error and elements
  double value, error;
  double elements;                 ///< the part of the error that is not the facets'
  double measure;                  ///< what the tolerance bounds: |error| of S, else relative
  std::string shown, shown_error;  ///< on the screen, with units
  std::vector<std::pair<std::string, double>> summary;  ///< members of the entry in `errors`
  std::string source{};                                 ///< port or wave; empty: all of them
  bool is_spread = false;                               ///< from the estimates at other frequencies
  bool is_resolved() const { return measure <= unresolved; }
  /// What stands beside it: "not resolved", "from other frequencies", both or nothing.
  std::string remark() const;
};

/// What an amplitude's error is in decibels: 20 log10(1 + error/amplitude), at most 999.
double decibel_error(double amplitude, double error);

/// What an estimate takes.
struct EstimateCost {
  long unknowns = 0;                          ///< of its largest system
  double price = 0;                           ///< in solutions of the run
  double solutions = 1;                       ///< of the run
  std::function<run::OptionalPart()> memory;  ///< asked if the estimate is wanted
  long small =
      30000;  ///< unknowns below which it is cheap whatever the run costs: half a second, solved directly
  bool has_cheaper = false;  ///< another estimate is made where this one is too dear
};

/// What makes elements more exact, of problems that [refinement] takes.
inline constexpr const char* with_refinement =
    "take smaller cells ({}), a higher space.order or [refinement]";

class ErrorReport final : public run::Carried {
 public:
  /// @param way_out what makes elements more exact, for the message above the tolerance; {} in it becomes
  ///        run::source_of_sizes
  ErrorReport(AccuracyRequest request, run::Run& run,
              std::string way_out = "take smaller cells ({}) or a higher space.order")
      : request_(request), run_(run), way_out_(std::move(way_out)) {}
  /// Sound: frequencies on the screen in Hz.
  void show_hertz() { shows_hertz_ = true; }
  bool is_off() const { return request_.estimate == Estimate::off; }
  /// Whether the program chooses how.
  bool is_free() const { return request_.estimate == Estimate::automatic; }
  /// Whether the config asks for nothing.
  bool is_automatic() const { return request_.estimate == Estimate::automatic && !request_.tolerance; }
  /// Whether all frequencies are asked for, or one.
  bool all_frequencies() const { return request_.estimate == Estimate::all; }
  bool one_frequency() const { return request_.estimate == Estimate::one; }
  /// Whether the estimate is asked for or cheap enough, and its memory is there; says so where not. Asked
  /// once the stages of the run are planned and before they begin, in dry runs too.
  bool is_wanted(const EstimateCost& cost);
  /// Runs an estimate. Where it cannot be made the run continues and says why. Interruptions pass.
  void attempt(const std::function<void()>& estimate);
  /// At one of the frequencies of a run, from 0: at all, or at the middle one alone.
  void attempt_at(std::size_t number, std::size_t frequencies, const std::function<void()>& estimate);
  /// Frequencies at which attempt_at makes it.
  std::size_t checks(std::size_t frequencies) const { return all_frequencies() ? frequencies : 1; }
  /// One that is not finite, as of the impedance where S is 1, is a warning: other results must not be lost.
  void add(ErrorBar bar);
  /// Bars, for frequencies that are solved in copies.
  std::string take() override;
  void put(const std::string& taken) override;
  /// Writes, prints and compares. @param how a line on what was done, such as "orders 2 and 3"
  void close(const std::string& how);
  /// The same behind attempt_at.
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
