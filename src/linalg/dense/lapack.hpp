// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The few Fortran routines that dense solving needs, declared here: LAPACKE is not everywhere beside
// OpenBLAS.

#include "base/types.hpp"

extern "C" {
void zgetrf_(const int* m, const int* n, curlew::Complex* a, const int* lda, int* pivots, int* info);
void cgetrf_(const int* m, const int* n, curlew::ComplexF* a, const int* lda, int* pivots, int* info);
void zgetrs_(const char* trans, const int* n, const int* nrhs, const curlew::Complex* a, const int* lda,
             const int* pivots, curlew::Complex* b, const int* ldb, int* info);
void cgetrs_(const char* trans, const int* n, const int* nrhs, const curlew::ComplexF* a, const int* lda,
             const int* pivots, curlew::ComplexF* b, const int* ldb, int* info);
void zgemm_(const char* ta, const char* tb, const int* m, const int* n, const int* k,
            const curlew::Complex* alpha, const curlew::Complex* a, const int* lda, const curlew::Complex* b,
            const int* ldb, const curlew::Complex* beta, curlew::Complex* c, const int* ldc);
}
