// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Options and report of a Krylov solve.

#include <functional>
#include <string>
#include <vector>

namespace curlew::linalg {

enum class KrylovMethod { bicgstab, bicgstabl, tfqmr, gmres, cocr };
/// "bicgstab", "bicgstabl", ... as in the configs. @throws InputError for another word
KrylovMethod krylov_method_from(const std::string& name);
const char* name_of(KrylovMethod method);
/// bicgstab, bicgstabl and tfqmr: two-sided recurrences, whose residuals need not fall.
bool is_bicg_type(KrylovMethod method);
/// Methods that build on A = A^T, and on M = M^T.
bool needs_symmetry(KrylovMethod method);

/// The shadow vector of TFQMR. For spectra on both sides of zero a random one can keep them near 1 where the
/// first residual lets them grow to 1e7 times b; if they do not grow, a random one costs some more iterations
/// (docs/measured/ie_volume.md has both). A residual on few unknowns, as of a source on one wall, is
/// orthogonal to most later vectors, and the iteration may stall. automatic: random if b is localised, else
/// the residual; another random one if the iteration stalls.
enum class Shadow { automatic, residual, random };
/// "auto", "residual" or "random". @throws InputError for another word
Shadow shadow_from(const std::string& name);

/// Share of the unknowns below which a right-hand side is localised: (sum |b|)^2 / (n sum |b|^2), which is
/// m / n for m equal entries and 0.6 to 1 for a field that extends over all unknowns.
constexpr double localised_share = 0.1;

struct KrylovOptions {
  KrylovMethod method = KrylovMethod::bicgstab;
  double tolerance = 1e-9;            ///< of ||b - A x|| / ||b||; 0 continues until it stagnates
  int max_iterations = 1000;          ///< products per iteration: 1; bicgstab, tfqmr 2; bicgstabl 2 l
  Shadow shadow = Shadow::automatic;  ///< tfqmr
  int ell = 2;                        ///< l of BiCGSTAB(l), 1 to 16
  int restart = 50;                   ///< m of GMRES(m), 1 to 500
  /// gmres: for a preconditioner that is not exactly linear, as with solutions in single precision; without
  /// it the true residual exceeds the recursive one. Twice the vectors.
  bool flexible = false;
  /// gmres: number of recycled search directions (kept_directions_loop.hpp), in place of cycles; 0: none. In
  /// single precision for tolerances of single_directions and above. Two vectors each.
  int kept_directions = 0;
  /// Above 0: recycled directions belong to an inner iteration with low-accuracy products (allow_error),
  /// which preconditions an outer one with products of the least error; this many directions of the outer one
  /// are recycled, too (inner_solve.hpp). `iterations` then counts the inner ones.
  int outer_directions = 0;
  /// gmres: sets the allowed relative error of the following products (relaxation.hpp, inner_solve.hpp). 0:
  /// the least error, also used outside of iterations; infinity: any error of one fixed operator; null:
  /// products have one accuracy. Recycled directions without outer ones use products of the least error.
  std::function<void(double)> allow_error = nullptr;
  bool use_initial_guess = false;  ///< false: starts with x = 0
  bool ends_stalled = true;        ///< all but gmres: end if stalled (state.hpp)
  bool record = true;              ///< GPU: launch iterations as a CUDA graph where the operators allow it
};

/// Least tolerance for which directions in single precision suffice.
constexpr double single_directions = 1e-4;

enum class KrylovStatus {
  converged,
  max_iterations,  ///< not converged within them
  breakdown,       ///< a denominator vanished, also after new starts: A or M may be singular
  stagnated,       ///< restarts from the true residual do not reduce it further
  not_finite       ///< a NaN or an infinity in A, M, b or the iteration
};
const char* name_of(KrylovStatus status);

struct KrylovReport {
  KrylovStatus status = KrylovStatus::converged;
  int iterations = 0;
  int starts = 1;                 ///< 1 + new starts after a breakdown, a false convergence or a GMRES cycle
  double relative_residual = 0;   ///< ||b - A x|| / ||b||, computed from the returned x
  double estimated_residual = 0;  ///< recursive residual of the iteration
  double seconds = 0;             ///< without the allocation of workspace
  std::vector<double> history;    ///< true relative residuals at the starts and at the end
  std::vector<double> residuals;  ///< [iterations] recursive residual after each step
  bool converged() const { return status == KrylovStatus::converged; }
  /// One line: method's outcome, iterations, last true residual and tolerance.
  std::string message(const KrylovOptions& options) const;
};

/// @throws InputError naming the option and its range
void check(const KrylovOptions& options);

}  // namespace curlew::linalg
