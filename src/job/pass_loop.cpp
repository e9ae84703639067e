// SPDX-License-Identifier: BSD-3-Clause
#include "job/pass_loop.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <sstream>

#include "base/bytes.hpp"
#include "base/error.hpp"
#include "base/log.hpp"
#include "base/threads.hpp"
#include "base/timer.hpp"
#include "io/atomic_file.hpp"
#include "io/csv.hpp"
#include "run/failure.hpp"
#include "run/frequency_sweep.hpp"
#include "run/run_state.hpp"

namespace curlew::job {
namespace {

namespace fs = std::filesystem;

void add(std::vector<Row>& rows, const mesh::Pass& pass, mesh::Target target) {
  Row row{pass.elements.value_or(0), pass.unknowns, pass.quantities, {}};
  if (!rows.empty()) {
    const auto& last = rows.back().quantities;
    const auto number = [](const auto& all) {
      return std::ranges::count(all, false, &mesh::Pass::Quantity::is_late);
    };
    if (number(last) != number(row.quantities))
      throw NumericalError("refinement: this mesh has another number of results than the last one");
    for (std::size_t i = 0; i < std::min(last.size(), row.quantities.size()); ++i) {
      const auto& q = row.quantities[i];
      const bool is_absolute = target == mesh::Target::scattering && q.scale == 0;
      row.changes.push_back(std::abs(q.value - last[i].value) /
                            (is_absolute ? 1 : std::max({std::abs(q.value), q.least, q.scale})));
    }
  }
  rows.push_back(std::move(row));
}

/// Arrays of the passes in refinement.h5.
struct Kept {
  std::vector<std::int64_t> sizes;   ///< cells, unknowns and quantities of each pass (pass, 3)
  std::vector<double> numbers;       ///< (quantity of all passes, numbers_of_quantity)
  std::vector<std::string> names{};  ///< of the quantities of all passes
};
/// Real and imaginary part of the value, its estimated error (-1 for none), both parts of the extrapolated
/// value (the same where there is none), the rounding error, the value to which changes are relative, and
/// whether it is late (1).
constexpr std::size_t numbers_of_quantity = 8;

Kept kept_of(const std::vector<Row>& rows) {
  Kept kept;
  for (const Row& row : rows) {
    kept.sizes.insert(kept.sizes.end(), {row.cells, row.unknowns, long(row.quantities.size())});
    for (const auto& q : row.quantities) {
      const Complex more = q.extrapolated.value_or(q.value);
      kept.numbers.insert(kept.numbers.end(),
                          {q.value.real(), q.value.imag(), q.estimate.value_or(-1), more.real(), more.imag(),
                           q.least, q.scale, double(q.is_late)});
      kept.names.push_back(q.name);
    }
  }
  return kept;
}

mesh::Pass::Quantity quantity_of(const std::string& name, const double* n) {
  const Complex value(n[0], n[1]), more(n[3], n[4]);
  return {name,
          value,
          n[2] < 0 ? std::nullopt : std::optional(n[2]),
          n[5],
          more == value ? std::nullopt : std::optional(more),
          n[6],
          0,
          n[7] != 0};
}

/// Checksum of the data from which the next pass and the changes are computed.
std::string checksum(const Kept& kept, bool done, const Refined& refined) {
  std::string sums = done ? "done" : "open";
  const auto add = [&](const auto& values) {
    const auto* bytes = reinterpret_cast<const char*>(values.data());
    sums += " " + run::hash_text({bytes, values.size() * sizeof(values[0])});
  };
  add(kept.sizes), add(kept.numbers);
  sums += refined.checksum();
  for (const auto& name : kept.names) sums += " " + name;
  return run::hash_text(sums);
}

struct KeptPasses {
  std::vector<Row> rows;
  bool done = false;
};

/// @throws InputError if it is not what keep wrote
std::optional<KeptPasses> read_kept(Refined& refined, run::Run& run, mesh::Target target) {
  const std::string path = kept_path(run);
  const auto file = io::H5File::open(path);
  if (file.string_attribute("inputs") != run::identity_of(run)) return std::nullopt;
  KeptPasses passes{{}, file.number_attribute("done") != 0};
  refined.read(path);
  Kept kept{file.read<std::int64_t>("sizes"), file.read<double>("numbers")};
  std::istringstream lines(file.read_string("names"));
  for (std::string name; std::getline(lines, name);) kept.names.push_back(name);
  std::size_t quantities = 0;
  for (std::size_t p = 2; p < kept.sizes.size(); p += 3) quantities += std::size_t(kept.sizes[p]);
  if (kept.names.empty() || kept.names.size() != quantities ||
      kept.numbers.size() != quantities * numbers_of_quantity ||
      file.string_attribute("checksum") != checksum(kept, passes.done, refined))
    throw InputError(path + ": its values have changed since they were written");
  for (std::size_t p = 0, q = 0; p + 2 < kept.sizes.size(); p += 3) {
    mesh::Pass pass;
    pass.elements = long(kept.sizes[p]), pass.unknowns = long(kept.sizes[p + 1]);
    for (const std::size_t end = q + std::size_t(kept.sizes[p + 2]); q < end; ++q)
      pass.quantities.push_back(quantity_of(kept.names[q], &kept.numbers[q * numbers_of_quantity]));
    add(passes.rows, pass, target);
  }
  log::info("{} passes were done before: {}", passes.rows.size(), path);
  return passes;
}

/// Passes saved by an interrupted run; empty if the file is damaged.
std::optional<KeptPasses> find(Refined& refined, run::Run& run, mesh::Target target) {
  if (!run.resume() || !fs::exists(kept_path(run))) return std::nullopt;
  try {
    return read_kept(refined, run, target);
  } catch (const InputError& e) {
    log::warn("{}: the passes begin again", e.what());
    return std::nullopt;
  }
}

std::string shown(const std::optional<double>& number) {
  return number ? fmt::format("{:.2e}", *number) : "-";
}

/// passes.csv and the table.
void write_passes(const std::vector<Row>& rows, run::Run& run) {
  io::CsvWriter csv(run.output("passes.csv"), io::provenance_lines(run.provenance()),
                    {"pass", "cells", "unknowns", "quantity", "re_value", "im_value", "change",
                     "estimated_error", "re_extrapolated", "im_extrapolated"});
  run.table("adaptive passes",
            {"pass", "cells", "unknowns", rows[0].quantities[0].name, "change", "estimated error"});
  const auto cell = [](const std::optional<double>& number) {
    return number ? io::Cell(*number) : io::Cell("");
  };
  for (std::size_t p = 0; p < rows.size(); ++p) {
    const Row& row = rows[p];
    for (std::size_t i = 0; i < row.quantities.size(); ++i) {
      const auto& q = row.quantities[i];
      csv.row({long(p + 1), row.cells, row.unknowns, q.name, q.value.real(), q.value.imag(),
               cell(i < row.changes.size() ? std::optional(row.changes[i]) : std::nullopt), cell(q.estimate),
               q.extrapolated ? io::Cell(q.extrapolated->real()) : io::Cell(""),
               q.extrapolated ? io::Cell(q.extrapolated->imag()) : io::Cell("")});
    }
    const Complex first = row.quantities[0].value;
    run.row({fmt::format("{}", p + 1), fmt::format("{}", row.cells), fmt::format("{}", row.unknowns),
             first.imag() == 0 ? fmt::format("{:.9g}", first.real())
                               : fmt::format("{:.5f} {:+.5f}j", first.real(), first.imag()),
             shown(row.change()), shown(row.estimate())});
  }
  csv.close();
}

void state_vanishing(const Row& row, run::Run& run) {
  const auto vanishes = [](const auto& q) { return std::abs(q.value) < q.least; };
  const auto& all = row.quantities;
  const auto first = std::find_if(all.begin(), all.end(), vanishes);
  if (first == all.end()) return;
  const auto count = std::count_if(first, all.end(), vanishes);
  run.warn(fmt::format(
      "refinement: {} is {:.1e}, below the rounding error of {:.1e}{}: taken as zero, and no mesh makes it "
      "more accurate",
      first->name, std::abs(first->value), first->least,
      count == 1 ? "" : fmt::format(", as are {} of {} quantities", count, all.size())));
}

bool is_below(const std::optional<double>& number, double tolerance) {
  return number && *number < tolerance;
}

/// True if only orders of elements rose on the previous mesh and its error bars cover the changes: these then
/// confirm that estimate.
bool was_foreseen(const Row& before, const Row& last) {
  if (last.cells != before.cells || last.unknowns <= before.unknowns) return false;
  for (std::size_t i = 0; i < last.changes.size(); ++i)
    if (last.changes[i] > before.quantities[i].estimate.value_or(before.estimate().value_or(0))) return false;
  return true;
}

/// By change and estimate; without an estimate by two changes. @param was_handed Refined::is_handed
bool has_converged(const std::vector<Row>& rows, const Refinement& refinement, bool was_handed) {
  const double tolerance = refinement.tolerance;
  if (rows.size() < 2) return was_handed && is_below(rows.back().estimate(), tolerance);
  if (!was_handed && int(rows.size()) < refinement.least_passes &&
      !is_below(rows.back().estimate(), refinement.sure_share * tolerance))
    return false;
  const Row &last = rows.back(), &before = rows[rows.size() - 2];
  if (!is_below(last.change(), tolerance) && !was_foreseen(before, last)) return false;
  return is_below(last.estimate() ? last.estimate() : before.change(), tolerance);
}

/// The limit that ends the passes before convergence, and how to continue; empty if none.
std::string ceiling(const Refinement& refinement, const std::vector<Row>& rows, std::size_t bytes,
                    double seconds) {
  const double next_bytes = double(bytes) * std::pow(growth, refinement.bytes_power);
  if (int(rows.size()) == refinement.max_passes)
    return fmt::format("raise refinement.max_passes = {}", refinement.max_passes);
  if (double(refinement.max_unknowns) < refinement.least_growth * double(rows.back().unknowns))
    return fmt::format("raise refinement.max_unknowns = {}", refinement.max_unknowns);
  if (std::pow(growth, refinement.seconds_power) * seconds > refinement.time_limit)
    return fmt::format("raise refinement.time_limit = {:g} s", refinement.time_limit);
  if (next_bytes > double(available_memory()))
    return fmt::format("more memory is needed: the next pass takes about {:.2g} GiB, and {:.2g} GiB are free",
                       gib(std::size_t(next_bytes)), gib(available_memory()));
  return {};
}

/// Runs a pass. If passes are a default its errors end them. @param[out] why the error @returns whether it
/// succeeded
bool attempt(const Refinement& refinement, std::string& why, const std::function<void()>& pass) {
  if (!refinement.is_by_default) return pass(), true;
  try {
    pass();
    return true;
  } catch (const Interrupted&) {
    throw;
  } catch (const Error& e) {
    why = e.what();
  }
  return false;
}

/// The same and the summary; warns or fails if the tolerance is not reached. @param cure what continues the
/// passes
void state_passes(const Refinement& refinement, const std::vector<Row>& rows, bool converged,
                  const std::string& cure, run::Run& run) {
  const Row& last = rows.back();
  write_passes(rows, run);
  state_vanishing(last, run);
  run::Value& results = run.results()["refinement"];
  results["passes"] = rows.size();
  results["converged"] = converged;
  if (const auto change = last.change()) results["change"] = *change;
  if (const auto estimate = last.estimate()) results["estimated_error"] = *estimate;
  for (const auto& q : last.quantities)
    if (q.extrapolated)
      results["extrapolated"].push_back(
          run::Value{{"quantity", q.name}, {"value", q.value}, {"with_estimated_change", *q.extrapolated}});
  if (converged) return;
  const auto text =
      fmt::format("refinement: change {} and estimated error {} after {} passes, {} required: {}",
                  shown(last.change()), shown(last.estimate()), rows.size(), refinement.tolerance, cure);
  refinement.strict ? run::fail_after_writing(run, text) : run.warn(text);
}

}  // namespace

std::string kept_path(const run::Run& run) {
  return (fs::path(run.output_path()) / "refinement.h5").string();
}

void keep(const std::vector<Row>& rows, bool done, const Refined& refined, run::Run& run) {
  io::AtomicFile place(kept_path(run));
  auto file = io::H5File::create(place.part());
  const Kept kept = kept_of(rows);
  file.set_attribute("inputs", run::identity_of(run));
  file.set_attribute("done", std::int64_t(done));
  file.set_attribute("checksum", checksum(kept, done, refined));
  refined.write(file);
  file.write("sizes", kept.sizes, {"1", "cells, unknowns and quantities of each pass (pass, 3)"},
             {rows.size(), 3});
  file.write("numbers", kept.numbers,
             {"1",
              "value, estimated error (-1 for none), value with the estimated change, rounding error, "
              "size to which changes are relative, 1 if late (quantity of all passes, 8)"},
             {kept.names.size(), numbers_of_quantity});
  std::string names;
  for (const auto& name : kept.names) names += name + "\n";
  file.write_string("names", names, "names of the quantities, one per line");
  file.close();
  place.commit();
}

std::vector<Row> refine(const Refinement& refinement, Refined& refined, run::Run& run) {
  std::vector<Row> rows;
  bool done = false;
  if (auto kept = find(refined, run, refinement.target)) {
    rows = std::move(kept->rows), done = kept->done;
  } else {
    std::error_code ignored;
    fs::remove(kept_path(run), ignored);
    refined.begin();
  }
  run.state().needless.push_back(kept_path(run));
  std::string why;
  const Timer timer;
  while (!done) {
    mesh::Pass pass;
    if (!attempt(refinement, why, [&] { pass = refined.solve(rows); })) break;
    add(rows, pass, refinement.target);
    const Row& row = rows.back();
    log::info("pass {}: {} cells, {} unknowns, change {}, estimated error {}", rows.size(), row.cells,
              row.unknowns, shown(row.change()), shown(row.estimate()));
    done = has_converged(rows, refinement, refined.is_handed()) || !(why = refined.obstacle()).empty() ||
           !(why = ceiling(refinement, rows, pass.bytes, timer.seconds())).empty();
    refined.choose(pass, row);
    keep(rows, done, refined, run);
  }
  if (rows.empty()) {
    state_one_mesh(why, run, refinement.sizes);
    return rows;
  }
  const bool converged = has_converged(rows, refinement, refined.is_handed());
  if (why.empty()) why = "raise refinement.max_passes, max_unknowns or time_limit";
  state_passes(refinement, rows, converged, why, run);
  // Later messages advise smaller cells to people whose cells the passes chose.
  if (done && (converged || refined.obstacle().empty()))
    run.state().source_of_sizes =
        converged ? fmt::format("lower refinement.tolerance = {:g}", refinement.tolerance) : why;
  return rows;
}

}  // namespace curlew::job
