// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// K - k0² M with the terms of all boundary conditions, on the unknowns left by periodic faces: the common
// part of driven, open, truncated and source-free problems.

#include <array>
#include <functional>
#include <optional>
#include <vector>

#include "base/types.hpp"
#include "fem/assembly.hpp"
#include "fem/conditions/second_order.hpp"
#include "fem/model/model.hpp"
#include "fem/periodic/bloch_reduction.hpp"
#include "fem/space.hpp"
#include "linalg/csr.hpp"

namespace curlew::fem {

/// True if A = Aᵀ: all materials are symmetric and no phase between periodic faces is complex.
bool has_symmetric_matrix(const Model& model);

class SystemMatrix {
 public:
  /// @param space, model outlive the matrix
  /// @throws InputError for periodic faces and absorbing boundaries of order 2 in one model
  /// @param share rows that this process assembles; the others are empty in all matrices. Rows of unknowns
  /// tied by periodic faces may be split among several shares.
  SystemMatrix(const NedelecSpace& space, const Model& model, RowShare share = {});

  const Assembler& assembler() const { return assembler_; }
  /// The reduction by periodic faces; empty without them.
  const std::optional<BlochReduction>& bloch() const { return bloch_; }
  bool is_symmetric() const { return has_symmetric_matrix(model_); }
  const std::array<Index, 4>& block_offsets() const {
    return bloch_ ? bloch_->block_offsets() : space_.block_offsets;
  }
  /// A matrix with the pattern of all terms.
  linalg::Csr<Complex> create() const;
  /// @param frequency [Hz], complex for decaying modes
  /// @param factors of the periodic faces (BlochReduction::factors), empty without
  /// @param more adds further terms to the matrix of the space, if given
  void assemble(Complex frequency, const std::vector<Complex>& factors, linalg::Csr<Complex>& a,
                const std::function<void(linalg::Csr<Complex>&)>& more = {}) const;

 private:
  const NedelecSpace& space_;
  const Model& model_;
  Assembler assembler_;
  DivergenceTerms divergence_;
  std::optional<BlochReduction> bloch_;
  linalg::Csr<Complex> full_;  // pattern before elimination, of periodic cells only
};

}  // namespace curlew::fem
