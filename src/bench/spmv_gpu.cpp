// SPDX-License-Identifier: BSD-3-Clause
// Products on the GPU: every format of ours and of cuSPARSE in one run, against the copy bandwidth measured
// in it.
#include <fmt/format.h>

#include <map>

#include "base/error.hpp"
#include "bench/device_timing.hpp"
#include "bench/sparse_peers.hpp"
#include "bench/spmv_parts.hpp"
#include "linalg/sparse/choose.hpp"
#include "linalg/sparse/device_blocks.hpp"
#include "linalg/sparse/device_matrix.hpp"

namespace curlew::bench {
namespace {

using linalg::Csr;
using linalg::DeviceOperator;

struct Measured {
  std::string name;
  double bytes = 0, cold = 0, warm = 0;
};

/// x, y and the right answer of one matrix on the device.
template <class R>
class Bench {
 public:
  Bench(const Csr<std::complex<R>>& a, int repeat) : a_(a), timer_(repeat), x_(a.num_cols), y_(a.num_rows) {
    std::vector<std::complex<R>> x;
    for (Index i = 0; i < a.num_cols; ++i)
      x.emplace_back(R((i * 37 % 101) - 50) / 50, R((i * 53 % 97) - 48) / 48);
    reference_.resize(a.num_rows);
    linalg::multiply(a, x.data(), reference_.data());
    x_.upload(reinterpret_cast<const complex<R>*>(x.data()));
  }

  Measured measure(const std::string& name, const DeviceOperator<complex<R>>& product, double bytes,
                   double slack = 1) {
    verify(name, product, slack);
    const auto call = [&] { product.apply(x_.data(), y_.data(), {}); };
    return {name, bytes, timer_.cold(call), timer_.warm(call)};
  }
  /// By a graph on a stream of its own, for products of many kernels.
  Measured measure_recorded(const std::string& name, const DeviceOperator<complex<R>>& product,
                            double bytes) {
    verify(name, product, 1);
    const RecordedCall call([&](cudaStream_t stream) {
      product.apply(x_.data(), y_.data(), {stream, nullptr});
    });
    return {name, bytes, timer_.cold(call, call.stream()), timer_.warm(call, 20, call.stream())};
  }
  DeviceTimer& timer() { return timer_; }
  const complex<R>* x() const { return x_.data(); }

 private:
  void verify(const std::string& name, const DeviceOperator<complex<R>>& product, double slack) {
    CURLEW_CUDA_CALL(cudaMemset(y_.data(), 0xff, y_.bytes()));
    product.apply(x_.data(), y_.data(), {});
    std::vector<complex<R>> y = y_.to_host();
    double worst = 0, largest = 0;
    for (Index i = 0; i < a_.num_rows; ++i) {
      const double error =
          std::abs(std::complex<double>(y[i].re, y[i].im) - std::complex<double>(reference_[i]));
      worst = error == error ? std::max(worst, error) : 1e300;
      largest = std::max(largest, double(std::abs(reference_[i])));
    }
    if (worst > 1e3 * slack * std::numeric_limits<R>::epsilon() * largest) {
      throw NumericalError(fmt::format("em-bench: wrong product: {}, error {:.2e}", name, worst / largest));
    }
  }

  const Csr<std::complex<R>>& a_;
  DeviceTimer timer_;
  cuda::Buffer<complex<R>> x_, y_;
  std::vector<std::complex<R>> reference_;
};

linalg::EllOptions options_of(linalg::EllKind kind, const std::vector<Offset>& row_offsets) {
  auto o = linalg::choose_ell(row_offsets).options;
  o.kind = kind;
  if (kind == linalg::EllKind::ell_r || kind == linalg::EllKind::ellr_t) o.sort_window = 0;
  if (kind == linalg::EllKind::sliced_ell) o.slice_height = 32, o.sort_window = 8192;
  return o;
}

template <class R>
std::vector<Measured> measure_formats(const Csr<std::complex<R>>& a, int repeat, double& copy) {
  Bench<R> bench(a, repeat);
  copy = copy_bandwidth(bench.timer());
  std::vector<Measured> out;
  for (const auto& peer : cusparse_products<R>(a)) {
    out.push_back(bench.measure(peer.name, *peer.product, crs_traffic(a.nnz(), a.num_rows, 2 * sizeof(R))));
  }
  const linalg::DeviceCrs<R> crs(a);
  out.push_back(bench.measure("CRS", crs, double(crs.bytes())));
  for (const auto kind : {linalg::EllKind::ell_r, linalg::EllKind::sliced_ell, linalg::EllKind::ellr_t,
                          linalg::EllKind::sliced_ellr_t}) {
    const linalg::DeviceEll<R> ell(to_ell(a, options_of(kind, a.row_offsets)));
    out.push_back(bench.measure(name_of(kind), ell, double(ell.bytes())));
  }
  const linalg::DevicePacked<R, R> packed(linalg::pack<R>(a));
  out.push_back(bench.measure("packed", packed, double(packed.bytes())));
  return out;
}

Measured single_under_double(const Csr<Complex>& a, int repeat) {
  Bench<double> bench(a, repeat);
  const linalg::DevicePacked<float, double> packed(linalg::pack<float>(a));
  return bench.measure("packed, single under double", packed, double(packed.bytes()), 1e9);
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
                "CRS floor/warm", "cold x peer", "warm x peer"});
  const double floor = crs_traffic(m.a.nnz(), m.a.num_rows, w) / copy;
  const double flops = 8e-9 * double(m.a.nnz());
  const double peer_cold = best_peer(all, &Measured::cold), peer_warm = best_peer(all, &Measured::warm);
  for (const Measured& f : all) {
    report.row({f.name, 1e-6 * f.bytes, 1e6 * f.cold, 1e6 * f.warm, flops / f.cold, flops / f.warm,
                floor / f.cold, floor / f.warm, peer_cold / f.cold, peer_warm / f.warm});
  }
  report.note(fmt::format(
      "CRS bytes {:.1f} MB, floor {:.1f} us at the copy's speed; cold: caches filled with other data before "
      "each call; warm: 20 calls in a row; x peer: against the best cuSPARSE format",
      1e-6 * floor * copy, 1e6 * floor));
}

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
      piece.a = std::make_unique<linalg::DeviceEll<R>>(to_ell(b, options_of(kind, b.row_offsets)));
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
  Bench<R> bench(a, options.repeat);
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
      const linalg::DeviceEll<R> whole(to_ell(a, options_of(kind, a.row_offsets)));
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

template <class R>
std::vector<double> block_rates(const Csr<std::complex<R>>& b, int repeat) {
  Bench<R> bench(b, repeat);
  const double flops = 8e-9 * double(b.nnz());
  double peer = 1e300;
  for (const auto& p : cusparse_products<R>(b))
    peer = std::min(peer, bench.measure(p.name, *p.product, 0).warm);
  std::vector<double> rates = {flops / peer};
  for (const auto kind : {linalg::EllKind::ell_r, linalg::EllKind::ellr_t, linalg::EllKind::sliced_ellr_t}) {
    const linalg::DeviceEll<R> ell(to_ell(b, options_of(kind, b.row_offsets)));
    rates.push_back(flops / bench.measure(name_of(kind), ell, 0).warm);
  }
  const linalg::DevicePacked<R, R> packed(linalg::pack<R>(b));
  rates.push_back(flops / bench.measure("packed", packed, 0).warm);
  return rates;
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

void spmv_blocks_on_device(const SpmvMatrix& m, const Options& options, Report& report) {
  const auto single = to_single(m.a);
  report.table("Section 4.1.1: one, nine and eleven kernels [GFLOP/s, warm, graphs], " + m.name,
               {"format", "one", "nine in sequence", "nine at once", "eleven at once", "at once/sequence",
                "paper 1", "paper 9", "paper 11"});
  concurrent_rows<double>(m, m.a, options, report);
  concurrent_rows<float>(m, single, options, report);
  for (const bool is_double : {false, true}) {
    report.table(fmt::format("Figure {}: complex {} per block [GFLOP/s, warm], {}", is_double ? 3 : 2,
                             is_double ? "double" : "single", m.name),
                 {"block", "best cuSPARSE", "ELL-R", "ELLR-T", "Sliced ELLR-T", "packed"});
    for (int a = 0; a < 3; ++a) {
      for (int b = 0; b < 3; ++b) {
        const auto block = linalg::block(m.a, m.offsets[a], m.offsets[a + 1], m.offsets[b], m.offsets[b + 1]);
        const auto rates = is_double ? block_rates<double>(block, options.repeat)
                                     : block_rates<float>(to_single(block), options.repeat);
        report.row({fmt::format("A{}{}", a, b), rates[0], rates[1], rates[2], rates[3], rates[4]});
      }
    }
  }
}

void spmv_tuning_on_device(const SpmvMatrix& m, const Options& options, Report& report) {
  report.table("Packed format by options, complex double and single, " + m.name,
               {"steps, window", "B/nnz", "z cold [us]", "z warm [us]", "c cold [us]", "c warm [us]"});
  const auto single = to_single(m.a);
  Bench<double> bench(m.a, options.repeat);
  Bench<float> bench_f(single, options.repeat);
  for (const int steps : {0, 4, 8, 16}) {
    linalg::PackOptions o;
    o.target_steps = steps;
    const linalg::DevicePacked<double, double> packed(linalg::pack<double>(m.a, o));
    const linalg::DevicePacked<float, float> packed_f(linalg::pack<float>(single, o));
    const auto z = bench.measure("packed", packed, double(packed.bytes()));
    const auto c = bench_f.measure("packed", packed_f, double(packed_f.bytes()));
    report.row({fmt::format("{}, {}", steps, o.sort_window), z.bytes / double(m.a.nnz()), 1e6 * z.cold,
                1e6 * z.warm, 1e6 * c.cold, 1e6 * c.warm});
  }
}

}  // namespace curlew::bench
