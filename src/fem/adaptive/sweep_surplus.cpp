// SPDX-License-Identifier: BSD-3-Clause
#include "fem/adaptive/sweep_surplus.hpp"

#include <algorithm>
#include <functional>
#include <optional>
#include <type_traits>
#include <utility>

#include "base/wavenumber.hpp"
#include "fem/adaptive/next_order.hpp"
#include "fem/adaptive/star_corrections.hpp"
#include "fem/adaptive/surplus.hpp"
#include "fem/assembly.hpp"
#include "fem/sensitivity/solved_form.hpp"
#include "linalg/dense/decompositions.hpp"
#include "linalg/sampling/sketch.hpp"

namespace curlew::fem {
namespace {

/// Residuals that are linear combinations of others up to this relative error are dependent.
constexpr double negligible = 0.02;
/// Largest relative change of x_iᵀ A x_j between the ends of a band with one form: half of it to either side.
constexpr double most_change = 0.4;

/// Enough for error bars: more steps change them by 1/20 (star_corrections.hpp).
constexpr int steps_of_bars = 4;

double square(double x) {
  return x * x;
}

bool are_equal(const CellMaterials& a, const CellMaterials& b) {
  return !a.is_stretched() && !b.is_stretched() &&
         std::equal(a.materials.begin(), a.materials.end(), b.materials.begin(), b.materials.end(),
                    [](const Material& m, const Material& n) { return are_equal(m, n); });
}

/// The form of a space at frequencies: a sum of two matrices where no constant changes.
template <class T>
class FormOfBand {
 public:
  FormOfBand(const NedelecSpace& space, const Model& model, const std::vector<double>& frequencies)
      : model_(model), frequencies_(frequencies), assembler_(space), form_(assembler_.create_matrix<T>()) {
    const CellMaterials first = materials(0);
    for (std::size_t k = 1; k < frequencies.size(); ++k)
      if (!are_equal(first, materials(k))) return;
    stiffness_.resize(form_.values.size()), mass_.resize(form_.values.size());
    assembler_.assemble_pair(first, stiffness_.data(), mass_.data());
  }

  bool is_sum() const { return !mass_.empty(); }
  double k0_squared(std::size_t k) const { return square(wavenumber(frequencies_[k])); }
  /// Absolute values of the diagonal at a frequency.
  Eigen::VectorXd sizes(std::size_t k) {
    const auto& form = at(k);
    Eigen::VectorXd sizes = Eigen::VectorXd::Zero(form.num_rows);
#pragma omp parallel for schedule(static)
    for (Index row = 0; row < form.num_rows; ++row)
      for (Offset i = form.row_offsets[std::size_t(row)]; i < form.row_offsets[std::size_t(row) + 1]; ++i)
        if (form.columns[std::size_t(i)] == row) sizes[row] = std::abs(form.values[std::size_t(i)]);
    return sizes;
  }
  /// That of `last` minus that of `first`. @pre is_sum()
  const linalg::Csr<T>& change(std::size_t first, std::size_t last) {
    current_.reset();
    combine(form_.values.size(), T(0), stiffness_.data(), T(k0_squared(first) - k0_squared(last)),
            mass_.data(), form_.values.data());
    return form_;
  }
  const linalg::Csr<T>& at(std::size_t k) {
    if (current_ == k) return form_;
    current_ = k;
    const T factor = -k0_squared(k);
    if (is_sum())
      combine(form_.values.size(), T(1), stiffness_.data(), factor, mass_.data(), form_.values.data());
    else
      assembler_.assemble(materials(k), T(1), factor, form_.values.data());
    return form_;
  }

 private:
  CellMaterials materials(std::size_t k) const {
    return materials_at(model_, *assembler_.space().mesh, frequencies_[k]);
  }

  const Model& model_;
  const std::vector<double>& frequencies_;
  Assembler assembler_;
  linalg::Csr<T> form_;
  std::optional<std::size_t> current_;  // frequency of the form's values
  std::vector<T> stiffness_, mass_;
};

/// Columns for the form: for a real one real parts followed by imaginary parts.
template <class T>
Columns<T> columns_of(const Eigen::Ref<const Eigen::MatrixXcd>& x) {
  if constexpr (std::is_same_v<T, Complex>) {
    return x;
  } else {
    Columns<T> parts(x.rows(), 2 * x.cols());
    parts.leftCols(x.cols()) = x.real(), parts.rightCols(x.cols()) = x.imag();
    return parts;
  }
}
template <class T, class Parts>
Eigen::MatrixXcd complex_columns(const Parts& parts) {
  if constexpr (std::is_same_v<T, Complex>) {
    return parts;
  } else {
    const Eigen::Index n = parts.cols() / 2;
    return parts.leftCols(n).template cast<Complex>() +
           Complex(0, 1) * parts.rightCols(n).template cast<Complex>();
  }
}

/// Columns of which the others are linear combinations, approximately.
struct Independent {
  std::vector<Eigen::Index> columns;
  Eigen::MatrixXcd shares;  ///< [these, all]
};

/// @param sums random ones of their rows [few, columns], of nearly their lengths
Independent independent(const Eigen::MatrixXcd& sums) {
  const Eigen::VectorXd lengths = sums.colwise().norm().transpose().cwiseMax(1e-300);
  const auto qr = linalg::column_pivoted_qr(sums * lengths.cwiseInverse().asDiagonal());
  const auto rank = std::max<Eigen::Index>(1, qr.rank(negligible));
  const Eigen::MatrixXcd triangle = qr.r.topLeftCorner(rank, rank), rows = qr.r.topRows(rank);
  const Eigen::MatrixXcd parts = linalg::solve(triangle, rows);
  Independent found{{qr.columns.begin(), qr.columns.begin() + rank}, Eigen::MatrixXcd(rank, sums.cols())};
  for (Eigen::Index i = 0; i < sums.cols(); ++i) {
    const Eigen::Index column = qr.columns[std::size_t(i)];
    for (Eigen::Index c = 0; c < rank; ++c)
      found.shares(c, column) = parts(c, i) * lengths[column] / lengths[found.columns[std::size_t(c)]];
  }
  return found;
}

/// Independent residuals, of which those of all solutions are linear combinations, and their corrections.
template <class T>
struct Tested {
  Columns<T> residuals, corrections;     // [unknowns, residuals]
  std::vector<Eigen::MatrixXcd> shares;  // [frequencies] [some residuals, columns]
  std::vector<Eigen::Index> first;       // [frequencies] of these residuals

  /// Corrections of gradients, whose form is proportional to k0², are stored divided by it [1/m²].
  void append(const Columns<T>& r, Columns<T> e, const std::vector<Eigen::Index>& gradients,
              double k0_squared) {
    const auto before = residuals.cols();
    for (const Eigen::Index u : gradients) e.row(u) *= k0_squared;
    residuals.conservativeResize(r.rows(), before + r.cols()), residuals.rightCols(r.cols()) = r;
    corrections.conservativeResize(r.rows(), before + r.cols()), corrections.rightCols(r.cols()) = e;
  }
  /// Changes of S by some unknowns [residuals, residuals].
  Eigen::MatrixXcd changes(const std::vector<Eigen::Index>& unknowns) const {
    const Columns<T> r = residuals(unknowns, Eigen::all), e = corrections(unknowns, Eigen::all);
    const Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic> half = 0.5 * (r.transpose() * e);
    return (half + half.transpose()).template cast<Complex>();
  }
};

/// Unknowns by their kind.
struct Kinds {
  std::vector<Eigen::Index> gradients, others;
};
Kinds kinds_of(const NextFunctions& next, const Tied& tied) {
  std::vector<char> kind(tied.members.size(), 0);
  each_member(next, tied, [&](const Member& m) { kind[m.unknown] = m.gradient ? 1 : 2; });
  Kinds kinds;
  for (std::size_t u = 0; u < kind.size(); ++u)
    if (kind[u] > 0) (kind[u] == 1 ? kinds.gradients : kinds.others).push_back(Eigen::Index(u));
  return kinds;
}

/// Moves the unknowns from a number on to other kinds.
Kinds split_off(Kinds& kinds, Index from) {
  const auto split = [&](std::vector<Eigen::Index>& of) {
    const auto middle = std::ranges::lower_bound(of, from);
    std::vector<Eigen::Index> rest(middle, of.end());
    of.erase(middle, of.end());
    return rest;
  };
  return {split(kinds.gradients), split(kinds.others)};
}

/// Corrections by solves around edges.
template <class T>
class ByStars {
 public:
  ByStars(const NextFunctions& next, const Kinds& kinds, std::vector<Index> own, std::vector<char> left_out,
          FormOfBand<T>& form, const std::vector<SweepSurplus::Solution>& solutions)
      : next_(next), kinds_(kinds), own_(std::move(own)), left_out_(std::move(left_out)), form_(form) {
    each_ = columns_of<T>(solutions.front()).cols();
    residuals_.resize(next.space().num_dofs(), each_ * Eigen::Index(solutions.size()));
    sums_.resize(linalg::sketch_rows, residuals_.cols());
    const std::size_t last = solutions.size() - 1, middle = last / 2;
    for (std::size_t k = 0; k <= last; ++k)
      if (k != middle) test(k, columns_of<T>(solutions[k]));
    test(middle, columns_of<T>(solutions[middle]));  // at the end, since its form is used again
    solve(0, last);
  }
  Tested<T> tested;

 private:
  /// Residuals of the added functions, of solutions as functions of the next order.
  void test(std::size_t k, const Columns<T>& x) {
    Columns<T> all = Columns<T>::Zero(residuals_.rows(), each_);
    for (std::size_t d = 0; d < own_.size(); ++d)
      if (own_[d] >= 0) all.row(Eigen::Index(d)) = x.row(own_[d]);
    all = form_times(form_.at(k), all);
    for (std::size_t d = 0; d < own_.size(); ++d)
      if (own_[d] >= 0 || left_out_[d]) all.row(Eigen::Index(d)).setZero();
    residuals_.middleCols(Eigen::Index(k) * each_, each_) = -all;
    if (weights_.size() == 0) weights_ = form_.sizes(k).cwiseMax(1e-300).cwiseSqrt().cwiseInverse();
    const Eigen::MatrixXcd sums = linalg::sketch(weights_.asDiagonal() * complex_columns<T>(all));
    sums_.middleCols(Eigen::Index(k) * each_, each_) = -columns_of<T>(sums).template cast<Complex>();
  }

  void solve(std::size_t first, std::size_t last) {
    const std::size_t count = last - first + 1, middle = (first + last) / 2;
    const Eigen::Index begin = Eigen::Index(first) * each_;
    auto [columns, shares] = independent(sums_.middleCols(begin, Eigen::Index(count) * each_));
    for (auto& column : columns) column += begin;
    const Columns<T> r = residuals_(Eigen::all, columns);
    const Columns<T> e = star_corrections<T>(next_.space(), form_.at(middle), left_out_, r, steps_of_bars);
    std::vector<Eigen::MatrixXcd> parts;
    for (std::size_t k = 0; k < count; ++k)
      parts.push_back(complex_columns<T>(shares.middleCols(Eigen::Index(k) * each_, each_)));
    const bool is_long = 4 * count > std::size_t(residuals_.cols() / each_);
    if (count > 1 && is_long && varies(first, last, r, e, parts))
      return solve(first, middle), solve(middle + 1, last);
    tested.first.insert(tested.first.end(), count, tested.residuals.cols());
    tested.shares.insert(tested.shares.end(), parts.begin(), parts.end());
    tested.append(r, e, kinds_.gradients, form_.k0_squared(middle));
  }

  /// Whether the form changes too much over a band, apart from the k² of gradients.
  bool varies(std::size_t first, std::size_t last, const Columns<T>& r, const Columns<T>& e,
              const std::vector<Eigen::MatrixXcd>& shares) {
    const auto part = [&](const std::vector<Eigen::Index>& unknowns) {
      Columns<T> of_kind = Columns<T>::Zero(e.rows(), e.cols());
      of_kind(unknowns, Eigen::all) = e(unknowns, Eigen::all);
      return of_kind;
    };
    const auto is_large = [&](const Columns<T>& of_kind, const Columns<T>& image) {
      const Eigen::MatrixXcd change = (of_kind.transpose() * image).template cast<Complex>(),
                             whole = (of_kind.transpose() * r).template cast<Complex>();
      return std::ranges::any_of(shares, [&](const Eigen::MatrixXcd& y) {
        const auto greatest = [&](const Eigen::MatrixXcd& a) {
          return (y.transpose() * a * y).cwiseAbs().maxCoeff();
        };
        return greatest(change) > most_change * greatest(whole);
      });
    };
    const Columns<T> others = part(kinds_.others);
    if (form_.is_sum()) return is_large(others, form_times(form_.change(first, last), others));
    const Columns<T> gradients = part(kinds_.gradients);
    const Columns<T> others_before = form_times(form_.at(first), others),
                     gradients_before = form_times(form_.at(first), gradients);
    const double scale = form_.k0_squared(last) / form_.k0_squared(first);
    return is_large(gradients, form_times(form_.at(last), gradients) / scale - gradients_before) ||
           is_large(others, form_times(form_.at(last), others) - others_before);
  }

  const NextFunctions& next_;
  const Kinds& kinds_;
  const std::vector<Index> own_;
  const std::vector<char> left_out_;
  FormOfBand<T>& form_;
  Eigen::Index each_;        // columns of a solution
  Columns<T> residuals_;     // [functions, all columns]
  Eigen::VectorXd weights_;  // [functions] that make squares of residuals energies
  Eigen::MatrixXcd sums_;    // [few, all columns] random ones of weighted residuals
};

/// Corrections by the form's diagonal at each frequency. @param test functions at an index of the frequencies
Tested<Complex> by_diagonal(const NedelecSpace& space, const NextFunctions& next, const Kinds& kinds,
                            const Model& model, const std::vector<char>& out,
                            const std::vector<double>& frequencies,
                            const std::vector<SweepSurplus::Solution>& solutions,
                            const std::function<Surplus(std::size_t)>& test) {
  Tested<Complex> tested;
  const auto own = own_unknowns(space, next);
  for (std::size_t k = 0; k < frequencies.size(); ++k) {
    const auto& x = solutions[k];
    const auto tied = tie(next, model, frequencies[k]);
    const auto surplus = amplitudes_of(test(k), tied, out, own, x, x.cols(), {}, next.space().num_dofs());
    tested.first.push_back(tested.residuals.cols());
    tested.shares.push_back(Eigen::MatrixXcd::Identity(x.cols(), x.cols()));
    tested.append(residuals_of(surplus, which_are_own(own, tied)), surplus.amplitudes, kinds.gradients,
                  square(wavenumber(frequencies[k])));
  }
  return tested;
}

}  // namespace

SweepSurplus::SweepSurplus(const NedelecSpace& space, const Model& model, std::vector<double> frequencies,
                           const std::vector<Solution>& solutions, const std::vector<Index>& truncation) {
  const NextFunctions next(space, model);
  const auto out = functions_left_out(next, model, truncation);
  by_stars_ = next.is_corrected_by_stars(model);
  const bool has_fourth = next.level() > max_order;
  Kinds kinds = kinds_of(next, tie(next, model, frequencies.front()));
  const auto take = [&](const auto& tested, double weight) {
    parts_.push_back({weight * tested.changes(kinds.gradients), weight * tested.changes(kinds.others),
                      tested.shares, tested.first});
  };
  const auto take_by_diagonal = [&](const auto& test, double weight = 1) {
    take(by_diagonal(space, next, kinds, model, out, frequencies, solutions, test), weight);
  };
  const auto take_by_form = [&]<class T>(FormOfBand<T> form) {
    auto own = own_unknowns(space, next);
    if (!by_stars_)
      return take_by_diagonal([&](std::size_t k) { return by_form(form.at(k), own, solutions[k]); });
    own.resize(std::size_t(next.space().num_dofs()));
    const Kinds fourth = split_off(kinds, next.space().num_dofs());
    take(ByStars<T>(next, kinds, own, out, form, solutions).tested, 1);
    kinds = fourth;
  };
  const auto materials = [&](std::size_t k) { return materials_at(model, *space.mesh, frequencies[k]); };
  const auto is_real = [&](double f) { return materials_at(model, *space.mesh, f).is_real(); };
  const auto take_by_cells = [&](double weight) {
    take_by_diagonal(
        [&](std::size_t k) {
          return sum_over_cells(space, next, materials(k), wavenumber(frequencies[k]), solutions[k]);
        },
        weight);
  };
  if (has_fourth && !by_stars_)
    take_by_cells(1);
  else if (std::all_of(frequencies.begin(), frequencies.end(), is_real))
    take_by_form(FormOfBand<double>(next.space(), model, frequencies));
  else
    take_by_form(FormOfBand<Complex>(next.space(), model, frequencies));
  if (has_fourth && by_stars_) take_by_cells(fourth_over_stars);
  for (std::size_t k = 0; k < frequencies.size(); ++k)
    weights_.add(square(frequencies[k]), linalg::sketch(solutions[k]).reshaped());
}

SweepSurplus::Changes SweepSurplus::at(double frequency) const {
  const auto weights = weights_.at(square(frequency)).of_values;
  const Eigen::Index columns = parts_.front().shares.front().cols();
  Changes changes{Eigen::MatrixXcd::Zero(columns, columns), Eigen::MatrixXcd::Zero(columns, columns)};
  for (const Part& part : parts_) {
    Eigen::MatrixXcd y = Eigen::MatrixXcd::Zero(part.gradients.rows(), columns);
    for (std::size_t k = 0; k < part.shares.size(); ++k)
      y.middleRows(part.first[k], part.shares[k].rows()) += weights[Eigen::Index(k)] * part.shares[k];
    changes.gradients += y.transpose() * part.gradients * y / square(wavenumber(frequency));
    changes.others += y.transpose() * part.others * y;
  }
  return changes;
}

}  // namespace curlew::fem
