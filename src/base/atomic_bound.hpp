// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Atomic maximum and minimum over threads; results do not depend on their order.

#include <atomic>

namespace curlew {

/// slot = max(slot, value)
template <class T>
void raise_to(T& slot, T value) {
  const std::atomic_ref<T> shared(slot);
  T seen = shared.load(std::memory_order_relaxed);
  while (seen < value && !shared.compare_exchange_weak(seen, value, std::memory_order_relaxed)) {
  }
}

/// slot = min(slot, value)
template <class T>
void lower_to(T& slot, T value) {
  const std::atomic_ref<T> shared(slot);
  T seen = shared.load(std::memory_order_relaxed);
  while (value < seen && !shared.compare_exchange_weak(seen, value, std::memory_order_relaxed)) {
  }
}

}  // namespace curlew
