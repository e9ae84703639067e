// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// BiCGSTAB(l) with right preconditioning, for any l from 1 to 16.
// Source: G. Sleijpen, D. Fokkema, ETNA 1 (1993) 11, alg. 3.1; the minimal residual part by the Gram matrix
// of the residuals instead of modified Gram-Schmidt: l + 1 vectors are read a few times instead of l (l + 1).

#include <vector>

#include "linalg/krylov/gram_solve.hpp"
#include "linalg/krylov/method.hpp"

namespace curlew::linalg {

/// Pointers to the residuals, or to the search directions, of a step: kernels take them by value.
template <class R>
struct VectorSet {
  complex<R>* vector[max_ell + 1];
};

template <class B, class R>
class BicgstablMethod final : public Method<B, R> {
 public:
  using V = complex<R>;
  using Vector = typename B::template Vector<R>;
  BicgstablMethod(KrylovContext<B, R>& context, int ell)
      : c_(context), ell_(ell), shadow_(c_.vector()), y_(c_.vector()), hat_(c_.hat_vector()) {
    for (int j = 0; j <= ell; ++j) u_.push_back(c_.vector());
    for (int j = 0; j < ell; ++j) r_.push_back(c_.vector());
  }

  void start() override {
    KrylovState* const s = c_.state;
    const V* r = c_.r.data();
    V *shadow = shadow_.data(), *u = u_[0].data(), *y = y_.data();
    c_.backend.template sweep<1>(
        c_.n,
        [=] CURLEW_LAMBDA(Offset i, Sum * sums) {
          shadow[i] = r[i], u[i] = V(), y[i] = V();
          sums[0].re += square(r[i]);
        },
        [=] CURLEW_LAMBDA(const Sum* sums) {
          s->rho = sums[0], s->beta = Sum(), s->alpha = Sum(), s->omega = Sum(1);
        });
  }

  void iterate() override {
    for (int j = 0; j < ell_; ++j) {
      raise_u(j);
      raise_r(j);
    }
    fill_gram();
    combine();
  }

  /// x += M y: polynomial parts are summed before preconditioning.
  void flush() override {
    V *x = c_.x.data(), *y = y_.data(), *hat = hat_.data();
    const V* d = c_.diagonal();
    c_.precondition(y, hat);
    const V* z = c_.m != nullptr && d == nullptr ? hat : y;
    c_.backend.sweep(c_.n, [=] CURLEW_LAMBDA(Offset i, Sum*) { x[i] += d != nullptr ? d[i] * z[i] : z[i]; });
  }

  /// u_i = r_i - beta u_i for i = 0..j, u_{j+1} = A M u_j, alpha = rho / (r0, u_{j+1})
  void raise_u(int j) {
    KrylovState* const s = c_.state;
    const VectorSet<R> r = residuals(), u = directions();
    const V* d = c_.diagonal();
    V* hat = hat_.data();
    c_.backend.sweep(c_.n, [=] CURLEW_LAMBDA(Offset i, Sum*) {
      const V beta = narrow<R>(s->beta);
      V last;
      for (int k = 0; k <= j; ++k) u.vector[k][i] = last = r.vector[k][i] - beta * u.vector[k][i];
      if (d != nullptr) hat[i] = d[i] * last;
    });
    c_.precondition(u.vector[j], hat);
    c_.backend.apply(c_.a, c_.hat_of(u.vector[j], hat_), u.vector[j + 1]);
    const V *shadow = shadow_.data(), *next = u.vector[j + 1];
    c_.backend.template sweep<1>(
        c_.n, [=] CURLEW_LAMBDA(Offset i, Sum * sums) { sums[0] += inner(shadow[i], next[i]); },
        [=] CURLEW_LAMBDA(const Sum* sums) { s->alpha = s->divide(s->rho, sums[0]); });
  }

  /// r_i -= alpha u_{i+1} for i = 0..j, y += alpha u_0, r_{j+1} = A M r_j, then beta of the next step
  void raise_r(int j) {
    KrylovState* const s = c_.state;
    const VectorSet<R> r = residuals(), u = directions();
    const V* d = c_.diagonal();
    V *hat = hat_.data(), *y = y_.data();
    c_.backend.sweep(c_.n, [=] CURLEW_LAMBDA(Offset i, Sum*) {
      const V alpha = narrow<R>(s->alpha);
      V last;
      for (int k = 0; k <= j; ++k) r.vector[k][i] = last = r.vector[k][i] - alpha * u.vector[k + 1][i];
      y[i] += alpha * u.vector[0][i];
      if (d != nullptr) hat[i] = d[i] * last;
    });
    c_.precondition(r.vector[j], hat);
    c_.backend.apply(c_.a, c_.hat_of(r.vector[j], hat_), r.vector[j + 1]);
    if (j + 1 == ell_) return;
    const V *shadow = shadow_.data(), *next = r.vector[j + 1];
    c_.backend.template sweep<1>(
        c_.n, [=] CURLEW_LAMBDA(Offset i, Sum * sums) { sums[0] += inner(shadow[i], next[i]); },
        [=] CURLEW_LAMBDA(const Sum* sums) {
          s->beta = s->alpha * s->divide(sums[0], s->rho);
          s->rho = sums[0];
        });
  }

  /// G_ij = (r_i, r_j), three by three: nine sums per pass fit into the registers.
  void fill_gram() {
    KrylovState* const s = c_.state;
    const VectorSet<R> r = residuals();
    const int count = ell_ + 1;
    for (int row = 0; row < count; row += 3) {
      for (int col = row; col < count; col += 3) {
        const bool is_last = row + 3 >= count && col + 3 >= count;
        const int rows = count - row < 3 ? count - row : 3, cols = count - col < 3 ? count - col : 3;
        c_.backend.template sweep<9>(
            c_.n,
            [=] CURLEW_LAMBDA(Offset i, Sum * sums) {
              V left[3], right[3];
              for (int k = 0; k < 3; ++k) left[k] = k < rows ? r.vector[row + k][i] : V();
              for (int k = 0; k < 3; ++k) right[k] = k < cols ? r.vector[col + k][i] : V();
              for (int p = 0; p < 3; ++p) {
                for (int q = 0; q < 3; ++q) sums[3 * p + q] += inner(left[p], right[q]);
              }
            },
            [=] CURLEW_LAMBDA(const Sum* sums) {
              for (int p = 0; p < rows; ++p) {
                for (int q = 0; q < cols; ++q) {
                  s->gram[row + p][col + q] = sums[3 * p + q];
                  s->gram[col + q][row + p] = conj(sums[3 * p + q]);
                }
              }
              if (is_last) minimise(*s, count - 1);
            });
      }
    }
  }

  /// y += sum gamma_j r_{j-1}, u_0 -= sum gamma_j u_j, r_0 -= sum gamma_j r_j, and the data for the next
  /// round
  void combine() {
    KrylovState* const s = c_.state;
    const VectorSet<R> r = residuals(), u = directions();
    const V* shadow = shadow_.data();
    V* y = y_.data();
    const int ell = ell_;
    c_.backend.template sweep<2>(
        c_.n,
        [=] CURLEW_LAMBDA(Offset i, Sum * sums) {
          V r0 = r.vector[0][i], u0 = u.vector[0][i], sum = y[i], before = r0;
          for (int j = 1; j <= ell; ++j) {
            const V gamma = narrow<R>(s->gamma[j]), rj = r.vector[j][i];
            sum += gamma * before;
            r0 -= gamma * rj;
            u0 -= gamma * u.vector[j][i];
            before = rj;
          }
          y[i] = sum, r.vector[0][i] = r0, u.vector[0][i] = u0;
          sums[0] += inner(shadow[i], r0);
          sums[1].re += square(r0);
        },
        [=] CURLEW_LAMBDA(const Sum* sums) {
          s->finish_iteration(sums[1].re);
          if (s->stop != running) return;
          s->beta = s->alpha * s->divide(sums[0], -s->omega * s->rho);
          s->rho = sums[0];
        });
  }

 private:
  VectorSet<R> residuals() {
    VectorSet<R> set{};
    set.vector[0] = c_.r.data();
    for (int j = 1; j <= ell_; ++j) set.vector[j] = r_[j - 1].data();
    return set;
  }
  VectorSet<R> directions() {
    VectorSet<R> set{};
    for (int j = 0; j <= ell_; ++j) set.vector[j] = u_[j].data();
    return set;
  }

  KrylovContext<B, R>& c_;
  int ell_;
  Vector shadow_, y_, hat_;
  std::vector<Vector> u_, r_;
};

}  // namespace curlew::linalg
