// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// GMRES(m) with right preconditioning: classical Gram-Schmidt, done twice, eight vectors per sweep. Source:
// Y. Saad, M. Schultz, SIAM J. Sci. Stat. Comput. 7 (1986) 856; twice is enough: L. Giraud et al., Numer.
// Math. 101 (2005) 87. Flexible GMRES: Y. Saad, SIAM J. Sci. Comput. 14 (1993) 461.

#include <vector>

#include "linalg/krylov/method.hpp"
#include "linalg/krylov/vector_group.hpp"

namespace curlew::linalg {

/// The small matrices of a cycle: R of the QR factors column by column, rotations, right-hand side,
/// coefficients.
struct Hessenberg {
  int m;
  Sum* data;  // [(m + 1) (m + 5)]
  CURLEW_HD Sum& r(int i, int j) const { return data[j * (m + 1) + i]; }
  CURLEW_HD Sum& cosine(int i) const { return data[m * (m + 1) + i]; }
  CURLEW_HD Sum& sine(int i) const { return data[(m + 1) * (m + 1) + i]; }
  CURLEW_HD Sum& g(int i) const { return data[(m + 2) * (m + 1) + i]; }
  CURLEW_HD Sum& projection(int i) const { return data[(m + 3) * (m + 1) + i]; }

  /// Applies the previous rotations to column j, and a new one that eliminates its last entry, `below` >= 0.
  CURLEW_HD void rotate(KrylovState& s, int j, double below) const {
    for (int i = 0; i < j; ++i) {
      const Sum a = r(i, j), b = r(i + 1, j);
      r(i, j) = cosine(i).re * a + sine(i) * b;
      r(i + 1, j) = cosine(i).re * b - conj(sine(i)) * a;
    }
    const Sum a = r(j, j);
    const double length = ::hypot(::hypot(a.re, a.im), below), size = ::hypot(a.re, a.im);
    if (!is_finite(length)) {
      s.stop = stop_not_finite;
      return;
    }
    if (length == 0) {
      s.stop = stop_breakdown;
      return;
    }
    const Sum direction = size > 0 ? a / size : Sum(1);
    cosine(j) = Sum(size / length);
    sine(j) = direction * (below / length);
    r(j, j) = direction * length;
    g(j + 1) = -conj(sine(j)) * g(j);
    g(j) = cosine(j).re * g(j);
    s.steps = j + 1;
    s.finish_iteration(norm2(g(j + 1)));
    s.coefficient = Sum(below > 0 ? 1 / below : 0);
    if (s.stop == running && j + 1 == m) s.stop = stop_cycle;
  }

  /// projection = R^-1 g
  CURLEW_HD void solve(int steps) const {
    for (int i = steps - 1; i >= 0; --i) {
      Sum sum = g(i);
      for (int k = i + 1; k < steps; ++k) sum -= r(i, k) * projection(k);
      projection(i) = sum / r(i, i);
    }
  }
};

template <class B, class R>
class GmresMethod final : public Method<B, R> {
 public:
  using V = complex<R>;
  using Group = VectorGroup<R>;
  /// @param is_flexible M may differ from one product to the next: x is computed from the vectors M v_j,
  /// which are stored. Not with a pointwise M.
  GmresMethod(KrylovContext<B, R>& context, int m, bool is_flexible = false)
      : c_(context),
        m_(m),
        is_flexible_(is_flexible && c_.m != nullptr && c_.diagonal() == nullptr),
        hat_(is_flexible_ ? typename B::template Vector<R>() : c_.hat_vector()),
        sum_(c_.vector()),
        small_(c_.backend.template vector<double>(Offset(m + 1) * (m + 5))),
        basis_(std::size_t(m) + 1),
        hats_(is_flexible_ ? std::size_t(m) : 0) {
    // Few solutions need all vectors: they are allocated when needed, except for recorded iterations, which
    // cannot allocate.
    for (int j = 0; j <= m && c_.is_recorded; ++j) reserve(j);
  }

  void start() override {
    KrylovState* const s = c_.state;
    const V* r = c_.r.data();
    reserve(0);
    V* v = basis_[0].data();
    const Hessenberg h = hessenberg();
    c_.backend.template sweep<1>(
        c_.n,
        [=] CURLEW_LAMBDA(Offset i, Sum * sums) {
          v[i] = r[i];
          sums[0].re += square(r[i]);
        },
        [=] CURLEW_LAMBDA(const Sum* sums) {
          s->steps = 0;
          h.g(0) = Sum(::sqrt(sums[0].re));
          s->coefficient = Sum(1 / ::sqrt(sums[0].re));
        });
  }

  /// Runs a cycle; after a stop the remaining steps do nothing.
  void iterate() override {
    for (int j = 0; j < m_; ++j) {
      reserve(j + 1);
      normalise_and_multiply(j);
      for (int pass = 0; pass < 2; ++pass) {
        for (int first = 0; first <= j; first += Group::most) project(j, first, pass == 0);
        for (int first = 0; first <= j; first += Group::most) subtract(j, first);
      }
      close_column(j);
      if (c_.has_stopped()) return;
    }
  }

  /// x += M V R^-1 g
  void flush() override {
    KrylovState* const s = c_.state;
    const Hessenberg h = hessenberg();
    const V* d = c_.diagonal();
    V *sum = sum_.data(), *hat = hat_.data(), *x = c_.x.data();
    c_.backend.template sweep<1>(
        0, [=] CURLEW_LAMBDA(Offset, Sum*) {},
        [=] CURLEW_LAMBDA(const Sum*) {
          h.solve(s->steps);
          for (int i = s->steps; i < h.m; ++i) h.projection(i) = Sum();
        });
    c_.backend.sweep(c_.n, [=] CURLEW_LAMBDA(Offset i, Sum*) { sum[i] = V(); });
    for (int first = 0; first < m_; first += Group::most) {
      const Group v = Group::of(is_flexible_ ? hats_ : basis_, first, m_);
      c_.backend.sweep(c_.n, [=] CURLEW_LAMBDA(Offset i, Sum*) {
        V total = sum[i];
        // Vectors after the last step were never written: their coefficient is 0, but values are undefined.
        for (int k = 0; k < v.count && first + k < s->steps; ++k)
          total += narrow<R>(h.projection(first + k)) * v.v[k][i];
        sum[i] = total;
      });
    }
    if (!is_flexible_) c_.precondition(sum, hat);
    const V* z = c_.m != nullptr && d == nullptr && !is_flexible_ ? hat : sum;
    c_.backend.sweep(c_.n, [=] CURLEW_LAMBDA(Offset i, Sum*) { x[i] += d != nullptr ? d[i] * z[i] : z[i]; });
  }

  /// v_j /= |v_j|, v_{j+1} = A M v_j
  void normalise_and_multiply(int j) {
    const KrylovState* const s = c_.state;
    const V* d = c_.diagonal();
    auto& of_this = is_flexible_ ? hats_[std::size_t(j)] : hat_;
    V *v = basis_[j].data(), *hat = of_this.data();
    c_.backend.sweep(c_.n, [=] CURLEW_LAMBDA(Offset i, Sum*) {
      const V vi = R(s->coefficient.re) * v[i];
      v[i] = vi;
      if (d != nullptr) hat[i] = d[i] * vi;
    });
    c_.precondition(v, hat);
    c_.backend.apply(c_.a, c_.hat_of(v, of_this), basis_[j + 1].data());
  }

  /// projections of v_{j+1} on up to eight vectors, added to column j
  void project(int j, int first, bool is_new) {
    const Group v = Group::of(basis_, first, j + 1);
    const V* w = basis_[j + 1].data();
    const Hessenberg h = hessenberg();
    c_.backend.template sweep<Group::most>(
        c_.n,
        [=] CURLEW_LAMBDA(Offset i, Sum * sums) {
          const V wi = w[i];
          for (int k = 0; k < Group::most; ++k) {
            if (k < v.count) sums[k] += inner(v.v[k][i], wi);
          }
        },
        [=] CURLEW_LAMBDA(const Sum* sums) {
          for (int k = 0; k < v.count; ++k) {
            h.projection(first + k) = sums[k];
            h.r(first + k, j) = is_new ? sums[k] : h.r(first + k, j) + sums[k];
          }
        });
  }

  void subtract(int j, int first) {
    const Group v = Group::of(basis_, first, j + 1);
    V* w = basis_[j + 1].data();
    const Hessenberg h = hessenberg();
    c_.backend.sweep(c_.n, [=] CURLEW_LAMBDA(Offset i, Sum*) {
      V wi = w[i];
      for (int k = 0; k < v.count; ++k) wi -= narrow<R>(h.projection(first + k)) * v.v[k][i];
      w[i] = wi;
    });
  }

  void close_column(int j) {
    KrylovState* const s = c_.state;
    const V* w = basis_[j + 1].data();
    const Hessenberg h = hessenberg();
    c_.backend.template sweep<1>(
        c_.n, [=] CURLEW_LAMBDA(Offset i, Sum * sums) { sums[0].re += square(w[i]); },
        [=] CURLEW_LAMBDA(const Sum* sums) { h.rotate(*s, j, ::sqrt(sums[0].re)); });
  }

 private:
  using Vectors = std::vector<typename B::template Vector<R>>;

  Hessenberg hessenberg() { return {m_, small_.data()}; }
  void reserve(int j) {
    if (Offset(basis_[std::size_t(j)].size()) < c_.n) basis_[std::size_t(j)] = c_.vector();
    if (!is_flexible_ || j == 0) return;
    auto& hat = hats_[std::size_t(j - 1)];
    if (Offset(hat.size()) < c_.n) hat = c_.vector();
  }

  KrylovContext<B, R>& c_;
  int m_;
  bool is_flexible_;
  typename B::template Vector<R> hat_, sum_;
  typename B::template Vector<double> small_;
  Vectors basis_, hats_;  // v_j; M v_j if flexible
};

}  // namespace curlew::linalg
