// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Measured on both devices by `em-bench vector`.

#include <string>
#include <vector>

#include "bench/cases.hpp"
#include "linalg/vector/level1.hpp"

namespace curlew::bench {

struct VectorOperation {
  std::string name, title;
  int vectors;                                 ///< vectors read and written
  std::vector<double> paper_ms, paper_cpu_ms;  ///< GPU and CPU by size; empty where the paper has none
};
const std::vector<VectorOperation>& vector_operations();
const std::vector<Offset>& vector_sizes();

template <class B>
void run_vector_operation(const std::string& name, B& backend, Offset n, complex<double>* x,
                          complex<double>* y, linalg::Sum* dot_result, double* norm_result) {
  const complex<double>* cx = x;
  const complex<double>* cy = y;
  if (name == "assign")
    linalg::assign(backend, n, cx, y);
  else if (name == "scale")
    linalg::scale(backend, n, linalg::Sum(0.6, 0.8), x);
  else if (name == "axpy")
    linalg::axpy(backend, n, linalg::Sum(1e-3, 1e-3), cx, y);
  else if (name == "multiply")
    linalg::multiply_elements(backend, n, cx, y);
  else if (name == "dot")
    linalg::dot(backend, n, cx, cy, dot_result);
  else if (name == "norm")
    linalg::norm(backend, n, cx, norm_result);
  else
    linalg::axpy_norm(backend, n, linalg::Sum(1e-3, 1e-3), cx, y, norm_result);
}

/// Operations with all threads of the CPU, on vectors of the largest size.
class HostVectors {
 public:
  HostVectors();
  /// Median of calls. @param n at most the largest of vector_sizes()
  double seconds(const std::string& operation, Offset n, int repeat);

 private:
  std::vector<complex<double>> x_, y_;
};

/// For builds with CUDA.
void vector_on_device(const Options& options, Report& report);

}  // namespace curlew::bench
