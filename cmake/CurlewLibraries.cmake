# Libraries without a CMake package of their own, as imported targets. The build includes this file, and so does the
# installed package: exported rooms name the targets, and each machine finds its own files.

# curlew_library(NAME LIBRARIES file ...): the target curlew_lib::NAME if all files were found.
function(curlew_library name)
  cmake_parse_arguments(ARG "" "" "LIBRARIES" ${ARGN})
  foreach(file ${ARG_LIBRARIES})
    if(NOT file)
      return()
    endif()
  endforeach()
  if(NOT TARGET curlew_lib::${name})
    add_library(curlew_lib::${name} INTERFACE IMPORTED)
    set_target_properties(curlew_lib::${name} PROPERTIES INTERFACE_LINK_LIBRARIES "${ARG_LIBRARIES}")
  endif()
endfunction()

# LAPACK by OpenBLAS, threaded. The unthreaded netlib library would cost MUMPS and mom2d a factor of ten.
# The pthread variant is asked for by folder: the OpenMP one would share our threads' settings.
find_library(OPENBLAS_LIBRARY NAMES openblas PATH_SUFFIXES openblas-pthread openblas-openmp)
curlew_library(openblas LIBRARIES ${OPENBLAS_LIBRARY})

find_library(MUMPS_Z_LIBRARY zmumps_seq)
find_library(MUMPS_D_LIBRARY dmumps_seq)
find_library(MUMPS_C_LIBRARY cmumps_seq)
find_library(MUMPS_S_LIBRARY smumps_seq)
find_library(MUMPS_COMMON_LIBRARY mumps_common_seq)
curlew_library(mumps LIBRARIES ${MUMPS_Z_LIBRARY} ${MUMPS_D_LIBRARY} ${MUMPS_C_LIBRARY} ${MUMPS_S_LIBRARY}
  ${MUMPS_COMMON_LIBRARY})

# The parallel one has the same names: a program links the one or the other (src/linalg/direct).
find_library(MUMPS_MPI_Z_LIBRARY zmumps)
find_library(MUMPS_MPI_D_LIBRARY dmumps)
find_library(MUMPS_MPI_C_LIBRARY cmumps)
find_library(MUMPS_MPI_S_LIBRARY smumps)
curlew_library(mumps_mpi LIBRARIES ${MUMPS_MPI_Z_LIBRARY} ${MUMPS_MPI_D_LIBRARY} ${MUMPS_MPI_C_LIBRARY}
  ${MUMPS_MPI_S_LIBRARY})

find_library(METIS_LIBRARY metis)
curlew_library(metis LIBRARIES ${METIS_LIBRARY})

find_library(NLOPT_LIBRARY nlopt)
curlew_library(nlopt LIBRARIES ${NLOPT_LIBRARY})

find_library(ARPACK_LIBRARY arpack)
curlew_library(arpack LIBRARIES ${ARPACK_LIBRARY})
