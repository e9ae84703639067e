// SPDX-License-Identifier: BSD-3-Clause
// Devices without loss: the sparse matrix is real, that of the device closed at its ports, and S is right
// wherever that device resonates. Against dense elimination of the system with all modes in it, which has no
// such resonances.

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <array>
#include <cmath>
#include <memory>

#include "base/constants.hpp"
#include "base/wavenumber.hpp"
#include "fem/driven/driven_problem.hpp"
#include "fem/ports/port_coupling.hpp"
#include "fem/ports/waveguide_port.hpp"
#include "filled_guide.hpp"

namespace curlew::fem {
namespace {

using Matrix = Eigen::MatrixXcd;

constexpr std::array<int, 3> guide_blocks{4, 2, 4};

/// Order 2, no loss.
Model model_of(int absorbed_modes = WaveguideOptions{}.absorbed_modes) {
  Model model = guide_model(2, 4.0);
  for (PortModel& port : model.ports) port.kind = waveguide_port({.absorbed_modes = absorbed_modes});
  return model;
}

/// Hybrid modes, and waves beyond them.
bool is_floor_with_block(Vec3<double> x) {
  return is_floor(x) || is_block(x);
}

DrivenOptions options_in(linalg::FactorNumbers numbers) {
  DrivenOptions options;
  options.numbers = numbers;
  return options;
}

/// As a sweep requests it near a closed resonance.
struct ShiftedProblem : DrivenProblem {
  using DrivenProblem::DrivenProblem;
  using MaxwellSystem::shift_references;
};

Matrix sparse_system(const DrivenProblem& problem, double frequency) {
  auto a = problem.create_matrix();
  problem.assemble(frequency, a);
  EXPECT_TRUE(linalg::is_real(a));
  Matrix full = Matrix::Zero(a.num_rows, a.num_cols);
  for (Index i = 0; i < a.num_rows; ++i)
    for (Offset k = a.row_offsets[i]; k < a.row_offsets[i + 1]; ++k) full(i, a.columns[k]) = a.values[k];
  return full;
}

Matrix dense_s(const DrivenProblem& problem, double frequency) {
  const Matrix f = problem.load_columns(frequency);
  const auto states = problem.mode_states(frequency);
  const Matrix whole =
      sparse_system(problem, frequency) + f * coupling_of(problem.port_solutions(frequency)) * f.transpose();
  const Matrix x = whole.partialPivLu().solve(f(Eigen::all, problem.reported()));
  const Matrix v = (f.transpose() * x).topRows(Eigen::Index(states.size()));
  return scattering_of_solutions(v, states, problem.reported(), 2 * pi * frequency).s;
}

double difference(const Matrix& a, const Matrix& b) {
  return (a - b).cwiseAbs().maxCoeff();
}

/// [Hz] where K - k² M is singular, the one next to 10 GHz.
double closed_resonance(const DrivenProblem& problem) {
  const double f1 = 8e9, f2 = 11e9, k1 = std::pow(wavenumber(f1), 2), k2 = std::pow(wavenumber(f2), 2);
  const Eigen::MatrixXd a1 = sparse_system(problem, f1).real(), a2 = sparse_system(problem, f2).real();
  const Eigen::MatrixXd mass = (a1 - a2) / (k2 - k1), stiffness = a1 + k1 * mass;
  const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd> modes(stiffness, mass,
                                                                        Eigen::EigenvaluesOnly);
  double nearest = 0;
  for (const double value : modes.eigenvalues()) {
    const double f = std::sqrt(std::max(value, 0.0)) / wavenumber(1.0);
    if (std::abs(f - 10e9) < std::abs(nearest - 10e9)) nearest = f;
  }
  return nearest;
}

TEST(ClosedResonance, RealFactorsGiveTheScatteringOfTheWholeSystem) {
  for (const auto& device : {FilledGuide(guide_blocks, is_block), FilledGuide(guide_blocks, is_floor)}) {
    DrivenProblem problem(device.mesh, device.topology, model_of(), {});
    problem.analyse();
    for (const double f : {8.3e9, 10e9, 11.7e9}) {
      const auto solution = problem.solve(f);
      EXPECT_LT(difference(solution.scattering.s, dense_s(problem, f)), 1e-11) << f;
      EXPECT_LT(solution.solver.residual, 1e-11);
    }
    EXPECT_TRUE(problem.solver_info().library.ends_with(", real"));
  }
}

/// Beside a resonance, from a loss of one digit to that of all digits, S is the same; there another reference
/// may be needed, which changes S by a thousandth of the effect of modes beyond the absorbed ones. In
/// single precision as well, which loses its digits far earlier: then factors in double precision are used.
TEST(ClosedResonance, LeavesNoTraceInASweep) {
  const FilledGuide device(guide_blocks, is_block);
  const DrivenProblem same(device.mesh, device.topology, model_of(), {});  // keeps its references
  const double resonance = closed_resonance(same);
  ASSERT_NEAR(resonance, 10e9, 1.5e9);
  double worst = 0;
  const auto problem_in = [&](linalg::FactorNumbers numbers) {
    auto problem =
        std::make_unique<DrivenProblem>(device.mesh, device.topology, model_of(), options_in(numbers));
    problem->analyse();
    return problem;
  };
  const std::array problems{problem_in(linalg::FactorNumbers::double_precision),
                            problem_in(linalg::FactorNumbers::single_precision)};
  EXPECT_TRUE(problems[1]->solver_info().has_single_precision);
  for (const double side : {-1.0, 1.0})
    for (int digits = 2; digits <= 16; digits += 2) {
      const double f = resonance * (1 + side * std::pow(10.0, -digits));
      const Matrix right = dense_s(same, f);
      for (const auto& problem : problems) {
        const auto solution = problem->solve(f);
        const double error = difference(solution.scattering.s, right);
        EXPECT_LT(error, digits <= 12 ? 1e-9 : 1e-5)
            << "1e-" << digits << " beside it, single: " << (problem == problems[1]);
        EXPECT_LT(std::abs(solution.scattering.s.col(0).norm() - 1), 1e-10) << digits;
        EXPECT_TRUE(solution.solver.residual < 1e-10 || solution.solver.backward_error > 0) << digits;
        worst = std::max(worst, error);
      }
    }
  RecordProperty("worst", std::to_string(worst));
}

/// Away from it single precision suffices for the accuracy of double precision.
TEST(ClosedResonance, SinglePrecisionGivesTheScatteringOfTheWholeSystem) {
  for (const auto& device : {FilledGuide(guide_blocks, is_block), FilledGuide(guide_blocks, is_floor)}) {
    DrivenProblem problem(device.mesh, device.topology, model_of(),
                          options_in(linalg::FactorNumbers::single_precision));
    problem.analyse();
    for (const double f : {8.3e9, 11.7e9}) {
      const auto solution = problem.solve(f);
      EXPECT_LT(difference(solution.scattering.s, dense_s(problem, f)), 1e-10) << f;
      EXPECT_LT(solution.solver.residual, 1e-11);
      EXPECT_TRUE(problem.solver_info().has_single_precision) << f;
    }
  }
}

/// The reference and the part that the modes' terms subtract have the same sign.
TEST(ClosedResonance, ReferencesHardlyChangeTheScattering) {
  for (const auto& device :
       {FilledGuide(guide_blocks, is_block), FilledGuide(guide_blocks, is_floor_with_block)}) {
    ShiftedProblem problem(device.mesh, device.topology, model_of(), {});
    const Matrix s = dense_s(problem, 10e9);
    problem.shift_references(0.1);
    const double change = difference(dense_s(problem, 10e9), s);
    EXPECT_LT(change, 3e-3);
    EXPECT_GT(change, 1e-12) << "is it shifted?";
  }
}

/// Modes that are not absorbed see a magnetic wall.
TEST(ClosedResonance, ReferencesAreNearToManyAbsorbedModes) {
  const FilledGuide device(guide_blocks, is_floor_with_block);
  const auto s = [&](int absorbed_modes) {
    return dense_s(DrivenProblem(device.mesh, device.topology, model_of(absorbed_modes), {}), 10e9);
  };
  EXPECT_LT(difference(s(4), s(40)), 5e-3);  // 9e-3 with their decay as the reference
}

}  // namespace
}  // namespace curlew::fem
