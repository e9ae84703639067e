// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/krylov/krylov.hpp"

#include <fmt/format.h>

#include "base/threads.hpp"
#include "linalg/krylov/loop.hpp"
#include "linalg/vector/host_backend.hpp"

namespace curlew::linalg {

int krylov_vectors(const KrylovOptions& o) {
  switch (o.method) {
    case KrylovMethod::bicgstab:
      return 3 + 6;
    case KrylovMethod::bicgstabl:
      return 3 + 3 + 2 * o.ell + 1;
    case KrylovMethod::tfqmr:
      return 3 + 8;
    case KrylovMethod::gmres:
      if (o.kept_directions > 0) {
        const int each = o.tolerance >= single_directions ? 1 : 2;
        constexpr int pending = VectorGroup<float>::most / 2;  // in pairs, as directions and their images
        if (o.outer_directions == 0) return 3 + 2 + each * (o.kept_directions + pending);
        return 3 + 2 + each * (o.outer_directions + pending) + 2 + 2 +
               (o.kept_directions + pending);  // inner ones are single
      }
      return 3 + o.restart * (o.flexible ? 2 : 1) + 3;
    default:
      return 3 + 5;
  }
}

template <class T>
Krylov<T>::Krylov(const LinearOperator<T>& a, const LinearOperator<T>* m, const KrylovOptions& options)
    : backend_(std::make_unique<HostBackend>()) {
  check(options);
  if (m != nullptr && m->size() != a.size()) {
    throw InputError(
        fmt::format("Krylov: the preconditioner has {} rows, the matrix {}", m->size(), a.size()));
  }
  require_memory(std::size_t(krylov_vectors(options)) * a.size() * sizeof(T), name_of(options.method));
  loop_ = std::make_unique<KrylovLoop<HostBackend, typename T::value_type>>(*backend_, a, m, options);
}

template <class T>
Krylov<T>::~Krylov() = default;

template <class T>
KrylovReport Krylov<T>::solve(const T* b, T* x) {
  using V = complex<typename T::value_type>;
  return loop_->solve(reinterpret_cast<const V*>(b), reinterpret_cast<V*>(x));
}

template <class T>
void Krylov<T>::set_tolerance(double tolerance) {
  loop_->set_tolerance(tolerance);
}

template <class T>
void Krylov<T>::forget() {
  loop_->forget();
}

template <class T>
std::vector<KrylovReport> Krylov<T>::solve(const T* b, T* x, Index num_rhs) {
  std::vector<KrylovReport> reports;
  for (Index k = 0; k < num_rhs; ++k) {
    reports.push_back(solve(b, x));
    b += loop_->size(), x += loop_->size();
  }
  return reports;
}

template class Krylov<Complex>;
template class Krylov<ComplexF>;

}  // namespace curlew::linalg
