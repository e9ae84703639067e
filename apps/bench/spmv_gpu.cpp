// SPDX-License-Identifier: BSD-3-Clause
// Products on the GPU: every format of ours and of cuSPARSE in one run, against the copy bandwidth measured
// in it.
#include <fmt/format.h>

#include <algorithm>

#include "bench/product_bench.hpp"
#include "bench/sparse_peers.hpp"
#include "linalg/sparse/choose.hpp"
#include "linalg/sparse/device_matrix.hpp"

namespace curlew::bench {
namespace {

using linalg::Csr;

template <class R>
bool has_grid(const linalg::Packed<R>& a) {
  return std::ranges::any_of(
      a.slices, [](const linalg::PackedSlice& s) { return s.columns == linalg::PackedColumns::shifted; });
}

template <class R>
std::vector<Measured> measure_formats(const Csr<std::complex<R>>& a, int repeat, double& copy) {
  ProductBench<R> bench(a, repeat);
  copy = copy_bandwidth(bench.timer());
  std::vector<Measured> out;
  for (const auto& peer : cusparse_products<R>(a)) {
    out.push_back(bench.measure(peer.name, *peer.product, crs_traffic(a.nnz(), a.num_rows, 2 * sizeof(R))));
  }
  const linalg::DeviceCrs<R> crs(a);
  out.push_back(bench.measure("CRS", crs, double(crs.bytes())));
  for (const auto kind : {linalg::EllKind::ell_r, linalg::EllKind::ellr_t}) {
    const linalg::DeviceEll<R> ell(to_ell(a, ell_options(kind, a.row_offsets)));
    out.push_back(bench.measure(name_of(kind), ell, double(ell.bytes())));
  }
  for (const auto& [name, o] : sliced_formats(a.row_offsets)) {
    const linalg::DeviceEll<R> ell(to_ell(a, o));
    out.push_back(bench.measure(name, ell, double(ell.bytes())));
  }
  const auto host = linalg::pack<R>(a);
  const linalg::DevicePacked<R, R> packed(host);
  out.push_back(bench.measure("packed", packed, double(packed.bytes())));
  if (has_grid(host)) {
    linalg::PackOptions o;
    o.shifted = false;
    const linalg::DevicePacked<R, R> plain(linalg::pack<R>(a, o));
    out.push_back(bench.measure("packed, grid not used", plain, double(plain.bytes())));
  }
  return out;
}

/// The values are rounded once to single precision, the sums are double.
Measured single_under_double(const Csr<Complex>& a, int repeat) {
  constexpr double ulps = 1u << 29;
  ProductBench<double> bench(a, repeat);
  const linalg::DevicePacked<float, double> packed(linalg::pack<float>(a));
  return bench.measure("packed, single under double", packed, double(packed.bytes()), ulps);
}

bool is_peer(const std::string& name) {
  return name.rfind("cuSPARSE", 0) == 0;
}
double best_peer(const std::vector<Measured>& all, double Measured::*time) {
  double best = 1e300;
  for (const Measured& m : all) {
    if (is_peer(m.name)) best = std::min(best, m.*time);
  }
  return best;
}

void print_precision(const SpmvMatrix& m, const std::vector<Measured>& all, double copy, double w,
                     Report& report) {
  report.table(fmt::format("{} on {}, copy {:.3f} TB/s, {}", w == 16 ? "Complex double" : "Complex single",
                           device_info().name, 1e-12 * copy, m.name),
               {"format", "MB", "cold [us]", "warm [us]", "GFLOP/s", "warm GF/s", "CRS floor/cold",
                "CRS floor/warm", "cold x peer", "warm x peer", "error [ulp]"});
  const double floor = crs_traffic(m.a.nnz(), m.a.num_rows, w) / copy;
  const double flops = 8e-9 * double(m.a.nnz());
  const double peer_cold = best_peer(all, &Measured::cold), peer_warm = best_peer(all, &Measured::warm);
  for (const Measured& f : all) {
    report.row({f.name, 1e-6 * f.bytes, 1e6 * f.cold, 1e6 * f.warm, flops / f.cold, flops / f.warm,
                floor / f.cold, floor / f.warm, peer_cold / f.cold, peer_warm / f.warm, f.error});
  }
  report.note(fmt::format(
      "CRS bytes {:.1f} MB, floor {:.1f} us at the copy's speed; cold: caches filled with other data before "
      "each call; warm: 20 calls in a row; x peer: against the best cuSPARSE format; error: against extended "
      "precision, in units of the last place of the row of |A| |x|",
      1e-6 * floor * copy, 1e6 * floor));
}

}  // namespace

void spmv_on_device(const SpmvMatrix& m, const Options& options, Report& report) {
  double copy = 0;
  auto doubles = measure_formats<double>(m.a, options.repeat, copy);
  doubles.push_back(single_under_double(m.a, options.repeat));
  print_precision(m, doubles, copy, 16, report);
  print_precision(m, measure_formats<float>(to_single(m.a), options.repeat, copy), copy, 8, report);
  if (m.is_antenna) {
    report.note(
        "paper, GTX 480, complex single: ELL-R 38.38, ELLR-T 62.51, Sliced ELLR-T 59.34 GFLOP/s; double, "
        "best: 36");
  }
}

DeviceProducts product_seconds_on_device(const linalg::Csr<Complex>& a, int repeat) {
  ProductBench<double> bench(a, repeat);
  DeviceProducts out{1e300, 0, 0};
  for (const auto& peer : cusparse_products<double>(a))
    out.peer = std::min(out.peer, bench.measure(peer.name, *peer.product, 0).warm);
  out.crs = bench.measure("CRS", linalg::DeviceCrs<double>(a), 0).warm;
  out.packed = bench.measure("packed", linalg::DevicePacked<double, double>(linalg::pack<double>(a)), 0).warm;
  return out;
}

}  // namespace curlew::bench
