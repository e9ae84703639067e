// SPDX-License-Identifier: BSD-3-Clause
#include "ie/surface/far_strip.hpp"

#include <algorithm>

namespace curlew::ie {
namespace {

using green::VecD;

Vec3<VecD> broadcast(Vec3<double> a) {
  const VecD zero{};
  return {zero + a.x, zero + a.y, zero + a.z};
}
void set_lane(Vec3<VecD>& v, int l, Vec3<double> a) {
  v.x[l] = a.x, v.y[l] = a.y, v.z[l] = a.z;
}

}  // namespace

PairBlock SplitBlock::lane(int l, bool with_magnetic, bool with_rotated) const {
  PairBlock b;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      b.electric[i][j] = {electric[i][j].re[l], electric[i][j].im[l]};
      if (with_magnetic) b.magnetic[i][j] = {magnetic[i][j].re[l], magnetic[i][j].im[l]};
      if (with_rotated) b.rotated[i][j] = {rotated[i][j].re[l], rotated[i][j].im[l]};
    }
  }
  return b;
}

FarStrip::FarStrip(const SurfaceMesh& mesh, const std::vector<Index>& triangles, const SurfaceMesh& sources,
                   const PairIntegrals& integrals, bool magnetic, bool rotated, const BarycentricRule* rule)
    : sources_(sources),
      rule_(rule ? *rule : integrals.far_rule()),
      k_(integrals.wavenumber()),
      magnetic_(magnetic),
      rotated_(rotated) {
  const auto count = Index(triangles.size());
  for (Index first = 0; first < count; first += lanes) {
    Batch batch{};
    for (int l = 0; l < lanes; ++l) {
      const Index t = triangles[std::min(first + l, count - 1)];
      const Vec3<double> c = mesh.centroid(t), twice = mesh.area_vector(t);
      set_lane(batch.centroid, l, c);
      set_lane(batch.normal, l, normalized(twice));
      for (int i = 0; i < 3; ++i) set_lane(batch.corner[i], l, mesh.corner(t, i) - c);
      batch.area[l] = 0.5 * norm(twice);
    }
    batches_.push_back(batch);
  }
}

template <bool magnetic, bool rotated, green::Medium medium>
void FarStrip::run(const Batch& batch, Index source, SplitBlock& out) const {
  const Vec3<double> own = sources_.centroid(source);
  const double area = 0.5 * norm(sources_.area_vector(source));
  const Vec3<VecD> shift = batch.centroid - broadcast(own);
  const green::Wavenumber<double> k{k_.real(), -k_.imag()};
  Vec3<double> corner[3];
  for (int i = 0; i < 3; ++i) corner[i] = sources_.corner(source, i) - own;

  PairMoments<VecD, SplitVec, magnetic, rotated> m;
  m.normal = batch.normal;
  const int points = int(rule_.weights.size());
  for (int q = 0; q < points; ++q) {
    const auto& b = rule_.points[q];
    const Vec3<VecD> rho = b[0] * batch.corner[0] + b[1] * batch.corner[1] + b[2] * batch.corner[2];
    const Vec3<VecD> r = rho + shift;
    SplitVec S;
    Vec3<SplitVec> V{}, D{};
    for (int p = 0; p < points; ++p) {
      const auto& c = rule_.points[p];
      const Vec3<double> rho_src = c[0] * corner[0] + c[1] * corner[1] + c[2] * corner[2];
      const Vec3<VecD> d = r - broadcast(rho_src);
      const VecD r2 = dot(d, d), r_inv = green::inverse_sqrt(r2);
      const auto g = green::green<medium, double>(r2, r_inv, k);
      const double w = rule_.weights[p] * area;
      const SplitVec wg{w * g.re, w * g.im};
      S += wg;
      V += Vec3<SplitVec>{wg * rho_src.x, wg * rho_src.y, wg * rho_src.z};
      if constexpr (magnetic || rotated) {
        const auto f = green::gradient_factor<medium, double>(r2, r_inv, g, k);
        const SplitVec wf{w * f.re, w * f.im};
        D += Vec3<SplitVec>{wf * d.x, wf * d.y, wf * d.z};
      }
    }
    m.add(rho, rule_.weights[q] * batch.area, S, V, D);
  }
  const VecD scale = (1 / (16 * pi * area)) / batch.area;
  const Complex jk = Complex(0, 1) * k_;
  for (int a = 0; a < 3; ++a) {
    const Vec3<VecD> p = batch.corner[a];
    for (int b = 0; b < 3; ++b) {
      const Vec3<VecD> of_source = broadcast(corner[b]), from_test = of_source - shift;
      out.electric[a][b] = m.electric(p, of_source, scale, jk);
      if constexpr (magnetic) out.magnetic[a][b] = m.magnetic_entry(p, from_test, scale);
      if constexpr (rotated) out.rotated[a][b] = m.rotated_entry(p, from_test, scale);
    }
  }
}

template <green::Medium medium>
void FarStrip::dispatch(const Batch& batch, Index source, SplitBlock& out) const {
  if (magnetic_ && rotated_)
    run<true, true, medium>(batch, source, out);
  else if (magnetic_)
    run<true, false, medium>(batch, source, out);
  else if (rotated_)
    run<false, true, medium>(batch, source, out);
  else
    run<false, false, medium>(batch, source, out);
}

void FarStrip::evaluate(Index batch, Index source, SplitBlock& out) const {
  if (k_.imag() != 0)
    dispatch<green::Medium::lossy>(batches_[batch], source, out);
  else
    dispatch<green::Medium::lossless>(batches_[batch], source, out);
}

}  // namespace curlew::ie
