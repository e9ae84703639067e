# Compile options and the three helpers with which every folder states what it is.
include(GNUInstallDirs)

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
set(CMAKE_INSTALL_RPATH "$ORIGIN/../${CMAKE_INSTALL_LIBDIR}")

find_program(CURLEW_CCACHE ccache)
if(CURLEW_CCACHE)
  set(launcher ${CURLEW_CCACHE})
  if(CMAKE_BUILD_TYPE STREQUAL "Release")  # nothing in an object names the folder: one cache serves all clones
    set(launcher ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1 ${CURLEW_CCACHE})
  endif()
  set(CMAKE_CXX_COMPILER_LAUNCHER ${launcher})
  set(CMAKE_CUDA_COMPILER_LAUNCHER ${launcher})
endif()

add_library(curlew_options INTERFACE)
# Complex products without the recovery of infinities, and square roots without errno: both are inner loops.
# g++ 12 takes "text" + std::string for an overlap (GCC bug 105651) and finds uninitialised values in its own AVX-512
# headers (bug 105593): both warnings are off.
target_compile_options(curlew_options INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wshadow -Wno-restrict -Wno-maybe-uninitialized $<$<CXX_COMPILER_ID:GNU>:-fcx-limited-range> -fno-math-errno
    $<$<BOOL:${CURLEW_ARCH}>:-march=${CURLEW_ARCH}> $<$<BOOL:${CURLEW_WERROR}>:-Werror>>)
# The compiler collects its memory less often: some 7 % of its time for 200 MB a unit; the code is the same. Vectors of 64
# bytes go between functions of ours alone, on processors without AVX-512 too.
target_compile_options(curlew_options INTERFACE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:--param=ggc-min-heapsize=524288 -Wno-psabi>)
# The preset takes x86-64-v3: with 64-byte vectors g++ misaligns locals under the sanitizer (GCC bug 110027).
if(CURLEW_SANITIZE STREQUAL "thread")
  target_compile_options(curlew_options INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-fsanitize=thread -fno-omit-frame-pointer>)
  target_link_options(curlew_options INTERFACE -fsanitize=thread)
elseif(CURLEW_SANITIZE)
  # Checks of pointers at every use take half of the time of compiling, and what they find is mostly found as an address.
  option(CURLEW_SANITIZE_QUICK "Checks of pointers only in the rooms of files, meshes and algebra" OFF)
  set(checked curlew_base curlew_io curlew_report curlew_material curlew_mesh curlew_lint curlew_quadrature curlew_linalg
    curlew_green)
  target_compile_options(curlew_options INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:-fsanitize=address,undefined -fno-omit-frame-pointer>)
  if(CURLEW_SANITIZE_QUICK)
    target_compile_options(curlew_options INTERFACE
      $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<NOT:$<IN_LIST:$<TARGET_PROPERTY:NAME>,${checked}>>>:-fno-sanitize=null,alignment,object-size,vptr,pointer-overflow>)
  endif()
  target_link_options(curlew_options INTERFACE -fsanitize=address,undefined)
endif()

if(CURLEW_FUZZ)  # of the files that fuzz targets link; others are not built then
  if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
    set(coverage -fsanitize=fuzzer-no-link -Wno-everything)
  else()
    set(coverage -fsanitize-coverage=trace-pc -w)
  endif()
  target_compile_options(curlew_options INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:-fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer ${coverage}>)
  target_link_options(curlew_options INTERFACE -fsanitize=address,undefined)
endif()

# Several files in one compilation: headers and templates are read once for all of them, which halves a build from
# nothing. Their anonymous namespaces become one; curlew_alone names the files that cannot share. CMake's own unity files
# name sources by the clone's folder, so that a compiler cache knows none of them in another clone: these do not.
option(CURLEW_UNITY "Compile several files of a folder at once" OFF)

# curlew_alone(TARGET file ...): files of this folder that are compiled by themselves.
function(curlew_alone target)
  set_source_files_properties(${ARGN} TARGET_DIRECTORY ${target} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()

# curlew_join(FOLDER): the C++ sources of its targets and of all folders below, six at a time. Called when all are known.
function(curlew_join folder)
  get_property(targets DIRECTORY ${folder} PROPERTY BUILDSYSTEM_TARGETS)
  foreach(target ${targets})
    get_target_property(type ${target} TYPE)
    if(type MATCHES "EXECUTABLE|_LIBRARY$" AND NOT type STREQUAL "INTERFACE_LIBRARY")
      curlew_join_target(${target})
    endif()
  endforeach()
  get_property(below DIRECTORY ${folder} PROPERTY SUBDIRECTORIES)
  foreach(each ${below})
    curlew_join(${each})
  endforeach()
endfunction()

function(curlew_join_target target)
  get_target_property(sources ${target} SOURCES)
  get_target_property(folder ${target} SOURCE_DIR)
  set(joined)
  foreach(source ${sources})
    get_filename_component(path ${source} ABSOLUTE BASE_DIR ${folder})
    set(own)
    foreach(property SKIP_UNITY_BUILD_INCLUSION COMPILE_OPTIONS COMPILE_DEFINITIONS)
      get_source_file_property(value ${path} TARGET_DIRECTORY ${target} ${property})
      if(value)
        set(own ON)
      endif()
    endforeach()
    if(path MATCHES "\\.cpp$" AND NOT own)
      list(APPEND joined ${source})
    endif()
  endforeach()
  list(LENGTH joined count)
  if(count LESS 2)
    return()
  endif()
  list(REMOVE_ITEM sources ${joined})
  set(place ${PROJECT_BINARY_DIR}/joined/${target})
  set(number 0)
  while(joined)
    list(SUBLIST joined 0 6 batch)
    list(REMOVE_ITEM joined ${batch})
    set(text)
    foreach(source ${batch})
      get_filename_component(path ${source} ABSOLUTE BASE_DIR ${folder})
      file(RELATIVE_PATH path ${place} ${path})
      string(APPEND text "#include \"${path}\"\n")
    endforeach()
    file(CONFIGURE OUTPUT ${place}/${number}.cpp CONTENT "${text}" @ONLY)
    list(APPEND sources ${place}/${number}.cpp)
    math(EXPR number "${number} + 1")
  endwhile()
  set_target_properties(${target} PROPERTIES SOURCES "${sources}")
endfunction()

# curlew_room(NAME [INTERNAL] [APART] SOURCES a.cpp ... [CUDA b.cu ...] [USES room ...] [LIBRARIES target ...])
# One static library per folder of src/, named curlew_NAME. CUDA sources are left out of a CPU build. INTERNAL rooms
# serve the programs and are not part of the installed library. APART rooms are not part of the programs' shared library.
function(curlew_room name)
  cmake_parse_arguments(ROOM "INTERNAL;APART" "" "SOURCES;CUDA;USES;LIBRARIES" ${ARGN})
  if(NOT CURLEW_HAVE_CUDA)
    set(ROOM_CUDA)
  endif()
  add_library(curlew_${name} STATIC ${ROOM_SOURCES} ${ROOM_CUDA})
  add_library(curlew::${name} ALIAS curlew_${name})
  target_include_directories(curlew_${name} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src> $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/generated>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  list(TRANSFORM ROOM_USES PREPEND curlew::)
  target_link_libraries(curlew_${name} PUBLIC ${ROOM_USES} ${ROOM_LIBRARIES} PRIVATE $<BUILD_INTERFACE:curlew_options>)
  set_target_properties(curlew_${name} PROPERTIES EXPORT_NAME ${name})
  if(NOT ROOM_INTERNAL)
    set_property(GLOBAL APPEND PROPERTY CURLEW_ROOMS curlew_${name})
  endif()
  if(NOT ROOM_APART)
    set_property(GLOBAL APPEND PROPERTY CURLEW_SHARED_ROOMS curlew_${name})
  endif()
endfunction()

# curlew_harden(room ...): for modules that read untrusted files. Checks of buffers and of the stack cost no measurable
# time there; modules with inner loops are compiled without.
function(curlew_harden)
  foreach(room ${ARGN})
    target_compile_options(curlew_${room} PRIVATE
      $<$<COMPILE_LANGUAGE:CXX>:-fstack-protector-strong $<$<CONFIG:Release>:-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2>>)
  endforeach()
endfunction()

# curlew_app(NAME USES room ...): the program apps/NAME.cpp, installed into bin.
function(curlew_app name)
  cmake_parse_arguments(APP "" "" "USES;LIBRARIES" ${ARGN})
  add_executable(${name} ${name}.cpp)
  if(CURLEW_SHARED)
    curlew_link_shared(${name})
  endif()
  list(TRANSFORM APP_USES PREPEND curlew::)
  target_link_libraries(${name} PRIVATE ${APP_USES} ${APP_LIBRARIES} curlew_options)
  target_link_options(${name} PRIVATE -pie -Wl,-z,relro,-z,now,-z,noexecstack)
  install(TARGETS ${name} RUNTIME)
endfunction()

# [s] after which a test counts as one that never ends. It is no limit of its work: on two shared cores
# refinement_test took 467 s, which takes 21 s alone.
set(curlew_hang_after 900)

# curlew_surround(TEST ... [LABEL unit|convergence|cli|long] [TIMEOUT seconds]): how a test runs. Several at once share two cores:
# unit tests have all threads, which sleep while they wait for one another; what runs programs or takes long has one. 77 says "skipped".
function(curlew_surround)
  cmake_parse_arguments(TEST "" "LABEL;TIMEOUT" "" ${ARGN})
  if(NOT TEST_LABEL)
    set(TEST_LABEL cli)
  endif()
  if(NOT TEST_TIMEOUT)
    set(TEST_TIMEOUT ${curlew_hang_after})
  endif()
  set_tests_properties(${TEST_UNPARSED_ARGUMENTS} PROPERTIES LABELS ${TEST_LABEL} TIMEOUT ${TEST_TIMEOUT} SKIP_RETURN_CODE 77)
  if(CURLEW_SANITIZE STREQUAL "thread")
    foreach(test ${TEST_UNPARSED_ARGUMENTS})
      curlew_watch_threads(${test})
    endforeach()
  elseif(TEST_LABEL STREQUAL "unit")
    set_tests_properties(${TEST_UNPARSED_ARGUMENTS} PROPERTIES ENVIRONMENT "OMP_WAIT_POLICY=passive;OPENBLAS_THREAD_TIMEOUT=4")
  else()
    set_tests_properties(${TEST_UNPARSED_ARGUMENTS} PROPERTIES ENVIRONMENT OMP_NUM_THREADS=1)
  endif()
endfunction()

# curlew_test(NAME [SOURCES a_test.cpp ...] [USES room ...] [LIBRARIES target ...] [PROGRAMS target ...]
#   [LABEL unit|convergence|cli])
# One GoogleTest program, of NAME.cpp by default; inputs and programs are found by tests/support/test_paths.hpp. With PROGRAMS, which it
# runs, it is built after them, labelled cli, and left out where one of them is not built.
function(curlew_test name)
  cmake_parse_arguments(TEST "" "LABEL" "SOURCES;USES;LIBRARIES;PROGRAMS" ${ARGN})
  foreach(program ${TEST_PROGRAMS})
    if(NOT TARGET ${program})
      return()
    endif()
  endforeach()
  if(NOT TEST_SOURCES)
    set(TEST_SOURCES ${name}.cpp)
  endif()
  if(NOT TEST_LABEL)
    set(TEST_LABEL unit)
    if(TEST_PROGRAMS)
      set(TEST_LABEL cli)
    endif()
  endif()
  add_executable(${name} ${TEST_SOURCES})
  list(TRANSFORM TEST_USES PREPEND curlew::)
  target_link_libraries(${name} PRIVATE ${TEST_USES} ${TEST_LIBRARIES} curlew_test_paths GTest::gtest_main curlew_options)
  if(TEST_PROGRAMS)
    add_dependencies(${name} ${TEST_PROGRAMS})
  endif()
  add_test(NAME ${name} COMMAND ${name})
  curlew_surround(${name} LABEL ${TEST_LABEL})
endfunction()

# curlew_spare_threads(TEST filter): what would take minutes under the thread sanitizer; shorter tests run the same loops.
function(curlew_spare_threads test filter)
  if(CURLEW_SANITIZE STREQUAL "thread")
    set_property(TEST ${test} APPEND PROPERTY ENVIRONMENT "GTEST_FILTER=-${filter}")
  endif()
endfunction()

# curlew_watch_threads(TEST): its surroundings under the thread sanitizer. Threads of OpenBLAS and what libraries without
# the sanitizer do are not ours. Threads that wait sleep: there may be fewer cores.
function(curlew_watch_threads test)
  set_tests_properties(${test} PROPERTIES ENVIRONMENT
    "OMP_TOOL_LIBRARIES=${CURLEW_ARCHER};OMP_NUM_THREADS=4;OMP_WAIT_POLICY=passive;OPENBLAS_NUM_THREADS=1;TSAN_OPTIONS=ignore_noninstrumented_modules=1 history_size=4 die_after_fork=0")
endfunction()
