// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Error bars of far fields, radiated power and port waves of a truncated problem: fem/error/solved_again.hpp
// with them as quantities. A bar includes the errors of the elements, the shape of the body and the
// truncation.

#include "fem/error/solved_again.hpp"
#include "truncation/truncated_problem.hpp"

namespace curlew::truncation {

/// Input of the second solution. The references must outlive the call.
struct ErrorRequest {
  const mesh::Mesh& mesh;
  const mesh::Topology& topology;
  const fem::Model& model;
  const TruncationOptions& options;
  double frequency;  ///< [Hz]
  std::vector<Excitation> excitations;
  std::vector<std::vector<fields::Direction>> directions;  ///< of each excitation
  bool splits = false;                                     ///< solved by SymmetricParts
};

struct ResultError : fem::PatternError {
  std::vector<double> waves;          ///< [reported modes] bars of outgoing port waves |S|; or empty
  std::vector<double> wave_elements;  ///< [reported modes] the part of each due to the order of the elements
};

/// @param problem, result of the run with these excitations
/// @returns a bar for each excitation @throws as solve()
std::vector<ResultError> result_errors(const ErrorRequest& request, const TruncatedProblem& problem,
                                       const TruncationResult& result);

}  // namespace curlew::truncation
