// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The functions of NVIDIA cuDSS 1.x that we call, loaded at run time if the library is installed; builds do
// not need it. For builds with CUDA. Source of names, values and signatures: cuDSS documentation, "cuDSS Data
// Types" and "cuDSS Functions", docs.nvidia.com/cuda/cudss.

#include <cuda_runtime.h>

#include <cstdint>
#include <string>

namespace curlew::linalg::cudss {

using Handle = struct cudssContext*;
using Config = struct cudssConfig*;
using Data = struct cudssData*;
using Matrix = struct cudssMatrix*;
using Status = int;  // 0 is success

enum ConfigParam : int {
  matching = 3,
  hybrid_memory_mode = 11,
  hybrid_memory_limit = 12,
  dissection_levels = 17,
  device_count = 21,
  device_indices = 22,
  deterministic_mode = 24
};
enum DataParam : int {
  data_info = 0,
  lu_nnz = 1,
  npivots = 2,
  user_order = 9,
  hybrid_memory_min = 10,
  memory_estimates = 13,
  user_dissection = 21
};
enum Matching : int { no_matching = 0, automatic_matching = 6 };
enum Phase : int { analysis = 3, factorization = 4, refactorization = 8, solution = 0x3f0 };
enum MatrixType : int { general = 0, symmetric = 1 };
enum MatrixView : int { view_full = 0, view_upper = 2 };
enum IndexBase : int { base_zero = 0 };
enum Layout : int { column_major = 0 };

struct Api {
  Status (*create)(Handle*);
  Status (*create_mg)(Handle*, int count, const int* devices);  ///< the first one must be current
  Status (*destroy)(Handle);
  Status (*set_stream)(Handle, cudaStream_t);
  Status (*set_threading_layer)(Handle, const char*);
  Status (*config_create)(Config*);
  Status (*config_destroy)(Config);
  Status (*config_set)(Config, int, const void*, std::size_t);
  Status (*data_create)(Handle, Data*);
  Status (*data_destroy)(Handle, Data);
  Status (*data_set)(Handle, Data, int, const void*, std::size_t);
  Status (*data_get)(Handle, Data, int, void*, std::size_t, std::size_t*);
  Status (*execute)(Handle, int phase, Config, Data, Matrix a, Matrix x, Matrix b);
  Status (*matrix_create_dense)(Matrix*, std::int64_t rows, std::int64_t columns, std::int64_t leading,
                                const void* values, cudaDataType_t, int layout);
  Status (*matrix_create_csr)(Matrix*, std::int64_t rows, std::int64_t columns, std::int64_t nnz,
                              const void* row_start, const void* row_end, const void* column_indices,
                              const void* values, cudaDataType_t offset_type, cudaDataType_t index_type,
                              cudaDataType_t value_type, int type, int view, int base);
  Status (*matrix_set_values)(Matrix, const void* values);
  Status (*matrix_destroy)(Matrix);
  std::string version;
  std::string threading_layer;  ///< path of the library's OpenMP layer, empty if it is not in the same folder
};

/// The library, loaded on the first call: CURLEW_CUDSS (a path) or libcudss.so.1 from the loader's path,
/// which for built programs includes the folder of scripts/setup. @return null if it does not exist; `why`
/// then names what is missing
const Api* load(std::string* why = nullptr);

}  // namespace curlew::linalg::cudss
