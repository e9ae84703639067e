# One shared library for all programs, and builds of it for several levels of processors. glibc's loader (2.33 and later)
# looks into glibc-hwcaps/LEVEL/ of each folder that it searches, the processor's highest level first: programs choose by
# themselves (docs/decisions/8-levels.md). For packages; other builds link the rooms' archives into each program.
include(ExternalProject)

option(CURLEW_SHARED "Link the programs to one shared library" OFF)
set(CURLEW_LEVELS "" CACHE STRING "Levels above CURLEW_ARCH to build that library for, too: x86-64-v3;x86-64-v4")
if(CURLEW_LEVELS AND NOT CURLEW_SHARED)
  message(FATAL_ERROR "CURLEW_LEVELS are builds of the shared library: add -DCURLEW_SHARED=ON")
endif()
set(CURLEW_SHARED_DIR ${CMAKE_INSTALL_LIBDIR}/curlew)
if(CURLEW_SHARED)
  list(APPEND CMAKE_INSTALL_RPATH "$ORIGIN/../${CURLEW_SHARED_DIR}")
  # Eigen's alignment is part of what a program and the library agree on: that of the highest level for all.
  add_compile_definitions($<$<COMPILE_LANGUAGE:CXX>:EIGEN_MAX_ALIGN_BYTES=64>)
  set(CMAKE_CUDA_RUNTIME_LIBRARY Shared)  # of NVIDIA's wheel: ours has nothing of NVIDIA's libraries
endif()

# curlew_install_levels(LIBRARY ARGUMENT ...): installs the target LIBRARY and its builds for CURLEW_LEVELS. Those are builds
# of this project by itself, configured with this one's -DARGUMENTs.
function(curlew_install_levels library)
  set(release ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
  set(file libcurlew.so.${release})
  # It looks for what is loaded late (cuDSS) in the folder above its own, or above that of the levels.
  set_target_properties(${library} PROPERTIES OUTPUT_NAME curlew VERSION ${release} SOVERSION ${release}
    INSTALL_RPATH "$ORIGIN/..;$ORIGIN/../../.." BUILD_WITH_INSTALL_RPATH ON LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib)
  install(TARGETS ${library} LIBRARY DESTINATION ${CURLEW_SHARED_DIR} NAMELINK_SKIP)
  set(arguments)
  foreach(argument CMAKE_BUILD_TYPE CMAKE_C_COMPILER CMAKE_CXX_COMPILER ${ARGN})
    list(APPEND arguments -D${argument}=${${argument}})
  endforeach()
  foreach(level ${CURLEW_LEVELS})
    set(folder ${PROJECT_BINARY_DIR}/levels/${level})
    ExternalProject_Add(${library}_${level} SOURCE_DIR ${PROJECT_SOURCE_DIR} BINARY_DIR ${folder} PREFIX ${folder}/project
      CMAKE_ARGS ${arguments} -DCURLEW_ARCH=${level} -DCURLEW_SHARED=ON -DCURLEW_TESTS=OFF
      BUILD_COMMAND ${CMAKE_COMMAND} --build ${folder} --target ${library}
      BUILD_ALWAYS ON BUILD_BYPRODUCTS ${folder}/lib/${file} INSTALL_COMMAND "" USES_TERMINAL_BUILD ON)
    install(FILES ${folder}/lib/${file} DESTINATION ${CURLEW_SHARED_DIR}/glibc-hwcaps/${level}
      PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)
  endforeach()
endfunction()

# curlew_shared_library(): all rooms but those that only some programs may link (APART: Gmsh's licence, MPI). It leaves open
# which MUMPS it calls, the sequential or the parallel one: the program brings it.
function(curlew_shared_library)
  get_property(rooms GLOBAL PROPERTY CURLEW_SHARED_ROOMS)
  add_library(curlew_library SHARED)
  foreach(room ${rooms})
    target_sources(curlew_library PRIVATE $<TARGET_OBJECTS:${room}>)
  endforeach()
  # The archives add nothing to their objects but the libraries that they use.
  target_link_libraries(curlew_library PRIVATE ${rooms})
  set_target_properties(curlew_library PROPERTIES CURLEW_LEAVES_MUMPS TRUE LINKER_LANGUAGE CXX)
  target_link_options(curlew_library PRIVATE -Wl,-Bsymbolic-functions,--as-needed,-z,relro,-z,now,-z,noexecstack
    $<$<CONFIG:Release>:-s>)  # stripped here: the installation copies the levels' files as they are
  curlew_install_levels(curlew_library CURLEW_UNITY CURLEW_WERROR CURLEW_CUDA CURLEW_MPI CMAKE_CUDA_ARCHITECTURES)
endfunction()

# curlew_link_shared(PROGRAM): before it links any room, so that the rooms' archives have nothing to add.
function(curlew_link_shared program)
  target_link_libraries(${program} PRIVATE curlew_library)
  target_link_options(${program} PRIVATE -Wl,--as-needed)
  if(CURLEW_HAVE_MUMPS)
    target_link_libraries(${program} PRIVATE -Wl,--push-state,--no-as-needed
      $<IF:$<BOOL:$<TARGET_PROPERTY:CURLEW_MPI>>,curlew_lib::mumps_mpi,curlew_lib::mumps> -Wl,--pop-state)
  endif()
endfunction()
