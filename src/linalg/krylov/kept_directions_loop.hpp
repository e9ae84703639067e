// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Minimal residuals over directions that are kept from one right-hand side to the next: GCR whose search
// directions p and images q = A p, q orthonormal, serve all right-hand sides of an operator. A start takes
// the best of all that is kept without a product; what GMRES finds of slow modes again for every right-hand
// side is found once. Sources: Farhat, Crivelli and Roux (1994), Comput. Methods Appl. Mech. Eng. 117, 195
// (several right-hand sides); Jiranek and Rozloznik (2010), Numer. Algorithms 53, 93 (the next direction from
// the residual, or from the last image where the residual stays: as stable as GMRES).

#include <algorithm>
#include <cmath>
#include <vector>

#include "linalg/krylov/method.hpp"
#include "linalg/vector/half.hpp"

namespace curlew::linalg {

/// Up to N kept vectors.
template <class S, int N>
struct KeptGroup {
  int count;
  const complex<S>* v[N];
};

template <class R, class S>
CURLEW_HD complex<R> full(complex<S> kept) {
  return {R(kept.re), R(kept.im)};
}

/// When an image is made normal to those before it a second time.
enum class SecondPass { always, where_little_is_left };

/// S is the real type of what is kept: single halves its memory, and then the directions are right to some
/// 1e-5; half halves it again, for iterations to a tenth (inner_solve.hpp). The true residual, which the
/// driver looks at, decides. What is kept in half precision has a mean square of 1: an image, of norm 1, is
/// kept_image_ times that, and direction number k scales_[k] times.
template <class B, class R, class S>
class KeptDirectionsMethod final : public Method<B, R> {
 public:
  using V = complex<R>;
  /// @param most directions that are kept; a new one then takes the place of the oldest
  /// @param second_pass where_little_is_left: images are less normal, in half of the sweeps
  KeptDirectionsMethod(KrylovContext<B, R>& context, int most, SecondPass second_pass = SecondPass::always)
      : c_(context),
        most_(most),
        second_pass_(second_pass),
        direction_(c_.vector()),
        image_(c_.vector()),
        kept_image_(is_scaled ? 1 / std::sqrt(double(c_.n)) : 1),
        coefficients_(c_.backend.template vector<double>(2 * Offset(most))),
        scales_(c_.backend.template vector<double>(Offset(most))),
        directions_(std::size_t(most)),
        images_(std::size_t(most)) {}

  /// x and r of what is kept.
  void start() override {
    KrylovState* const s = c_.state;
    const int kept = count();
    V *r = c_.r.data(), *x = c_.x.data();
    for (int first = 0; first < kept; first += at_once) project(r, first, true);
    for (int first = 0; first < kept; first += more_at_once) add(r, images_, first, 0, -1);
    for (int first = 0; first < kept; first += more_at_once) add(x, directions_, first, most_, 1);
    c_.backend.template sweep<1>(
        c_.n, [=] CURLEW_LAMBDA(Offset i, Sum * sums) { sums[0].re += square(r[i]); },
        [=] CURLEW_LAMBDA(const Sum* sums) { s->begin(::sqrt(sums[0].re)); });
  }

  void iterate() override {
    while (!c_.has_stopped()) {
      make_direction();
      const int kept = count();
      for (int pass = 0; pass == 0 || (pass == 1 && wants_second_pass()); ++pass) {
        for (int first = 0; first < kept; first += at_once) project(image_.data(), first, pass == 0);
        for (int first = 0; first < kept; first += more_at_once) add(image_.data(), images_, first, 0, -1);
      }
      for (int first = 0; first < kept; first += more_at_once)
        add(direction_.data(), directions_, first, most_, -1);
      measure_image();
      if (c_.has_stopped()) return;  // nothing new, or no number
      keep();
      advance();
    }
  }

  void forget() override { made_ = 0; }

  // Public because lambdas for the GPU may not stand in private functions.

  /// p = M r/|r|, or M q of the last image q; q = A p
  void make_direction() {
    KrylovState* const s = c_.state;
    const V *r = c_.r.data(), *d = c_.diagonal();
    const complex<S>* last = made_ > 0 ? images_[std::size_t((made_ - 1) % most_)].data() : nullptr;
    V *from = image_.data(), *p = direction_.data();
    const R unit = R(kept_image_);
    c_.backend.sweep(c_.n, [=] CURLEW_LAMBDA(Offset i, Sum*) {
      const V v = s->takes_image && last != nullptr ? unit * full<R>(last[i]) : R(s->coefficient.re) * r[i];
      from[i] = v;
      p[i] = d != nullptr ? d[i] * v : v;
    });
    c_.precondition(from, p);
    c_.backend.apply(c_.a, static_cast<const V*>(p), from);
    c_.backend.template sweep<1>(
        c_.n, [=] CURLEW_LAMBDA(Offset i, Sum * sums) { sums[0].re += square(from[i]); },
        [=] CURLEW_LAMBDA(const Sum* sums) { s->length = ::sqrt(sums[0].re); });
  }

  /// What one of the last images and directions is times, for a product q_k^H v with up to eight images;
  /// those of directions are added up over the passes.
  void project(const V* v, int first, bool is_new) {
    const auto q = group<at_once>(images_, first);
    Sum *once = coefficients_.data(), *all = once + most_;
    const Sum* scale = scales_.data();
    const double unit = kept_image_;
    c_.backend.template sweep<8>(
        c_.n,
        [=] CURLEW_LAMBDA(Offset i, Sum * sums) {
          const Sum vi = widen(v[i]);
          for (int k = 0; k < 8; ++k) {
            if (k < q.count) sums[k] += conj(widen(q.v[k][i])) * vi;
          }
        },
        [=] CURLEW_LAMBDA(const Sum* sums) {
          for (int k = 0; k < q.count; ++k) {
            const Sum of_image = unit * sums[k], of_direction = scale[first + k].re * of_image;
            once[first + k] = unit * of_image;
            all[first + k] = is_new ? of_direction : all[first + k] + of_direction;
          }
        });
  }

  /// v += sign times up to 16 vectors, each with its coefficient of the last pass (offset 0) or of all
  /// (most_).
  void add(V* v, const std::vector<typename B::template Vector<S>>& vectors, int first, int offset,
           int sign) {
    const auto u = group<more_at_once>(vectors, first);
    const Sum* c = coefficients_.data() + offset + first;
    c_.backend.sweep(c_.n, [=] CURLEW_LAMBDA(Offset i, Sum*) {
      V sum;
      for (int k = 0; k < u.count; ++k) sum += narrow<R>(c[k]) * full<R>(u.v[k][i]);
      v[i] += R(sign) * sum;
    });
  }

  /// A pass that leaves little of an image leaves in it the rounding of much.
  bool wants_second_pass() {
    if (second_pass_ == SecondPass::always) return true;
    constexpr double little = 0.2;
    KrylovState* const s = c_.state;
    const V* q = image_.data();
    c_.backend.template sweep<1>(
        c_.n, [=] CURLEW_LAMBDA(Offset i, Sum * sums) { sums[0].re += square(q[i]); },
        [=] CURLEW_LAMBDA(const Sum* sums) { s->left = ::sqrt(sums[0].re); });
    const KrylovState now = c_.look();
    return !(now.left > little * now.length);
  }

  /// What is left of the image; stops where that is rounding alone.
  void measure_image() {
    KrylovState* const s = c_.state;
    const V *q = image_.data(), *p = direction_.data();
    c_.backend.template sweep<2>(
        c_.n,
        [=] CURLEW_LAMBDA(Offset i, Sum * sums) {
          sums[0].re += square(q[i]);
          sums[1].re += square(p[i]);
        },
        [=] CURLEW_LAMBDA(const Sum* sums) {
          const double left = ::sqrt(sums[0].re);
          constexpr double rounding = sizeof(S) == 2 ? 2e-3 : sizeof(S) == sizeof(float) ? 1e-6 : 1e-14;
          s->size = ::sqrt(sums[1].re);
          if (!is_finite(left) || !is_finite(s->length))
            s->stop = stop_not_finite;
          else if (left <= rounding * s->length)
            s->stop = stop_breakdown;
          s->length = left;
        });
  }

  /// Both over |q| take the place of the oldest; its product with the residual.
  void keep() {
    const auto slot = std::size_t(made_ % most_);
    if (Offset(images_[slot].size()) < c_.n)
      images_[slot] = c_.backend.template vector<S>(c_.n),
      directions_[slot] = c_.backend.template vector<S>(c_.n);
    KrylovState* const s = c_.state;
    const V *p = direction_.data(), *q = image_.data(), *r = c_.r.data();
    complex<S>*kept_p = directions_[slot].data(), *kept_q = images_[slot].data();
    Sum* const kept_scale = scales_.data() + slot;
    const double unit = kept_image_;
    c_.backend.template sweep<1>(
        c_.n,
        [=] CURLEW_LAMBDA(Offset i, Sum * sums) {
          const double times = is_scaled ? 1 / (unit * s->size) : 1 / s->length;
          const V pi = R(times) * p[i], qi = R(1 / (unit * s->length)) * q[i];
          kept_p[i] = {S(pi.re), S(pi.im)};
          kept_q[i] = {S(qi.re), S(qi.im)};
          sums[0] += conj(widen(kept_q[i])) * widen(r[i]);
        },
        [=] CURLEW_LAMBDA(const Sum* sums) {
          s->alpha = unit * sums[0];
          *kept_scale = Sum(is_scaled ? unit * s->size / s->length : 1.0);
        });
    ++made_;
  }

  /// x += alpha p, r -= alpha q
  void advance() {
    const auto slot = std::size_t((made_ - 1) % most_);
    KrylovState* const s = c_.state;
    const complex<S>*p = directions_[slot].data(), *q = images_[slot].data();
    V *r = c_.r.data(), *x = c_.x.data();
    const Sum* const scale = scales_.data() + slot;
    const double unit = kept_image_;
    c_.backend.template sweep<1>(
        c_.n,
        [=] CURLEW_LAMBDA(Offset i, Sum * sums) {
          x[i] += narrow<R>(scale->re * s->alpha) * full<R>(p[i]);
          const V ri = r[i] - narrow<R>(unit * s->alpha) * full<R>(q[i]);
          r[i] = ri;
          sums[0].re += square(ri);
        },
        [=] CURLEW_LAMBDA(const Sum* sums) {
          constexpr double stays = 0.99;  // of the residual: another step from it would find hardly more
          const double before = s->residual;
          s->finish_iteration(sums[0].re);
          s->takes_image = s->residual > stays * before;
          s->coefficient = Sum(1 / ::sqrt(sums[0].re));
        });
  }

 private:
  /// Vectors of a sweep: as many as it may have sums; where it has none, more to each time that v is read.
  static constexpr int at_once = 8, more_at_once = 16;
  static constexpr bool is_scaled = sizeof(S) == 2;

  template <int N>
  KeptGroup<S, N> group(const std::vector<typename B::template Vector<S>>& vectors, int first) const {
    KeptGroup<S, N> g{std::min(N, count() - first), {}};
    for (int k = 0; k < g.count; ++k) g.v[k] = vectors[std::size_t(first + k)].data();
    return g;
  }
  int count() const { return int(std::min<Offset>(made_, most_)); }

  KrylovContext<B, R>& c_;
  int most_;
  SecondPass second_pass_;
  Offset made_ = 0;  ///< since they were forgotten
  typename B::template Vector<R> direction_, image_;
  double kept_image_;
  typename B::template Vector<double> coefficients_;                 // [2 most]
  typename B::template Vector<double> scales_;                       // [most]
  std::vector<typename B::template Vector<S>> directions_, images_;  // [most], number i in i % most
};

}  // namespace curlew::linalg
