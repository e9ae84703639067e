/* SPDX-License-Identifier: BSD-3-Clause
   Before a program (LD_PRELOAD): an OpenBLAS that does not know the processor and takes the kernels that
   CURLEW_TEST_CORE names, or those of OPENBLAS_CORETYPE where that is set. Each start of a program adds its
   number of process to the file CURLEW_TEST_STARTS. With CURLEW_TEST_DEAF, OPENBLAS_CORETYPE changes nothing.
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

char* openblas_get_corename(void) {
  char* forced = getenv("OPENBLAS_CORETYPE");
  return forced != NULL && getenv("CURLEW_TEST_DEAF") == NULL ? forced : getenv("CURLEW_TEST_CORE");
}

__attribute__((constructor)) static void count_start(void) {
  FILE* starts = fopen(getenv("CURLEW_TEST_STARTS"), "a");
  if (starts == NULL) return;
  fprintf(starts, "%d\n", (int)getpid());
  fclose(starts);
}
