// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The few Fortran routines that dense solving needs, declared here: not every OpenBLAS comes with LAPACKE.

#include "base/types.hpp"

extern "C" {
void zgetrf_(const int* m, const int* n, curlew::Complex* a, const int* lda, int* pivots, int* info);
void cgetrf_(const int* m, const int* n, curlew::ComplexF* a, const int* lda, int* pivots, int* info);
void zgetrs_(const char* trans, const int* n, const int* nrhs, const curlew::Complex* a, const int* lda,
             const int* pivots, curlew::Complex* b, const int* ldb, int* info);
void cgetrs_(const char* trans, const int* n, const int* nrhs, const curlew::ComplexF* a, const int* lda,
             const int* pivots, curlew::ComplexF* b, const int* ldb, int* info);
void ctrsv_(const char* uplo, const char* trans, const char* diagonal, const int* n,
            const curlew::ComplexF* a, const int* lda, curlew::ComplexF* x, const int* incx);
void zgemv_(const char* trans, const int* m, const int* n, const curlew::Complex* alpha,
            const curlew::Complex* a, const int* lda, const curlew::Complex* x, const int* incx,
            const curlew::Complex* beta, curlew::Complex* y, const int* incy);
void zgemm_(const char* ta, const char* tb, const int* m, const int* n, const int* k,
            const curlew::Complex* alpha, const curlew::Complex* a, const int* lda, const curlew::Complex* b,
            const int* ldb, const curlew::Complex* beta, curlew::Complex* c, const int* ldc);
void zgesv_(const int* n, const int* nrhs, curlew::Complex* a, const int* lda, int* pivots,
            curlew::Complex* b, const int* ldb, int* info);
void dgesv_(const int* n, const int* nrhs, double* a, const int* lda, int* pivots, double* b, const int* ldb,
            int* info);
void zgesvd_(const char* jobu, const char* jobvt, const int* m, const int* n, curlew::Complex* a,
             const int* lda, double* s, curlew::Complex* u, const int* ldu, curlew::Complex* vt,
             const int* ldvt, curlew::Complex* work, const int* lwork, double* rwork, int* info);
void zheev_(const char* job, const char* triangle, const int* n, curlew::Complex* a, const int* lda,
            double* w, curlew::Complex* work, const int* lwork, double* rwork, int* info);
void zgeqp3_(const int* m, const int* n, curlew::Complex* a, const int* lda, int* columns,
             curlew::Complex* tau, curlew::Complex* work, const int* lwork, double* rwork, int* info);
void zungqr_(const int* m, const int* n, const int* k, curlew::Complex* a, const int* lda,
             const curlew::Complex* tau, curlew::Complex* work, const int* lwork, int* info);
}
