// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// x_iᵀ A x_j of fixed solutions as a function of the constants in A, from which derivatives are computed.
//
// In each region Σ μ⁻¹:∫ curl E_i ⊗ curl E_j - k0² ε:∫ E_i ⊗ E_j, on surfaces Σ γ ∫ E_i·E_j. The integrals
// are computed once, with the rules of the assembly, so that derivatives are those of the discrete problem to
// rounding errors.

#include <Eigen/Core>
#include <array>
#include <functional>
#include <optional>
#include <vector>

#include "fem/assembly.hpp"
#include "fem/fields.hpp"
#include "fem/mat3.hpp"
#include "fem/model/model.hpp"

namespace curlew::fem {

struct FacePart;

/// Whether permittivity and permeability are the same numbers.
bool are_equal(const Material& a, const Material& b);

class SolvedForm {
 public:
  /// @param assembler outlives the form; its space is that of the solutions
  /// @param x [num_dofs, columns]
  SolvedForm(const Assembler& assembler, Eigen::MatrixXcd x);

  struct State {
    const Model& model;
    Complex frequency;  ///< [Hz]
  };
  /// [columns, columns] x_iᵀ (A(to) - A(from)) x_j without ports. The models differ only in values. @throws
  /// InputError if constants in a perfectly matched layer change
  Eigen::MatrixXcd difference(const State& from, const State& to) const;
  /// x_iᵀ B x_j of the matrix B that `add` fills.
  Eigen::MatrixXcd of_surface(const std::function<void(linalg::Csr<Complex>&)>& add) const;

  /// x_iᵀ (A(to) - A(from)) x_j without ports, for meshes with the same cells and moved nodes, and the same
  /// unknowns: a reference for tests of shape_derivative.hpp. @throws InputError if cells of a perfectly
  /// matched layer move. @param weights [columns, columns] 0: this entry is not asked for; null: all are
  Eigen::MatrixXcd difference(const State& state, const mesh::Mesh& from, const mesh::Mesh& to,
                              const Eigen::MatrixXd* weights = nullptr) const;
  /// Contributions of the cells to Σ_ij weights_ij times it, without surfaces [num_cells].
  /// @param weights [columns, columns]
  std::vector<Complex> differences_of_cells(const State& state, const mesh::Mesh& from, const mesh::Mesh& to,
                                            const Eigen::MatrixXd& weights) const;

  const Eigen::MatrixXcd& x() const { return x_; }

 private:
  using Pairs = std::vector<std::array<std::size_t, 2>>;  ///< of columns
  /// ∫ E_i ⊗ E_j and ∫ curl E_i ⊗ curl E_j over some cells, of pairs [i, j].
  struct Moments {
    std::vector<Mat3<Complex>> field, curl;
  };
  Moments moments_of(const NedelecSpace& space, const std::vector<Index>& cells, const Pairs& pairs) const;
  /// Adds the contribution of a cell. @param e, curl [points, columns] work space
  void add_moments(const FieldEvaluator& evaluator, const std::vector<double>& weights,
                   const NedelecSpace& space, Index cell, const Pairs& pairs, std::vector<Vec3<Complex>>& e,
                   std::vector<Vec3<Complex>>& curl, Moments& sums) const;
  /// Sums over the cells of a material, computed once.
  const Moments& moments(const CellMaterials& materials, std::size_t material) const;

  const Assembler& assembler_;
  Eigen::MatrixXcd x_;
  mutable std::vector<std::optional<Moments>> moments_;
  /// [columns, columns] of a group of faces with admittance 1.
  struct FaceIntegrals {
    Eigen::MatrixXcd self, transfer;
  };
  FaceIntegrals face_integrals(const FacePart& part) const;
  mutable std::vector<std::optional<FaceIntegrals>> faces_;
};

}  // namespace curlew::fem
