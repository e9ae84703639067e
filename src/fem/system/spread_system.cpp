// SPDX-License-Identifier: BSD-3-Clause
// Work of the processes of an MPI run for a distributed system. Process 0 announces frequency and factors of
// port and Robin terms for the assembly, prescribed unknowns, and calls of MUMPS.

#include "fem/system/dirichlet.hpp"
#include "fem/system/maxwell_system.hpp"

namespace curlew::fem {

namespace {

/// The rows at a frequency; admittances of the ports follow.
struct Assemble {
  double frequency;
  Complex gamma;
};
/// Unknowns with prescribed values, whose numbers follow.
struct Impose {
  Index count;
};

}  // namespace

void MaxwellSystem::fill_matrix(double frequency, Complex gamma) {
  auto admittances = references(frequency, PortReference::no_loss);
  if (gamma == 0.0 && add_terms(frequency, admittances)) return;
  if (options_.spread) {
    const ProcessGroup& processes = *options_.direct.processes;
    processes.announce(Assemble{frequency, gamma});
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
    options_.direct.processes->announce(Impose{Index(numbers.size())});
    options_.direct.processes->broadcast(numbers.data(), numbers.size() * sizeof(Index));
  }
  imposed.insert(fix_own(known), matrix_.num_rows, b);
}

/// @returns [known] entries of the diagonal, on process 0 those of all
std::vector<Complex> MaxwellSystem::fix_own(std::span<const Index> known) {
  std::vector<Complex> diagonal = fix_unknowns(known, matrix_);
  if (options_.spread) options_.direct.processes->add_up(diagonal.data(), diagonal.size());
  return diagonal;
}

ProcessGroup::Taken MaxwellSystem::take(const GroupStep& step) {
  const ProcessGroup& processes = *options_.direct.processes;
  if (const auto wanted = step.as<Assemble>()) {
    std::vector<Complex> admittances(ports_.size());
    processes.broadcast(admittances.data(), admittances.size() * sizeof(Complex));
    assemble_own(wanted->frequency, wanted->gamma, admittances);
    return ProcessGroup::Taken::yes;
  }
  if (const auto wanted = step.as<Impose>()) {
    std::vector<Index> known(std::size_t(wanted->count));
    processes.broadcast(known.data(), known.size() * sizeof(Index));
    fix_own(known);
    return ProcessGroup::Taken::yes;
  }
  return solver_->join(step, matrix_) ? ProcessGroup::Taken::yes : ProcessGroup::Taken::no;
}

bool MaxwellSystem::serve() {
  if (is_first(options_.direct.processes)) return false;
  options_.direct.processes->follow(
      [this](const GroupStep& step) { return options_.spread ? take(step) : ProcessGroup::Taken::no; });
  return true;
}

}  // namespace curlew::fem
