// SPDX-License-Identifier: BSD-3-Clause
#include "results/error_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>
#include <utility>

#include "base/error.hpp"
#include "base/process_group.hpp"
#include "io/csv.hpp"
#include "io/provenance.hpp"
#include "results/cells.hpp"
#include "run/failure.hpp"
#include "run/mesh_input.hpp"
#include "run/run_state.hpp"

namespace curlew::results {
namespace {

constexpr std::size_t most_shown = 12;  // rows on the screen; the file has all

/// Indices of the bars that are shown, in their order.
std::vector<std::size_t> widest(const std::vector<ErrorBar>& bars) {
  std::vector<std::size_t> places(bars.size());
  std::iota(places.begin(), places.end(), 0);
  if (places.size() <= most_shown) return places;
  std::stable_sort(places.begin(), places.end(),
                   [&](std::size_t a, std::size_t b) { return bars[a].measure > bars[b].measure; });
  places.resize(most_shown);
  std::sort(places.begin(), places.end());
  return places;
}

run::Value summary_of(const std::vector<ErrorBar>& bars) {
  std::vector<run::Value> entries;
  const ErrorBar* last = nullptr;
  for (const ErrorBar& bar : bars) {
    if (!last || last->frequency != bar.frequency || last->source != bar.source) {
      entries.push_back({{"frequency_hz", bar.frequency}});
      if (!bar.source.empty()) entries.back()["source"] = bar.source;
    }
    for (const auto& [key, value] : bar.summary) entries.back()[key] = value;
    if (!bar.is_resolved()) entries.back()["not_resolved"].push_back(bar.quantity);
    last = &bar;
  }
  return entries;
}

std::optional<double> given(const ErrorBar& bar, const std::string& key) {
  for (const auto& [name, value] : bar.summary)
    if (name == key) return value;
  return std::nullopt;
}

/// A bar of a gain in decibels, with the parts and the measure of the bar of its field.
ErrorBar gain_bar(const ErrorBar& field, const std::string& name, double decibels, double error) {
  ErrorBar bar = field;
  bar.quantity = name, bar.unit = "dBi", bar.value = decibels, bar.error = error;
  bar.elements = field.error > 0 ? field.elements / field.error * error : error;
  bar.shown = fmt::format("{:.3f} dBi", decibels), bar.shown_error = fmt::format("{:.2g} dB", error);
  return bar;
}

/// Bars in the quantities that the run states: gains for fields, watts for shares of the radiated power.
/// @param radiation rows of the summary, of sound without gains
std::vector<ErrorBar> as_stated(const std::vector<ErrorBar>& bars, const nlohmann::json& radiation) {
  std::vector<ErrorBar> all;
  for (const ErrorBar& bar : bars) {
    const auto row = std::find_if(radiation.begin(), radiation.end(), [&](const auto& r) {
      return r.contains("accepted_w") && r.at("frequency_hz") == bar.frequency &&
             r.at("port") == bar.source && std::isfinite(r.at("accepted_w").template get<double>());
    });
    const auto gain = given(bar, "gain_db_error"), power = given(bar, "radiated_w_relative_error");
    all.push_back(bar);
    if (row == radiation.end()) continue;
    const auto of = [&](const char* key) {
      const auto& number = row->at(key);  // null where it is not finite
      return number.is_number() ? number.template get<double>() : std::nan("");
    };
    if (gain && !std::isfinite(of("gain_dbi"))) continue;
    if (gain) {
      all.back() = gain_bar(bar, "greatest gain", of("gain_dbi"), *gain);
      if (of("accepted_w") == of("incident_w")) continue;  // of currents and dipoles
      const double error = decibel_error(bar.value, bar.error);
      all.push_back(gain_bar(bar, "greatest realized gain", of("realized_gain_dbi"), error));
      all.back().summary = {{"realized_gain_db_error", error}};
    } else if (power) {
      const double watts = of("radiated_w");
      all.back().quantity = "radiated power", all.back().unit = "W", all.back().value = watts;
      all.back().error *= watts, all.back().elements *= watts;
      all.back().shown = fmt::format("{:.4g} W", watts);
    }
  }
  return all;
}

}  // namespace

AccuracyRequest read_accuracy(const io::Config& config) {
  const io::Config table = config.table("accuracy");
  AccuracyRequest request;
  const auto word = table.choice_or("estimate", {"auto", "off", "one", "all"}, "auto");
  request.estimate = word == "off"   ? Estimate::off
                     : word == "one" ? Estimate::one
                     : word == "all" ? Estimate::all
                                     : Estimate::automatic;
  if (table.has("tolerance")) request.tolerance = table.positive("tolerance");
  request.strict = table.get_or("strict", false);
  if (request.strict && !request.tolerance && !config.has("refinement"))
    table.error("strict",
                "strict = true needs tolerance, here or in [refinement], above which the run fails");
  if (request.tolerance && request.estimate == Estimate::off)
    table.error("tolerance",
                "estimate = \"off\" leaves nothing to compare with the tolerance: leave one out");
  return request;
}

std::string ErrorBar::remark() const {
  if (!is_spread) return is_resolved() ? "" : "not resolved";
  return is_resolved() ? "from other frequencies" : "from other frequencies, not resolved";
}

double decibel_error(double amplitude, double error) {
  return std::min(999.0, 20 * std::log10(1 + error / std::max(amplitude, 1e-300)));
}

bool ErrorReport::is_wanted(const EstimateCost& cost) {
  if (is_off() || !is_worth(cost)) return false;
  bool fits = false;
  attempt([&] { fits = run::plan_optional(run_, cost.memory()); });
  return run_.processes() != nullptr ? run_.processes()->decide(fits) : fits;  // free memory may differ
}

bool ErrorReport::is_worth(const EstimateCost& cost) {
  if (!is_automatic()) return true;
  // Price in solutions: orders 1 and 2 of a run of order 3, also with moved facets.
  constexpr double most_beside_cheaper = 0.6;
  if (double(cost.unknowns) * (cost.has_cheaper ? cost.solutions : 1) <= double(cost.small)) return true;
  if (cost.has_cheaper) return cost.price <= most_beside_cheaper;
  if (cost.price <= cost.solutions) return true;
  const auto text = fmt::format(
      "the results have no error bars: an estimate has {} unknowns and costs as much as {:.1f} solutions of "
      "this run, which computes {:g}; [accuracy] estimate = \"one\" makes it, \"off\" removes this warning",
      cost.unknowns, cost.price, cost.solutions);
  run_.dry_run() ? run_.line(text) : run_.warn(text);  // no mistake of the config for em-lint
  return false;
}

void ErrorReport::attempt_at(std::size_t number, std::size_t frequencies,
                             const std::function<void()>& estimate) {
  if (!is_checked(number, frequencies)) return;
  const auto timer = run_.stage("error estimate");
  attempt(estimate);
}

void ErrorReport::attempt(const std::function<void()>& estimate) {
  std::string reason;
  try {
    return estimate();
  } catch (const InputError& e) {
    reason = e.what();
  } catch (const NumericalError& e) {
    reason = e.what();
  } catch (const ResourceError& e) {
    reason = e.what();
  }
  run_.warn("no error estimate: " + reason);
}

void ErrorReport::add(ErrorBar bar) {
  if (std::isfinite(bar.value) && std::isfinite(bar.error) && std::isfinite(bar.elements) &&
      std::isfinite(bar.measure)) {
    bars_.push_back(std::move(bar));
    return;
  }
  run_.warn(fmt::format("{} {}: {} has no error bar: it is zero or infinite", shown_frequency(bar.frequency),
                        shows_hertz_ ? "Hz" : "GHz", bar.quantity));
}

std::string ErrorReport::take() {
  auto list = nlohmann::json::array();
  for (const ErrorBar& b : std::exchange(bars_, {}))
    list.push_back({b.frequency, b.quantity, b.unit, b.value, b.error, b.elements, b.measure, b.shown,
                    b.shown_error, b.summary, b.source, b.is_spread});
  return list.dump();
}

void ErrorReport::put(const std::string& taken) {
  for (const auto& b : nlohmann::json::parse(taken))
    bars_.push_back({b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9], b[10], b[11]});
}

void ErrorReport::close(const std::string& how) {
  if (run_.results().contains("radiation"))
    bars_ = as_stated(bars_, run::as_json(run_.results()["radiation"]));
  if (!bars_.empty()) {
    io::CsvWriter csv(run_.output("errors.csv"), io::provenance_lines(run_.provenance()),
                      {"frequency_hz", "source", "quantity", "unit", "value", "error", "elements_part",
                       "facets_part", "remark"});
    for (const auto& b : bars_)
      csv.row({b.frequency, b.source, b.quantity, b.unit, b.value, b.error, b.elements, b.error - b.elements,
               b.remark()});
    csv.close();
    run_.results()["errors"] = summary_of(bars_);
    run_.table(fmt::format("error estimate, {}", how),
               {shows_hertz_ ? "frequency Hz" : frequency_title, "quantity", "value", "+-"});
    for (const std::size_t i : widest(bars_)) {
      const auto& b = bars_[i];
      run_.row({shown_frequency(b.frequency), b.source.empty() ? b.quantity : b.source + ": " + b.quantity,
                b.shown, b.is_resolved() ? b.shown_error : b.shown_error + ", not resolved"});
    }
    if (bars_.size() > most_shown)
      run_.line(fmt::format("the widest of {} error bars; all: errors.csv", bars_.size()));
  }
  compare_with_tolerance();
}

std::string ErrorReport::shown_frequency(double frequency) const {
  return shows_hertz_ ? fmt::format("{:.4f}", frequency) : in_ghz(frequency);
}

void ErrorReport::complain(const std::string& text) {
  if (request_.strict)
    run::fail_after_writing(run_, text);
  else
    run_.warn(text);
}

void ErrorReport::compare_with_tolerance() {
  if (bars_.empty()) {
    if (request_.tolerance) complain("accuracy.tolerance could not be checked: there is no error estimate");
    return;
  }
  const auto worst = std::max_element(bars_.begin(), bars_.end(),
                                      [](const auto& a, const auto& b) { return a.measure < b.measure; });
  run_.results()["error_max"] = worst->measure;
  if (worst->measure <= request_.tolerance.value_or(worth_a_word)) return;
  if (request_.tolerance)
    complain(above(*worst, fmt::format("accuracy.tolerance = {:g}", *request_.tolerance)));
  else
    run_.warn(above(*worst, fmt::format("{:g}", worth_a_word)));
}

/// One line: value, bar, position, number of others, and cure.
std::string ErrorReport::above(const ErrorBar& worst, const std::string& limit) const {
  const double bound = request_.tolerance.value_or(worth_a_word);
  const auto many =
      std::count_if(bars_.begin(), bars_.end(), [&](const auto& b) { return b.measure > bound; });
  const bool by_facets = worst.elements < 0.5 * worst.error;
  return fmt::format(
      "{:.6g} {}: the estimated error of {}{}, {:.2g}{}, is above {}{}: {}",
      (shows_hertz_ ? 1 : 1e-9) * worst.frequency, shows_hertz_ ? "Hz" : "GHz",
      worst.source.empty() ? "" : worst.source + ", ", worst.quantity, worst.measure,
      worst.is_resolved() ? "" : " (not resolved)", limit,
      many > 1 ? fmt::format(", as are {} of {} results", many, bars_.size()) : "",
      by_facets
          ? "flat facets on curved surfaces cause most of it: take mesh.order = 2, or smaller cells there"
          : fmt::format(fmt::runtime(way_out_), run::source_of_sizes(run_),
                        run::source_of_sizes(run_) == run::keys_of_sizes ? ", or [refinement]" : ""));
}

}  // namespace curlew::results
