// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Fields on meshes for ParaView: VTKHDF unstructured grids, one step per frequency or mode on one geometry.
// Source: VTK, "VTKHDF File Format", version 2.0 (ParaView 5.12 and later; single steps from 5.10 with the
// file ending .hdf).

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/types.hpp"
#include "base/vec3.hpp"
#include "io/hdf5.hpp"

namespace curlew::io {

/// VTK's numbers of the cell types used here.
enum class VtkCell : std::uint8_t {
  vertex = 1,
  line = 3,
  triangle = 5,
  quad = 9,
  tetrahedron = 10,
  hexahedron = 12,
  quadratic_edge = 21,
  quadratic_triangle = 22,
  quadratic_tetrahedron = 24,
  lagrange_tetrahedron = 71,
};

/// Points and cells. Quadratic tetrahedra: vertices, then mid-edge nodes 01, 12, 02, 03, 13, 23 (VTK's
/// order).
struct VtkGrid {
  std::vector<Vec3<double>> points;        ///< [m]
  std::vector<std::int64_t> connectivity;  ///< points of all cells
  std::vector<std::int64_t> offsets{0};    ///< [num_cells + 1] first entry of every cell
  std::vector<VtkCell> types;              ///< [num_cells]

  void add_cell(VtkCell type, const std::int64_t* cell_points, int count);
  std::size_t num_cells() const { return types.size(); }
};

/// A regular grid of n[0] x n[1] x n[2] points, origin + i a + j b + k c, first index fastest; hexahedra,
/// quads, lines or vertices, by how many n exceed 1.
VtkGrid regular_grid(Vec3<double> origin, std::array<Vec3<double>, 3> steps, std::array<int, 3> n);

/// Precision of the arrays that vary. Single precision is far more accurate than the fields, and with
/// compression a third of the size; arrays read back for computations are in double precision.
enum class VtkNumbers { double_precision, single_precision };

/// Arrays of one file. Steps are written in sequence; every array that varies must be in every step.
class VtkHdfWriter {
 public:
  VtkHdfWriter(const std::string& path, const VtkGrid& grid, const Provenance& provenance,
               VtkNumbers numbers = VtkNumbers::double_precision);
  ~VtkHdfWriter();
  VtkHdfWriter(const VtkHdfWriter&) = delete;
  VtkHdfWriter& operator=(const VtkHdfWriter&) = delete;

  /// Adds an array that does not vary (material, region); call it before the first step, or without any step.
  /// @param values [points or cells, components]
  void static_point_array(const std::string& name, const std::vector<double>& values, int components,
                          const About& about);
  void static_cell_array(const std::string& name, const std::vector<double>& values, int components,
                         const About& about);
  /// Begins a step; ParaView shows `value` as time: the frequency in Hz or the mode's number. It must
  /// increase, since VTK searches steps by bisection.
  void begin_step(double value);
  void point_array(const std::string& name, const std::vector<double>& values, int components,
                   const About& about);
  void cell_array(const std::string& name, const std::vector<double>& values, int components,
                  const About& about);
  /// NAME_re, NAME_im and, for the magnitude of the phasor, NAME_abs = sqrt(sum |component|^2).
  void point_array(const std::string& name, const std::vector<Complex>& values, int components,
                   const About& about);
  void cell_array(const std::string& name, const std::vector<Complex>& values, int components,
                  const About& about);
  /// @throws InputError if an array is missing in a step; ResourceError if the disk is full
  void close();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace curlew::io
