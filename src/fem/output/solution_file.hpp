// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// solution.h5: the unknowns and all data needed to evaluate fields later without solving again.

#include <string>
#include <vector>

#include "base/types.hpp"
#include "fem/lagrange/lagrange_space.hpp"
#include "fem/space.hpp"
#include "io/hdf5.hpp"

namespace curlew::fem {

/// Datasets: x [unknowns, columns], frequency [columns], excitation (names, one line per column), and the
/// mesh in the group `mesh` in the format of mesh.h5; attributes order and format_version. Of a Lagrange
/// space x is the pressure at its nodes, and `points` [nodes, 3] are their positions.
class SolutionFile {
 public:
  SolutionFile(const std::string& path, const NedelecSpace& space, const mesh::Mesh& mesh,
               const io::Provenance& provenance);
  SolutionFile(const std::string& path, const LagrangeSpace& space, const io::Provenance& provenance);
  /// @param frequency [Hz]; excitation name of this column's source; x [unknowns]
  void add(double frequency, const std::string& excitation, const Complex* x);
  void close();

 private:
  io::H5File file_;
  std::size_t num_unknowns_;
  io::About about_x_;
  std::vector<double> frequencies_;
  std::string excitations_;
  std::vector<Complex> x_;  // [columns, unknowns]
};

/// The solution of a system that came from a file, without a mesh: x [num_dofs, columns] only.
/// @param x column-major
void write_solution_columns(const std::string& path, const std::vector<Complex>& x, Index columns,
                            const io::Provenance& provenance);

}  // namespace curlew::fem
