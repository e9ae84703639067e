// SPDX-License-Identifier: BSD-3-Clause
// The level that this file was compiled for, from two sources: CMake, and the instructions allowed to the
// compiler.

const char* level_by_name() {
  return CURLEW_ARCH;
}

int bytes_of_vectors() {
#if defined(__AVX512F__)
  return 64;
#elif defined(__AVX2__)
  return 32;
#else
  return 16;
#endif
}
