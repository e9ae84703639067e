// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Relative permittivity and permeability, scalar or 3 x 3, constant in a cell. Im < 0 is loss under
// exp(+jwt).

#include <memory>
#include <string>
#include <vector>

#include "base/types.hpp"
#include "fem/mat3.hpp"
#include "fem/open/stretching.hpp"
#include "mesh/mesh.hpp"

namespace curlew::fem {

/// A complex number or tensor that multiplies a field, F = c E.
struct Coefficient {
  bool is_scalar = true;
  Complex scalar = 1.0;
  Mat3<Complex> tensor = Mat3<Complex>::diagonal(1.0);  ///< used if not is_scalar

  Coefficient() = default;
  Coefficient(Complex value) : scalar(value) {}  // NOLINT: a number is a coefficient
  Coefficient(double value) : scalar(value) {}   // NOLINT
  Coefficient(const Mat3<Complex>& value) : is_scalar(false), tensor(value) {}  // NOLINT

  Mat3<Complex> as_tensor() const { return is_scalar ? Mat3<Complex>::diagonal(scalar) : tensor; }
  bool is_real() const;
  bool is_symmetric() const;
  /// @throws InputError if singular
  Coefficient inverse() const;
};

Vec3<Complex> operator*(const Coefficient& c, const Vec3<Complex>& v);

struct Material {
  Coefficient epsilon_r = 1.0;
  Coefficient mu_r = 1.0;
  /// Coordinate stretching in a perfectly matched layer. Null elsewhere.
  std::shared_ptr<const Stretching> stretching{};
};

/// sqrt(eps_r mu_r) by the largest real parts, 0 where no wave propagates. In a conductor the field follows
/// its skin depth, which few meshes resolve or need to.
double refractive_index(const Material& material);

/// Which material fills which cell.
struct CellMaterials {
  std::vector<Material> materials;   ///< at least one
  std::vector<Index> cell_material;  ///< [num_cells] index into materials; empty: all cells have materials[0]

  const Material& of(Index cell) const {
    return materials[cell_material.empty() ? 0 : std::size_t(cell_material[std::size_t(cell)])];
  }
  bool is_stretched() const;  ///< any material is: constants depend on position
  bool is_real() const;       ///< all materials are: matrices can be assembled in real numbers
  bool is_symmetric() const;  ///< all materials are: matrices are complex symmetric (reciprocal media)
};

/// Materials by region: regions[i] (a name among mesh.volumes) is filled with materials[i].
/// @throws InputError for an unknown region, a cell in two regions of different material or in none
CellMaterials materials_by_region(const mesh::Mesh& mesh, const std::vector<std::string>& regions,
                                  const std::vector<Material>& materials);

}  // namespace curlew::fem
