// SPDX-License-Identifier: BSD-3-Clause
// Work of the processes of an MPI run for a distributed system. Process 0 announces frequency and factors of
// port and Robin terms for the assembly, prescribed unknowns, and calls of MUMPS.

#include "fem/system/dirichlet.hpp"
#include "fem/system/maxwell_system.hpp"

namespace curlew::fem {

using linalg::GroupStep;
using linalg::MumpsGroup;

void MaxwellSystem::fill_matrix(double frequency, Complex gamma) {
  auto admittances = references(frequency, PortReference::no_loss);
  if (gamma == 0.0 && add_terms(frequency, admittances)) return;
  if (options_.spread) {
    const auto& processes = *linalg::mumps_group().processes;
    linalg::mumps_group().announce({linalg::step_assemble, 0, 0});
    processes.broadcast(&frequency, sizeof frequency);
    processes.broadcast(&gamma, sizeof gamma);
    processes.broadcast(admittances.data(), admittances.size() * sizeof(Complex));
  }
  assemble_own(frequency, gamma, admittances);
}

void MaxwellSystem::assemble_own(double frequency, Complex gamma, const std::vector<Complex>& admittances) {
  sum_stands_ = false;
  solver_->forget();
  assemble(frequency, gamma, admittances, terms_, matrix_);
  keep_own_triangle();
}

void MaxwellSystem::keep_own_triangle() {
  if (solver_->takes_triangle()) linalg::keep_lower_triangle(matrix_);
}

void MaxwellSystem::impose_values(std::span<const Index> known, const Complex* values, Index num_rhs,
                                  Complex* b) {
  if (known.empty()) return;
  const auto shared = solver_->shared(matrix());
  sum_stands_ = false;
  const KnownValues imposed{known, values, num_rhs};
  imposed.subtract(shared, b);
  if (options_.spread) {
    std::vector<Index> numbers(known.begin(), known.end());
    linalg::mumps_group().announce({linalg::step_impose, 0, int(numbers.size())});
    linalg::mumps_group().processes->broadcast(numbers.data(), numbers.size() * sizeof(Index));
  }
  imposed.insert(fix_own(known), matrix_.num_rows, b);
}

/// @returns [known] entries of the diagonal, on process 0 those of all
std::vector<Complex> MaxwellSystem::fix_own(std::span<const Index> known) {
  std::vector<Complex> diagonal = fix_unknowns(known, matrix_);
  if (options_.spread) linalg::mumps_group().processes->add_up(diagonal.data(), diagonal.size());
  return diagonal;
}

MumpsGroup::Taken MaxwellSystem::take(const GroupStep& step) {
  const auto& processes = *linalg::mumps_group().processes;
  if (step.job == linalg::step_assemble) {
    double frequency = 0;
    Complex gamma = 0;
    std::vector<Complex> admittances(ports_.size());
    processes.broadcast(&frequency, sizeof frequency);
    processes.broadcast(&gamma, sizeof gamma);
    processes.broadcast(admittances.data(), admittances.size() * sizeof(Complex));
    assemble_own(frequency, gamma, admittances);
    return MumpsGroup::Taken::yes;
  }
  if (step.job == linalg::step_impose) {
    std::vector<Index> known(std::size_t(step.detail));
    processes.broadcast(known.data(), known.size() * sizeof(Index));
    fix_own(known);
    return MumpsGroup::Taken::yes;
  }
  return solver_->join(step, matrix_) ? MumpsGroup::Taken::yes : MumpsGroup::Taken::no;
}

bool MaxwellSystem::serve() {
  if (linalg::mumps_group().leads()) return false;
  linalg::mumps_group().follow(
      [this](const GroupStep& step) { return options_.spread ? take(step) : MumpsGroup::Taken::no; });
  return true;
}

}  // namespace curlew::fem
