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

std::vector<Complex> SystemSum::factors(double frequency, const std::vector<Complex>& references) const {
  const std::size_t others = terms_.size() - references.size();
  std::vector<Complex> all;
  for (std::size_t t = 0; t < others; ++t) all.push_back(terms_[t].factor(frequency));
  all.insert(all.end(), references.begin(), references.end());
  return all;
}

}  // namespace curlew::fem
