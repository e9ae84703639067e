// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The pattern whose analysis serves the next factorisations: made when it changes, or early in another
// thread.

#include <cstdint>
#include <future>
#include <memory>

#include "base/threads.hpp"
#include "linalg/csr.hpp"

namespace curlew::linalg {

class AnalysedPattern {
 public:
  /// Calls analyse(a) unless the last pattern was that of a. @throws its exceptions, also of an early
  /// analysis
  template <class Analyse>
  void require(const Csr<Complex>& a, const Analyse& analyse) {
    if (early_.valid()) hash_ = early_.get();
    if (const std::uint64_t hash = pattern_hash(a); hash != hash_) {
      hash_ = 0;
      analyse(a);
      hash_ = hash;
    }
  }
  /// Begins analyse(a) in another thread. @param a values are ignored
  template <class Analyse>
  void begin(Csr<Complex> a, Analyse analyse) {
    early_ = std::async(std::launch::async, [analyse, a = std::move(a), threads = num_threads()] {
      set_num_threads_here(threads);
      analyse(a);
      return pattern_hash(a);
    });
  }
  void forget() { hash_ = 0; }

 private:
  std::uint64_t hash_ = 0;  // 0: none
  std::future<std::uint64_t> early_;
};

}  // namespace curlew::linalg
