// SPDX-License-Identifier: BSD-3-Clause
#include "fem/system/system_sum.hpp"

#include <utility>

namespace curlew::fem {

SystemSum::SystemSum(std::vector<SystemTerm> terms, linalg::Csr<Complex>& a)
    : terms_(std::move(terms)), sum_(a) {
  for (const SystemTerm& term : terms_) {
    if (term.rows.empty()) {
      term.assemble(a);
      sum_.add_term(a);
    } else {
      sum_.add_term(assemble_term(term, a));
    }
  }
}

void SystemSum::set(double frequency, const std::vector<Complex>& references) {
  const std::size_t others = terms_.size() - references.size();
  std::vector<Complex> factors;
  for (std::size_t t = 0; t < others; ++t) factors.push_back(terms_[t].factor(frequency));
  factors.insert(factors.end(), references.begin(), references.end());
  sum_.set_factors(std::move(factors));
}

}  // namespace curlew::fem
