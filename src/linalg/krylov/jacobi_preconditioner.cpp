// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/krylov/preconditioner_kinds.hpp"

namespace curlew::linalg {
namespace {

template <class M>
class JacobiPreconditioner final : public Preconditioner<M> {
 public:
  JacobiPreconditioner(const PreconditionedSystem& system, const IterativeOptions&)
      : jacobi_(M::jacobi(system.a)) {}
  const typename M::Operator& finish(IterativeInfo&) override { return *jacobi_; }

 private:
  std::unique_ptr<typename M::Operator> jacobi_;
};

}  // namespace

constexpr PreconditionerKind jacobi_kind = preconditioner_kind<JacobiPreconditioner>("jacobi");

}  // namespace curlew::linalg
