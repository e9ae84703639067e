// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The passes of [refinement], whatever is made finer: when they end, what is kept and written of them.

#include <optional>
#include <string>
#include <vector>

#include "io/hdf5.hpp"
#include "programs/refinement.hpp"

namespace curlew::programs {

/// Unknowns of a pass over those of the one before: all passes together then cost about twice the last one.
inline constexpr double growth = 2;

/// What the table says of a pass, and what the next one is compared with.
struct Row {
  long cells = 0, unknowns = 0;
  std::vector<Pass::Quantity> quantities;
  std::vector<double> changes;  ///< of each quantity, as the tolerance counts; empty in the first pass

  std::optional<double> change() const {
    if (changes.empty()) return std::nullopt;
    return *std::max_element(changes.begin(), changes.end());
  }
  std::optional<double> estimate() const {
    std::optional<double> greatest;
    for (const auto& q : quantities)
      if (q.estimate) greatest = std::max(greatest.value_or(0), *q.estimate);
    return greatest;
  }
};

/// What passes make finer: a mesh, or cells of contours.
class Refined {
 public:
  virtual ~Refined() = default;
  /// There are no passes of an interrupted run.
  virtual void begin() {}
  /// Whether the first pass is as fine as the last one of another run, which has converged: its estimate is
  /// then enough.
  virtual bool is_handed() const { return false; }
  /// Makes what the next pass is solved on, and solves. One that throws leaves what the last pass had.
  /// @param rows of the passes before @returns also the elements
  virtual Pass solve(const std::vector<Row>& rows) = 0;
  /// Chooses what the next pass is made with. @param row of the pass that was solved @param done it was the
  /// last one
  virtual void choose(Pass&, const Row& /*row*/, bool /*done*/) {}
  /// For --resume, beside the rows. @throws InputError if it is not what write() wrote
  virtual void write(io::H5File&) const {}
  virtual void read(const std::string& /*path*/, bool /*done*/) {}
  /// Of all that write() writes.
  virtual std::string checksum() const { return {}; }
};

/// Where passes are kept until the results are in place.
std::string kept_path(const run::Run& run);
void keep(const std::vector<Row>& rows, bool done, const Refined& refined, run::Run& run);

/// Passes until change and estimate are below the tolerance or a ceiling is met, as refine() of meshes has
/// them. @returns those that were done; none where by default the first one cannot be, which is told in a
/// line
std::vector<Row> refine(const Refinement& refinement, Refined& refined, run::Run& run);

}  // namespace curlew::programs
