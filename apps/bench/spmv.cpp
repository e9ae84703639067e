// SPDX-License-Identifier: BSD-3-Clause
// em-bench spmv: tables 1 and 2 and figures 2 to 4 of A. Dziekonski, A. Lamecki, M. Mrozowski, "A memory
// efficient and fast sparse matrix vector product on a GPU", PIER 116 (2011), table 9 of the Krylov paper
// (spmv_acoustic.cpp), and further formats.
#include <fmt/format.h>

#include "base/error.hpp"
#include "bench/cases.hpp"
#include "bench/sparse_matrices.hpp"
#include "bench/spmv_parts.hpp"
#include "curlew/build.hpp"
#include "footprint.hpp"
#include "linalg/sparse/choose.hpp"
#include "linalg/sparse/packed.hpp"

namespace curlew::bench {
namespace {

linalg::Csr<Complex> block_of(const SpmvMatrix& m, int a, int b) {
  return linalg::block(m.a, m.offsets[a], m.offsets[a + 1], m.offsets[b], m.offsets[b + 1]);
}

void table_1(const SpmvMatrix& m, Report& report) {
  report.table("Table 1: the test matrix, " + m.name,
               {"block", "rows", "complex nnz", "nnz/row", "values [MB]", "printed nnz", "printed MB"});
  const BlockTable printed = antenna_table(true);
  const auto row = [&](const std::string& name, const linalg::Csr<Complex>& a, Offset paper_nnz,
                       double paper_mb) {
    const auto paper = [&](auto figure) { return m.is_antenna ? nlohmann::json(figure) : nullptr; };
    report.row({name, a.num_rows, a.nnz(), double(a.nnz()) / a.num_rows, 16e-6 * double(a.nnz()),
                paper(paper_nnz), paper(paper_mb)});
  };
  row("A", m.a, 21697606, 173.58);
  for (int a = 0; a < 3; ++a) {
    for (int b = 0; b < 3; ++b) {
      row(fmt::format("A{}{}", a, b), block_of(m, a, b), printed.nnz[a][b], 8e-6 * double(printed.nnz[a][b]));
    }
  }
  const auto rows = linalg::row_statistics(m.a.row_offsets);
  report.note(
      fmt::format("rows of {} to {} entries, deviation {:.1f}{}", rows.shortest, rows.longest, rows.deviation,
                  m.is_antenna ? "; printed counts are of real numbers (see docs/measured/sparse.md)" : ""));
}

struct Footprints {
  double crs = 0, formula_1 = 0, ell_r = 0, formula_2 = 0, ellr_t = 0, sliced_ell = 0, sliced = 0, packed = 0;
};
void add(Footprints& f, const linalg::Csr<Complex>& a) {
  const auto rows = linalg::row_statistics(a.row_offsets);
  linalg::EllOptions o = linalg::choose_ell(a.row_offsets).options;
  f.crs += double(linalg::stored_bytes(a));
  f.formula_1 += linalg::crs_footprint(a.nnz(), a.num_rows, 16);
  f.sliced += double(linalg::stored_bytes(linalg::to_ell(a, o)));
  f.sliced_ell += double(
      linalg::stored_bytes(linalg::to_ell(a, ell_options(linalg::EllKind::sliced_ell, a.row_offsets))));
  o.kind = linalg::EllKind::ellr_t, o.sort_window = 0;
  f.ellr_t += double(linalg::stored_bytes(linalg::to_ell(a, o)));
  o.kind = linalg::EllKind::ell_r;
  const auto ell = linalg::to_ell(a, o);
  f.ell_r += double(linalg::stored_bytes(ell));
  f.formula_2 += linalg::ell_r_footprint(rows.longest, a.num_rows, Index(ell.row_lengths.size()), 16);
  f.packed += double(linalg::stored_bytes(linalg::pack<double>(a)));
}

void table_2(const SpmvMatrix& m, Report& report) {
  report.table("Table 2: memory in complex double [MB], counted and by the paper's formulas, " + m.name,
               {"matrix", "CRS", "formula (1)", "ELL-R", "formula (2)", "ELLR-T", "Sliced ELL",
                "Sliced ELLR-T", "over CRS [%]", "packed", "packed/CRS"});
  const auto print = [&](const std::string& name, const Footprints& f) {
    report.row({name, 1e-6 * f.crs, 1e-6 * f.formula_1, 1e-6 * f.ell_r, 1e-6 * f.formula_2, 1e-6 * f.ellr_t,
                1e-6 * f.sliced_ell, 1e-6 * f.sliced, 100 * (f.sliced / f.crs - 1), 1e-6 * f.packed,
                f.packed / f.crs});
  };
  Footprints whole, blocks;
  add(whole, m.a);
  print("A", whole);
  if (m.offsets[3] > 0) {
    for (int a = 0; a < 3; ++a) {
      for (int b = 0; b < 3; ++b) add(blocks, block_of(m, a, b));
    }
    print("nine blocks", blocks);
  }
  if (m.is_antenna) {
    report.row({"paper, A", 217.56, 217.56, 783.90, nullptr, 785.98, nullptr, 226.76, 4.2, nullptr, nullptr});
    report.row({"paper, nine blocks", 218.74, 218.74, 786.10, nullptr, 795.05, nullptr, 236.24, 8.0, nullptr,
                nullptr});
  }
  report.note(linalg::choose_ell(m.a.row_offsets).reason);
}

SpmvMatrix antenna(const std::string& name, bool printed, double complex_share) {
  auto made = antenna_matrix(printed, complex_share);
  return {name, std::move(made.a), made.offsets, true};
}

struct Known {
  const char* name;
  SpmvMatrix (*make)();
};
const Known known[] = {
    {"antenna", [] { return antenna("antenna (146517 rows, 10.85 M nonzeros, all complex)", false, 1); }},
    {"antenna-pml",
     [] { return antenna("antenna-pml (the same, complex in 30 % of the volume)", false, 0.3); }},
    {"antenna-printed", [] { return antenna("antenna-printed (21.70 M nonzeros, all complex)", true, 1); }},
    {"cabin",
     [] {
       return SpmvMatrix{"cabin (Audi3D-4: 648849 rows, 15.44 M nonzeros)",
                         acoustic_matrix(acoustic_cases()[3])};
     }},
    {"cabin-complex", [] {
       return SpmvMatrix{"cabin-complex (cabin with all entries complex)",
                         with_imaginary_parts(acoustic_matrix(acoustic_cases()[3]))};
     }}};

void measure(const SpmvMatrix& m, const Options& options, Report& report) {
  if (m.offsets[3] > 0) table_1(m, report);
  table_2(m, report);
  if (options.device == Device::cpu) {
    spmv_on_cpu(m, options, report);
    return;
  }
#ifdef CURLEW_HAVE_CUDA
  spmv_on_device(m, options, report);
  if (m.offsets[3] > 0) spmv_blocks_on_device(m, options, report);
#endif
}

}  // namespace

double crs_traffic(Offset nnz, Index rows, double w) {
  return double(nnz) * (w + 4) + 4.0 * rows + 2.0 * rows * w;
}

linalg::Csr<ComplexF> to_single(const linalg::Csr<Complex>& a) {
  linalg::Csr<ComplexF> b;
  b.num_rows = a.num_rows, b.num_cols = a.num_cols;
  b.row_offsets = a.row_offsets, b.columns = a.columns;
  b.values.assign(a.values.begin(), a.values.end());
  return b;
}

linalg::EllOptions ell_options(linalg::EllKind kind, const std::vector<Offset>& row_offsets) {
  auto o = linalg::choose_ell(row_offsets).options;
  o.kind = kind;
  if (kind == linalg::EllKind::ell_r || kind == linalg::EllKind::ellr_t) o.sort_window = 0;
  if (kind == linalg::EllKind::sliced_ell) o.slice_height = 32, o.sort_window = 8192;
  return o;
}

std::vector<std::pair<std::string, linalg::EllOptions>> sliced_formats(
    const std::vector<Offset>& row_offsets) {
  std::vector<std::pair<std::string, linalg::EllOptions>> formats{
      {"Sliced ELL", ell_options(linalg::EllKind::sliced_ell, row_offsets)},
      {"Sliced ELLR-T", ell_options(linalg::EllKind::sliced_ellr_t, row_offsets)}};
  const linalg::EllOptions chosen = formats[1].second;
  for (const int threads : {2, 4, 8}) {  // the paper's
    if (threads == chosen.threads_per_row) continue;
    formats.emplace_back(fmt::format("Sliced ELLR-T, T = {}", threads), chosen);
    formats.back().second.threads_per_row = threads;
  }
  return formats;
}

void spmv(const Options& options, Report& report) {
  if (!options.matrix.empty()) {
    BlockMatrix read = read_matrix(options.matrix);
    measure({options.matrix, std::move(read.a), read.offsets}, options, report);
    return;
  }
  for (const Known& k : known)
    if (wants(options, k.name)) measure(k.make(), options, report);
  if (wants(options, "acoustic")) spmv_acoustic(options, report);
}

}  // namespace curlew::bench
