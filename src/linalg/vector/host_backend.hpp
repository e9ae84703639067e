// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Storage of vectors and loops over them on the CPU. Algorithms are templates over this class and its
// twin on the GPU (device_backend.hpp), so that both run the same code.

#include <algorithm>
#include <vector>

#include "base/error.hpp"
#include "linalg/linear_operator.hpp"
#include "linalg/vector/sums.hpp"

namespace curlew::linalg {

class HostBackend {
 public:
  template <class R>
  using Vector = std::vector<complex<R>>;
  template <class R>
  using Operator = LinearOperator<std::complex<R>>;

  template <class R>
  Vector<R> vector(Offset n) {
    return Vector<R>(std::size_t(n));
  }
  /// A value shared with the backend: bodies and finishes use *data(), the caller calls read and write.
  template <class S>
  class Shared {
   public:
    explicit Shared(HostBackend&) {}
    S* data() { return &value_; }
    S read() { return value_; }
    void write(const S& value) { value_ = value; }

   private:
    S value_{};
  };

  /// From now on sweeps and products do nothing while *skip != 0; null removes the flag.
  void set_skip(const int* skip) { skip_ = skip; }

  /// body(i, sums) for i in [0, n), then finish(sums) once. NS sums in double precision, added in an order
  /// that depends on n only, so that results have the same bits for any number of threads.
  template <int NS, class Body, class Finish>
  void sweep(Offset n, Body body, Finish finish);
  template <class Body>
  void sweep(Offset n, Body body) {
    sweep<0>(n, body, [](const Sum*) {});
  }

  /// store(i, load(i)) for i in [0, n); on the GPU several loads of a thread come before its first store.
  template <class Load, class Store>
  void map(Offset n, Load load, Store store) {
    sweep(n, [=](Offset i, Sum*) { store(i, load(i)); });
  }

  /// y = A x
  template <class R>
  void apply(const Operator<R>& a, const complex<R>* x, complex<R>* y) {
    if (is_skipped()) return;
    using T = std::complex<R>;
    a.apply(reinterpret_cast<const T*>(x), reinterpret_cast<T*>(y));
  }
  /// Y = A X for n columns with leading dimensions ldx and ldy
  template <class R>
  void apply_many(const Operator<R>& a, const complex<R>* x, Offset ldx, complex<R>* y, Offset ldy, Index n) {
    if (is_skipped()) return;
    using T = std::complex<R>;
    a.apply_many(reinterpret_cast<const T*>(x), ldx, reinterpret_cast<T*>(y), ldy, n);
  }
  template <class R>
  static const complex<R>* diagonal(const Operator<R>& a) {
    return reinterpret_cast<const complex<R>*>(a.diagonal());
  }
  template <class R>
  void copy(Offset n, const complex<R>* from, complex<R>* to) {
    std::copy(from, from + n, to);
  }

  template <class R>
  bool can_record(const Operator<R>&) const {
    return false;
  }
  /// Calls iterate() until *stop != 0.
  template <class Iterate, class S>
  void run(Iterate iterate, Shared<S>& state, bool, bool, void*&) {
    while (state.data()->stop == 0) {
      check_interrupt();
      iterate();
    }
  }
  void release(void*&) {}

 private:
  bool is_skipped() const { return skip_ != nullptr && *skip_ != 0; }

  const int* skip_ = nullptr;
  std::vector<Sum> partials_;
};

template <int NS, class Body, class Finish>
void HostBackend::sweep(Offset n, Body body, Finish finish) {
  if (is_skipped()) return;
  constexpr Offset chunk = 4096;
  const Offset chunks = (n + chunk - 1) / chunk;
  partials_.assign(std::size_t(chunks) * NS, Sum());
  Sum* const partials = partials_.data();
#pragma omp parallel for schedule(static) if (chunks > 2)
  for (Offset c = 0; c < chunks; ++c) {
    Sum sums[std::max(NS, 1)];
    const Offset end = std::min(n, (c + 1) * chunk);
    for (Offset i = c * chunk; i < end; ++i) body(i, sums);
    for (int s = 0; s < NS; ++s) partials[c * NS + s] = sums[s];
  }
  if constexpr (NS > 0) {
    Sum total[NS];
    for (Offset c = 0; c < chunks; ++c) {
      for (int s = 0; s < NS; ++s) total[s] += partials[c * NS + s];
    }
    finish(total);
  }
}

}  // namespace curlew::linalg
