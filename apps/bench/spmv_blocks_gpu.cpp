// SPDX-License-Identifier: BSD-3-Clause
// The blocks of the orders on the GPU: all of them in one product, by one, nine and eleven kernels
// (section 4.1.1 of the Sliced ELLR-T paper), and each of them alone (its figures 2 to 4).
#include <fmt/format.h>

#include <map>

#include "base/threads.hpp"
#include "bench/product_bench.hpp"
#include "bench/sparse_peers.hpp"
#include "linalg/sparse/device_blocks.hpp"
#include "linalg/sparse/device_matrix.hpp"

namespace curlew::bench {
namespace {

using linalg::Csr;

/// Products of nine or eleven blocks in one format.
template <class R>
std::vector<linalg::DeviceBlock<R>> make_blocks(const Csr<std::complex<R>>& a,
                                                const std::array<Index, 4>& offsets,
                                                const std::string& format, bool eleven) {
  std::vector<linalg::DeviceBlock<R>> out;
  const auto add = [&](Index r0, Index r1, Index c0, Index c1, int block_column) {
    const auto b = linalg::block(a, r0, r1, c0, c1);
    linalg::DeviceBlock<R> piece;
    piece.row = r0, piece.column = c0, piece.block_column = block_column;
    if (format == "packed")
      piece.a = std::make_unique<linalg::DevicePacked<R, R>>(linalg::pack<R>(b));
    else if (format == "CRS")
      piece.a = std::make_unique<linalg::DeviceCrs<R>>(b);
    else {
      const auto kind = format == "ELLR-T" ? linalg::EllKind::ellr_t : linalg::EllKind::sliced_ellr_t;
      piece.a = std::make_unique<linalg::DeviceEll<R>>(to_ell(b, ell_options(kind, b.row_offsets)));
    }
    out.push_back(std::move(piece));
  };
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      const Index r0 = offsets[i], r1 = offsets[i + 1], c0 = offsets[j], c1 = offsets[j + 1];
      if (eleven && i == j && i > 0) {
        add(r0, (r0 + r1) / 2, c0, c1, j);
        add((r0 + r1) / 2, r1, c0, c1, j);
      } else {
        add(r0, r1, c0, c1, j);
      }
    }
  }
  return out;
}

template <class R>
void concurrent_rows(const SpmvMatrix& m, const Csr<std::complex<R>>& a, const Options& options,
                     Report& report) {
  ProductBench<R> bench(a, options.repeat);
  const double flops = 8e-9 * double(a.nnz());
  const std::map<std::string, std::array<double, 3>> paper = {{"ELLR-T", {62.51, 65.45, 69.02}},
                                                              {"Sliced ELLR-T", {59.34, 62.76, 67.52}}};
  for (const std::string format : {"ELLR-T", "Sliced ELLR-T", "packed"}) {
    const auto product = [&](bool eleven, bool concurrent) {
      const linalg::DeviceBlocks<R> blocks(a.num_rows, make_blocks<R>(a, m.offsets, format, eleven),
                                           concurrent);
      return bench.measure_recorded(format, blocks, 0).warm;
    };
    const double one = [&] {
      if (format == "packed") {
        const linalg::DevicePacked<R, R> whole(linalg::pack<R>(a));
        return bench.measure_recorded(format, whole, 0).warm;
      }
      const auto kind = format == "ELLR-T" ? linalg::EllKind::ellr_t : linalg::EllKind::sliced_ellr_t;
      const linalg::DeviceEll<R> whole(to_ell(a, ell_options(kind, a.row_offsets)));
      return bench.measure_recorded(format, whole, 0).warm;
    }();
    const double sequence = product(false, false), nine = product(false, true), eleven = product(true, true);
    const auto printed = paper.find(format);
    const bool show = sizeof(R) == 4 && printed != paper.end();
    const auto figure = [&](int i) -> nlohmann::json {
      return show ? nlohmann::json(printed->second[i]) : nullptr;
    };
    report.row({fmt::format("{}, {}", format, sizeof(R) == 8 ? "double" : "single"), flops / one,
                flops / sequence, flops / nine, flops / eleven, sequence / nine, figure(0), figure(1),
                figure(2)});
  }
}

/// Compressed rows on all threads of the CPU.
template <class R>
double host_seconds(const Csr<std::complex<R>>& b, int repeat) {
  const auto x = product_vector<R>(b.num_cols);
  std::vector<std::complex<R>> y(std::size_t(b.num_rows));
  return time_calls(3 * repeat, [&] { linalg::multiply(b, x.data(), y.data()); }).median;
}

/// GFLOP/s of one block: CPU, the best of cuSPARSE, ELL-R, ELLR-T, Sliced ELLR-T, packed.
template <class R>
std::vector<double> block_rates(const Csr<std::complex<R>>& b, int repeat) {
  ProductBench<R> bench(b, repeat);
  const double flops = 8e-9 * double(b.nnz());
  double peer = 1e300;
  for (const auto& p : cusparse_products<R>(b))
    peer = std::min(peer, bench.measure(p.name, *p.product, 0).warm);
  std::vector<double> rates = {flops / host_seconds(b, repeat), flops / peer};
  for (const auto kind : {linalg::EllKind::ell_r, linalg::EllKind::ellr_t, linalg::EllKind::sliced_ellr_t}) {
    const linalg::DeviceEll<R> ell(to_ell(b, ell_options(kind, b.row_offsets)));
    rates.push_back(flops / bench.measure(name_of(kind), ell, 0).warm);
  }
  const linalg::DevicePacked<R, R> packed(linalg::pack<R>(b));
  rates.push_back(flops / bench.measure("packed", packed, 0).warm);
  return rates;
}

}  // namespace

void spmv_blocks_on_device(const SpmvMatrix& m, const Options& options, Report& report) {
  const auto single = to_single(m.a);
  report.table("Section 4.1.1: one, nine and eleven kernels [GFLOP/s, warm, graphs], " + m.name,
               {"format", "one", "nine in sequence", "nine at once", "eleven at once", "at once/sequence",
                "paper 1", "paper 9", "paper 11"});
  concurrent_rows<double>(m, m.a, options, report);
  concurrent_rows<float>(m, single, options, report);
  for (const bool is_double : {false, true}) {
    report.table(fmt::format("Figures {} and 4: complex {} per block [GFLOP/s, warm], {} CPU threads, {}",
                             is_double ? 3 : 2, is_double ? "double" : "single", num_threads(), m.name),
                 {"block", "CPU CRS", "best cuSPARSE", "ELL-R", "ELLR-T", "Sliced ELLR-T", "packed",
                  "Sliced ELLR-T/CPU"});
    for (int a = 0; a < 3; ++a) {
      for (int b = 0; b < 3; ++b) {
        const auto block = linalg::block(m.a, m.offsets[a], m.offsets[a + 1], m.offsets[b], m.offsets[b + 1]);
        const auto rates = is_double ? block_rates<double>(block, options.repeat)
                                     : block_rates<float>(to_single(block), options.repeat);
        report.row({fmt::format("A{}{}", a, b), rates[0], rates[1], rates[2], rates[3], rates[4], rates[5],
                    rates[4] / rates[0]});
      }
    }
    if (m.is_antenna)
      report.note(
          "paper: drawings without numbers; Sliced ELLR-T on a GTX 480 up to 6 times MKL on six cores");
  }
}

}  // namespace curlew::bench
