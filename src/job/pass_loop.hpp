// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The loop over adaptive passes of [refinement] for any kind of discretisation: when it ends, what is saved
// and written.

#include <optional>
#include <string>
#include <vector>

#include "io/hdf5.hpp"
#include "job/refinement.hpp"

namespace curlew::job {

/// Unknowns of a pass over those of the one before: all passes together then cost about twice the last one.
inline constexpr double growth = 2;

/// Interface of the refined object: a mesh, or cells of contours.
class Refined {
 public:
  virtual ~Refined() = default;
  /// Called if no passes of an interrupted run are continued.
  virtual void begin() {}
  /// Whether the first pass uses element sizes of another run that converged: then its error estimate
  /// suffices.
  virtual bool is_handed() const { return false; }
  /// Makes the mesh of the next pass and solves on it. If it throws, the mesh of the last pass stays.
  /// @param rows of the previous passes @returns also the elements
  virtual mesh::Pass solve(const std::vector<Row>& rows) = 0;
  /// Chooses the element sizes of the next pass. @param row of the solved pass
  virtual void choose(mesh::Pass&, const Row& /*row*/) {}
  /// Why further passes are useless; empty if they are not.
  virtual std::string obstacle() const { return {}; }
  /// State for --resume in addition to the rows. @throws InputError if it was not written by write()
  virtual void write(io::H5File&) const {}
  virtual void read(const std::string& /*path*/) {}
  /// Checksum of all data that write() writes.
  virtual std::string checksum() const { return {}; }
};

/// File that keeps the passes until the results are written.
std::string kept_path(const run::Run& run);
void keep(const std::vector<Row>& rows, bool done, const Refined& refined, run::Run& run);

/// Runs passes until change and estimate are below the tolerance or a limit is reached, as refine() of meshes
/// does. @returns the passes done; none, with a message, if passes are a default and the first one is not
/// possible
std::vector<Row> refine(const Refinement& refinement, Refined& refined, run::Run& run);

}  // namespace curlew::job
