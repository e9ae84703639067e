// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Every program as a function: takes the arguments of main, returns the exit status (base/error.hpp). apps/
// holds the mains, which make the processes that some run on; tests call these in-process.

namespace curlew {
class ProcessGroup;
}

namespace curlew::programs {

int em_lint(int argc, char** argv);
int em_mesh(int argc, char** argv);
int em_ngim(int argc, char** argv);
int em_optimize(int argc, char** argv);
int fe_iiee(int argc, char** argv, const ProcessGroup* processes = nullptr);
int fem_assemble(int argc, char** argv);
int fem_solve(int argc, char** argv, const ProcessGroup* processes = nullptr);
int ie_solve(int argc, char** argv, const ProcessGroup* processes = nullptr);
int mom2d(int argc, char** argv);

}  // namespace curlew::programs
