// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// [[output.near_field]] of fe-iiee: E and H inside S from the elements, outside from the currents on S' and
// the incident wave; of waves the scattered field too.

#include <optional>

#include "fem/output/near_field.hpp"
#include "fields/radiation.hpp"
#include "io/near_field_files.hpp"
#include "programs/fe_iiee/output.hpp"

namespace curlew::fe_iiee {

class TruncatedNearField {
 public:
  /// @throws InputError for a point inside S beyond a plane of symmetry
  TruncatedNearField(const Setup& setup, const TruncatedProblem& problem, run::Run& run);
  void add(double frequency, const TruncatedProblem& problem, const TruncationResult& result,
           const Drive& drive);
  void close() { files_->close(); }

 private:
  /// Sorts the points by where their field comes from.
  void place(const Setup& setup, const TruncatedProblem& problem);
  /// @param x [num_dofs] total field @param radiated of the currents at the points outside
  /// @param in, out are added to the fields inside and outside
  io::NearFieldValues values(const Complex* x, double frequency, const fields::NearFields& radiated,
                             const fields::Exterior& medium, const fem::IncidentField& in,
                             const fem::IncidentField& out) const;

  std::vector<io::NearFieldOrigin> origins_;   // [points]
  std::vector<std::size_t> inside_, outside_;  // points of elements, of currents
  std::vector<Vec3<double>> inside_points_, outside_points_;
  std::optional<fem::NearFieldEvaluator> elements_;  // at the points inside
  std::optional<io::NearFieldFiles> files_;
};

}  // namespace curlew::fe_iiee
