// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/krylov/multilevel.hpp"

#include "linalg/krylov/gauss_seidel.hpp"
#include "linalg/krylov/multilevel_cycle.hpp"
#include "linalg/vector/host_backend.hpp"

namespace curlew::linalg {
namespace {

/// A block of compressed rows that owns its matrix.
template <class T>
class OwnedBlock final : public LinearOperator<T> {
 public:
  explicit OwnedBlock(Csr<T> a) : a_(std::move(a)) {}
  Index size() const override { return a_.num_rows; }
  void apply(const T* x, T* y) const override { multiply(a_, x, y); }

 private:
  Csr<T> a_;
};

}  // namespace

template <class T>
Multilevel<T>::Multilevel(const Csr<T>& a, const std::vector<Index>& offsets, const LinearOperator<T>& coarse,
                          const MultilevelOptions& options)
    : backend_(std::make_unique<HostBackend>()) {
  check_multilevel(a.num_rows, a.num_cols, offsets, coarse.size(), options);
  cycle_ = std::make_unique<MultilevelCycle<HostBackend, typename T::value_type>>(
      *backend_, a, offsets, coarse, options,
      [](const Csr<T>& b) { return std::make_unique<OwnedBlock<T>>(b); },
      [](const Csr<T>& b) {
        using V = complex<typename T::value_type>;
        auto smoother = std::make_shared<GaussSeidel<typename T::value_type>>(colour_rows(b));
        return [smoother](bool forward, Columns<const V> r, Columns<V> z, Index n) {
          smoother->sweep(forward, r.data, r.stride, z.data, z.stride, n);
        };
      });
}

template <class T>
Multilevel<T>::~Multilevel() = default;

template <class T>
Index Multilevel<T>::size() const {
  return cycle_->size();
}

template <class T>
void Multilevel<T>::apply_many(const T* r, Offset ldr, T* z, Offset ldz, Index n) const {
  using V = complex<typename T::value_type>;
  cycle_->apply({reinterpret_cast<const V*>(r), ldr}, {reinterpret_cast<V*>(z), ldz}, n);
}

template class Multilevel<Complex>;
template class Multilevel<ComplexF>;

}  // namespace curlew::linalg
