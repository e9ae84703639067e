// SPDX-License-Identifier: BSD-3-Clause
#include "fem/driven/driven_problem.hpp"

#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <algorithm>
#include <exception>
#include <utility>

#include "base/constants.hpp"
#include "base/error.hpp"
#include "base/huge_pages.hpp"
#include "base/log.hpp"
#include "fem/driven/coupled_columns.hpp"
#include "fem/ports/port_coupling.hpp"
#include "linalg/dense/tall_products.hpp"

namespace curlew::fem {

using Matrix = Eigen::MatrixXcd;

DrivenProblem::DrivenProblem(const mesh::Mesh& mesh, const mesh::Topology& topology, Model model,
                             DrivenOptions options)
    : MaxwellSystem(mesh, topology, std::move(model), std::move(options)),
      rounding_(mesh, MaxwellSystem::model()) {
  if (ports().empty())
    throw InputError(
        "nothing drives the problem: add a [[port]] or an [excitation], or set analysis.type = \"eigen\"");
}

namespace {

using SparseColumns = Eigen::SparseMatrix<Complex>;

/// Relative change, to the first mode's |c|, of the reference admittances of a closed device at a resonance:
/// the resonance moves, and S changes by this fraction of the effect of modes beyond the absorbed ones.
constexpr double shift_of_reference = 1e-3;

/// Dense columns, followed by those of the sources.
Matrix right_hand_sides(const SparseColumns& columns, const std::vector<Complex>& sources) {
  const Eigen::Index n = columns.rows(), count = columns.cols();
  Matrix b(n, count + Eigen::Index(sources.size()) / n);
  advise_huge_pages(b.data(), std::size_t(b.size()) * sizeof(Complex));
  linalg::each_tall_block(n * count, [&](Eigen::Index first, Eigen::Index entries) {
    std::fill_n(b.data() + first, entries, Complex(0));
  });
  for (Eigen::Index j = 0; j < count; ++j)
    for (SparseColumns::InnerIterator entry(columns, j); entry; ++entry) b(entry.row(), j) = entry.value();
  std::copy(sources.begin(), sources.end(), b.data() + n * count);
  return b;
}

SparseColumns chosen(const SparseColumns& columns, const std::vector<Eigen::Index>& places) {
  SparseColumns part(columns.rows(), Eigen::Index(places.size()));
  for (Eigen::Index i = 0; i < part.cols(); ++i) part.col(i) = columns.col(places[std::size_t(i)]);
  return part;
}

}  // namespace

/// The system includes modal terms and is iterated for every reported mode and every source.
Matrix DrivenProblem::iterate_with_ports(double frequency, const SparseColumns& f,
                                         const std::vector<Complex>& sources, linalg::SystemReport& report) {
  if (!is_prepared_for(frequency)) prepare_with_ports(frequency), prepared_for_ = frequency;
  const Matrix b = right_hand_sides(chosen(f, reported()), sources);
  Matrix x(b.rows(), b.cols());
  report = solve_columns(b.data(), x.data(), Index(x.cols()));
  return x;
}

/// Every column of F is a right-hand side of the sparse system; dense algebra adds the ports.
linalg::Substitution DrivenProblem::try_woodbury(double frequency, const SparseColumns& f,
                                                 const std::vector<Complex>& sources, Matrix& x) {
  if (!is_prepared_for(frequency)) prepare(), prepared_for_ = frequency;
  Matrix y;
  linalg::Substitution found;
  {
    const Matrix b = right_hand_sides(f, sources);
    y.resize(b.rows(), b.cols());
    advise_huge_pages(y.data(), std::size_t(y.size()) * sizeof(Complex));
    touch_pages(y.data(), std::size_t(y.size()) * sizeof(Complex));
    found = substitute(b.data(), y.data(), Index(b.cols()));
  }
  std::vector<Eigen::Index> asked = reported();
  for (Eigen::Index c = f.cols(); c < y.cols(); ++c) asked.push_back(c);
  const Matrix alone = y(Eigen::all, asked);
  y.conservativeResize(Eigen::NoChange, f.cols());
  const Woodbury inverse({f, amplitude_rows(f), coupling_of(port_solutions(frequency))}, std::move(y));
  x = inverse.coupled(alone);
  if (found.is_right) return found;
  const Matrix b = right_hand_sides(chosen(f, reported()), sources);
  const auto of_a = solver().refined_system();
  return solver().refine(coupled_system(of_a, inverse), b.data(), x.data(), Index(x.cols()));
}

/// If single precision is not accurate enough, factors are made in double; near a resonance of the closed
/// device references are changed; for tiny pivots pivoting is turned on.
Matrix DrivenProblem::solve_by_woodbury(double frequency, const SparseColumns& f,
                                        const std::vector<Complex>& sources, linalg::SystemReport& report) {
  Matrix x;
  linalg::Substitution found;
  std::exception_ptr failure;
  const auto succeeds = [&] {
    failure = nullptr;
    try {
      found = try_woodbury(frequency, f, sources, x);
    } catch (const NumericalError&) {  // the matrix is singular
      failure = std::current_exception();
    }
    return !failure && found.is_right;
  };
  const auto succeeds_now = [&] {
    prepared_for_ = 0;
    return succeeds();
  };
  bool is_shifted = false;
  const auto shifts = [&] {
    if (!shift_references(shift_of_reference)) return false;
    log::info(
        "{:.9g} GHz: the device with lossless walls for ports is at a resonance; another reference "
        "admittance is used at this frequency",
        1e-9 * frequency);
    fill_matrix(frequency);
    return is_shifted = true;
  };
  const bool is_solved =
      succeeds() || (solver().info().has_single_precision && solver().require_digits() && succeeds_now()) ||
      (shifts() && succeeds_now()) || (solver().require_digits() && succeeds_now());
  if (is_shifted || !is_solved) prepared_for_ = 0;  // of references that ports forget
  if (!is_solved) {
    if (failure) std::rethrow_exception(failure);
    linalg::refuse_solution(found.refined, solver().tolerance());
  }
  report = found.report;
  return x;
}

DrivenSolution DrivenProblem::solve(double frequency, const std::vector<Complex>& sources) {
  if (sources.empty() && is_split_at(frequency)) return solve_low(frequency);
  if (split_) split_->forget();  // factors of both systems are not needed together
  mode_states(frequency);        // throws for modes that do not propagate
  prepared_for_ = 0;
  fill_matrix(frequency);
  return solve_filled(frequency, sources);
}

std::vector<Complex> DrivenProblem::solve_sources(double frequency, const std::vector<Complex>& sources) {
  return (is_prepared_for(frequency) ? solve_filled(frequency, sources) : solve(frequency, sources)).source_x;
}

DrivenSolution DrivenProblem::solve_filled(double frequency, const std::vector<Complex>& sources) {
  DrivenSolution solution;
  solution.frequency = frequency;
  const std::vector<ModeState> states = mode_states(frequency);
  for (const Eigen::Index i : reported()) solution.modes.push_back(states[std::size_t(i)]);
  const SparseColumns f = load_columns(frequency);
  Matrix x = iterates_with_ports() ? iterate_with_ports(frequency, f, sources, solution.solver)
                                   : solve_by_woodbury(frequency, f, sources, solution.solver);
  // Amplitudes of all modes, in the fields of unit columns of the reported ones and of sources
  const Matrix v = (amplitude_rows(f).transpose() * x).eval().topRows(Eigen::Index(states.size()));
  const auto modes = Eigen::Index(reported().size()), alone = x.cols() - modes;
  const double omega = 2 * pi * frequency;
  solution.scattering = scattering_of_solutions(v.leftCols(modes), states, reported(), omega);
  if (alone > 0) {
    solution.source_waves = outgoing_waves(v.rightCols(alone), states, reported(), omega);
    solution.source_x.assign(x.data() + modes * x.rows(), x.data() + x.size());
    x.conservativeResize(Eigen::NoChange, modes);
  }
  const auto num_reported = Eigen::Index(reported().size()), num_dofs = Eigen::Index(space().num_dofs());
  resize_huge(solution.x, std::size_t(num_dofs * num_reported));
  if (bloch()) {
    const Matrix y = linalg::combine_columns(x, solution.scattering.weights);
    bloch()->prolong(y.data(), Index(num_reported), bloch_factors(frequency), solution.x.data());
  } else {
    linalg::combine_columns(x, solution.scattering.weights,
                            Eigen::Map<Matrix>(solution.x.data(), num_dofs, num_reported));
  }
  return solution;
}

}  // namespace curlew::fem
