// SPDX-License-Identifier: BSD-3-Clause
#include "ie/results/band_far_fields.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>

#include "fields/plane_wave_sum.hpp"
#include "fields/sphere_rule.hpp"

namespace curlew::ie {
namespace {

using Matrix = Eigen::MatrixXcd;
using Columns = Eigen::Map<const Matrix>;
using Point = Vec3<double>;

constexpr double interpolation_error = 1e-9;
constexpr double least_share = 1e-10;  // of the longest solution: shorter remainders are not in the basis
constexpr double no_sum = 1e-8;        // remainder of a solution that is no sum
constexpr double rounding = 1e-12;     // of wavenumbers
constexpr double most_bytes = 256e6;
constexpr double cost_of_phase = 10;  // of an exponential, in those of a column's product with it

/// Nodes between two wavenumbers for what oscillates as exp(jkr) with r up to `reach`.
std::vector<double> chebyshev_nodes(double low, double high, double reach) {
  const double middle = 0.5 * (low + high), half = 0.5 * (high - low);
  int n = 1;
  for (double error = 0.5 * half * reach; error > interpolation_error; error *= 0.5 * half * reach / ++n) {
  }
  std::vector<double> nodes;
  for (int i = n; i-- > 0;) nodes.push_back(middle + half * std::cos(pi * (i + 0.5) / n));
  return nodes;
}

/// Middle and radius of the bounding box.
struct Ball {
  Point centre;
  double radius = 0;
};
Ball ball_of(const std::vector<Point>& points) {
  Point low = points.front(), high = low;
  for (const auto& p : points)
    for (int d = 0; d < 3; ++d) low[d] = std::min(low[d], p[d]), high[d] = std::max(high[d], p[d]);
  Ball ball{0.5 * (low + high)};
  for (const auto& p : points) ball.radius = std::max(ball.radius, norm(p - ball.centre));
  return ball;
}

/// Orthonormal, of unit length, to `least_share`.
Matrix basis_of(const Columns& solutions) {
  const Eigen::VectorXd lengths = solutions.colwise().norm().cwiseMax(1e-300);
  Eigen::ColPivHouseholderQR<Matrix> qr(solutions * lengths.cwiseInverse().asDiagonal());
  qr.setThreshold(least_share);
  return qr.householderQ() * Matrix::Identity(solutions.rows(), qr.rank());
}

/// Radiation vectors [(x, y, z) of each direction, rank]. @param sums [columns, directions]
Matrix vectors_of(const std::vector<Complex>& sums, std::size_t columns, std::span<const Point> units) {
  const std::size_t n = units.size(), rank = sums.size() / (columns * n);
  Matrix out(Eigen::Index(3 * n), Eigen::Index(rank));
  for (std::size_t r = 0; r < rank; ++r)
    for (std::size_t d = 0; d < n; ++d) {
      const auto at = [&](std::size_t c) {
        return columns > c ? sums[(columns * r + c) * n + d] : Complex(0);
      };
      const auto e = fields::radiation_vector(units[d], Vec3<Complex>{at(0), at(1), at(2)},
                                              Vec3<Complex>{at(3), at(4), at(5)});
      for (int i = 0; i < 3; ++i) out(Eigen::Index(3 * d) + i, Eigen::Index(r)) = e[i];
    }
  return out;
}

}  // namespace

fields::FarField RadiatedFields::one(std::size_t i) const {
  const auto n = Offset(far.e_theta.size()) / far.count;
  const auto part = [&](const std::vector<Complex>& e) {
    return std::vector<Complex>(e.begin() + Offset(i) * n, e.begin() + Offset(i + 1) * n);
  };
  return {1, part(far.e_theta), part(far.e_phi)};
}

std::optional<BandFarFields> BandFarFields::of(const RadiatingPoints& sources, double lowest, double highest,
                                               const std::vector<Complex>& solutions,
                                               std::vector<fields::Direction> directions,
                                               std::size_t frequencies, Index count, Device device) {
  const Eigen::Index n = sources.num_unknowns;
  if (solutions.empty() || sources.points.empty()) return std::nullopt;
  auto basis = basis_of(Columns(solutions.data(), n, Eigen::Index(solutions.size()) / n));
  const double reach = ball_of(sources.points).radius, rank = double(basis.cols()),
               columns = double(sources.columns());
  auto nodes = chebyshev_nodes(lowest, highest, 2 * reach);  // powers oscillate twice as fast as fields
  const double seen = double(fields::sphere_rule_size(highest * reach) + directions.size());
  const double at_once = double(nodes.size()) * (cost_of_phase + columns * rank),
               each = double(frequencies) * (cost_of_phase + columns * double(count));
  const double bytes =
      sizeof(Complex) * rank *
      (2 * double(nodes.size() * directions.size()) + 6 * seen + columns * double(sources.points.size()));
  if (2 * at_once > each || bytes > most_bytes) return std::nullopt;
  std::optional<BandFarFields> band(BandFarFields(lowest, highest, std::move(basis), std::move(directions)));
  band->nodes_ = std::move(nodes);
  band->sum(sources, device);
  return band;
}

void BandFarFields::sum(const RadiatingPoints& sources, Device device) {
  const auto ball = ball_of(sources.points);
  centre_ = ball.centre;
  auto points = sources.points;
  for (auto& p : points) p = p - centre_;
  const Eigen::Index rank = basis_.cols(), n = Eigen::Index(directions_.size());
  const Matrix m = sources.moments(basis_.data(), Index(rank));
  std::vector<Point> units;
  for (const auto& d : directions_) units.push_back(d.radial());
  const auto sphere = fields::sphere_rule(highest_ * ball.radius);
  Eigen::VectorXd root(Eigen::Index(3 * sphere.unit.size()));
  for (Eigen::Index i = 0; i < root.size(); ++i) root[i] = std::sqrt(sphere.weight[std::size_t(i / 3)]);
  patterns_.resize(2 * n, rank * Eigen::Index(nodes_.size()));
  powers_.resize(rank, patterns_.cols());
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const fields::PlaneWaveSum sum(points, nodes_[i], device);
    const auto vectors = [&](std::span<const Point> towards) {
      return vectors_of(sum.all({m.data(), std::size_t(m.size())}, towards), std::size_t(sources.columns()),
                        towards);
    };
    const Matrix on_sphere = root.asDiagonal() * vectors(sphere.unit);
    powers_.middleCols(Eigen::Index(i) * rank, rank) = on_sphere.adjoint() * on_sphere;
    const Matrix e = vectors(units);
    for (Eigen::Index d = 0; d < n; ++d) {
      const Point theta = directions_[std::size_t(d)].theta_unit(),
                  phi = directions_[std::size_t(d)].phi_unit();
      const auto along = [&](Point u) {
        return u.x * e.row(3 * d) + u.y * e.row(3 * d + 1) + u.z * e.row(3 * d + 2);
      };
      patterns_.row(2 * d).segment(Eigen::Index(i) * rank, rank) = along(theta);
      patterns_.row(2 * d + 1).segment(Eigen::Index(i) * rank, rank) = along(phi);
    }
  }
}

Eigen::VectorXd BandFarFields::weights(double k) const {
  Eigen::VectorXd w = Eigen::VectorXd::Ones(Eigen::Index(nodes_.size()));
  for (std::size_t i = 0; i < nodes_.size(); ++i)
    for (std::size_t j = 0; j < nodes_.size(); ++j)
      if (i != j) w[Eigen::Index(i)] *= (k - nodes_[j]) / (nodes_[i] - nodes_[j]);
  return w;
}

std::optional<RadiatedFields> BandFarFields::at(double k, const Complex* x, Index count) const {
  if (!(k >= lowest_ * (1 - rounding) && k <= highest_ * (1 + rounding))) return std::nullopt;
  const Columns solutions(x, basis_.rows(), count);
  const Matrix shares = basis_.adjoint() * solutions, rest = solutions - basis_ * shares;
  for (Eigen::Index c = 0; c < count; ++c)
    if (!(rest.col(c).norm() <= no_sum * solutions.col(c).norm())) return std::nullopt;
  const Eigen::Index rank = basis_.cols(), n = Eigen::Index(directions_.size());
  const auto w = weights(k);
  Matrix of_nodes(patterns_.cols(), count);
  Matrix power = Matrix::Zero(rank, rank);
  for (Eigen::Index i = 0; i < w.size(); ++i) {
    of_nodes.middleRows(i * rank, rank) = w[i] * shares;
    power += w[i] * powers_.middleCols(i * rank, rank);
  }
  const Matrix e = patterns_ * of_nodes;
  const Complex front(0, -k * vacuum_impedance / (4 * pi));
  RadiatedFields out{{count, std::vector<Complex>(std::size_t(count * n)), {}}, {}};
  out.far.e_phi = out.far.e_theta;
  for (Eigen::Index c = 0; c < count; ++c) {
    for (Eigen::Index d = 0; d < n; ++d) {
      const Complex shift = front * std::polar(1.0, k * dot(directions_[std::size_t(d)].radial(), centre_));
      out.far.e_theta[std::size_t(c * n + d)] = shift * e(2 * d, c);
      out.far.e_phi[std::size_t(c * n + d)] = shift * e(2 * d + 1, c);
    }
    // |-jk eta/(4 pi)|^2/(2 eta)
    out.powers.push_back(vacuum_impedance * k * k / (32 * pi * pi) *
                         shares.col(c).dot(power * shares.col(c)).real());
  }
  return out;
}

}  // namespace curlew::ie
