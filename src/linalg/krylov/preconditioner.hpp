// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Interface of preconditioners: kinds by name, and preconditioners made for a system, in the memory in which
// it is solved.

#include <future>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "curlew/build.hpp"
#include "linalg/csr.hpp"
#include "linalg/krylov/cell_matrices.hpp"
#include "linalg/krylov/coarse_solver.hpp"
#include "linalg/krylov/iterative_options.hpp"
#include "linalg/krylov/low_rank.hpp"
#include "linalg/krylov/solver_memory.hpp"

namespace curlew::linalg {

/// The system A + U V that a preconditioner is made for.
struct PreconditionedSystem {
  const Csr<Complex>& a;  ///< stored by reference
  const LowRank& term;    ///< on the lowest level only, if there are levels
  /// First unknowns of the levels, by which the unknowns are sorted, and the end; without levels those of the
  /// orders.
  std::vector<Index> levels;
  bool is_symmetric = false;            ///< A, to rounding
  const CellMatrices* cells = nullptr;  ///< that A was summed from, where they are known and unsorted
  const LowerOrder* lower = nullptr;    ///< of A, where it is known: instead of levels
  LastCoarse* last = nullptr;           ///< of an earlier system with the same options, and of this one then
};

/// The product with A, made at the same time as a preconditioner that may use it.
template <class M>
using ComingProduct = std::shared_future<const typename M::Operator*>;

/// z = M r in the memory M. Its constructor may begin work in the background, which finish waits for.
template <class M>
class Preconditioner {
 public:
  virtual ~Preconditioner() = default;
  /// Call it before the first use. @throws errors of factorisation or memory
  virtual const typename M::Operator& finish(IterativeInfo& info) = 0;
  /// Not exactly linear, as with solutions in single precision: GMRES then stores M v
  /// (KrylovOptions::flexible).
  virtual bool is_inexact() const { return false; }
};

/// A new kind: its class and kind in a separate file, its kind declared in preconditioner_kinds.hpp and
/// listed in preconditioner_kinds.cpp, its word in src/io/schema/solver.cpp.
struct PreconditionerKind {
  template <class M>
  using Make = std::unique_ptr<Preconditioner<M>> (*)(const PreconditionedSystem&, const IterativeOptions&,
                                                      ComingProduct<M>);

  /// Begins the analysis of the lower-order matrix of the next system.
  using Expect = void (*)(Csr<Complex> pattern, const IterativeOptions&, LastCoarse&);

  const char* name;
  bool has_levels = false;  ///< unknowns are sorted by level, and the lowest is factorised
  bool can_spread = false;  ///< usable on several processes (spread_solver.hpp)
  Make<HostMemory> make = nullptr;
  Make<DeviceMemory> make_on_device = nullptr;  ///< builds with CUDA; both null: no preconditioner
  Expect expect = nullptr, expect_on_device = nullptr;
};

template <template <class> class P, class M>
std::unique_ptr<Preconditioner<M>> construct(const PreconditionedSystem& system,
                                             const IterativeOptions& options, ComingProduct<M> product) {
  if constexpr (std::is_constructible_v<P<M>, const PreconditionedSystem&, const IterativeOptions&,
                                        ComingProduct<M>>)
    return std::make_unique<P<M>>(system, options, std::move(product));
  else
    return std::make_unique<P<M>>(system, options);
}
/// Kind of preconditioners P<M> that are constructed from a system, options and, if they use it, the product.
template <template <class> class P>
constexpr PreconditionerKind preconditioner_kind(const char* name) {
  PreconditionerKind kind{.name = name, .make = construct<P, HostMemory>};
#ifdef CURLEW_HAVE_CUDA
  kind.make_on_device = construct<P, DeviceMemory>;
#endif
  return kind;
}

}  // namespace curlew::linalg
