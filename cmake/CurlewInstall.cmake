# The install target. Component "development" is the library and its CMake package: find_package(curlew), then link
# curlew::fem, curlew::ngim, ... and write #include <curlew/fem/nedelec.hpp>. All of it may be moved as a whole.
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/curlew)

# Whatever sees Eigen's types must agree on their alignment, which -march decides.
if(CURLEW_ARCH)
  target_compile_options(curlew_base INTERFACE $<INSTALL_INTERFACE:$<$<COMPILE_LANGUAGE:CXX>:-march=${CURLEW_ARCH}>>)
endif()
if(CURLEW_SHARED)
  target_compile_definitions(curlew_base INTERFACE $<INSTALL_INTERFACE:EIGEN_MAX_ALIGN_BYTES=64>)
endif()
target_compile_features(curlew_base INTERFACE $<INSTALL_INTERFACE:cxx_std_20>)
get_property(rooms GLOBAL PROPERTY CURLEW_ROOMS)
install(TARGETS ${rooms} EXPORT curlew-targets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development)
install(EXPORT curlew-targets NAMESPACE curlew:: DESTINATION ${package_dir} COMPONENT development)

# Headers say #include "fem/nedelec.hpp" in the tree and #include "curlew/fem/nedelec.hpp" in the install.
set(public_headers ${PROJECT_BINARY_DIR}/public_headers)
install(CODE "
  execute_process(COMMAND \"${CMAKE_COMMAND}\" -DSOURCE=${PROJECT_SOURCE_DIR}/src -DTARGET=${public_headers}/curlew
    -P \"${PROJECT_SOURCE_DIR}/cmake/PublicHeaders.cmake\" COMMAND_ERROR_IS_FATAL ANY)" COMPONENT development)
install(DIRECTORY ${public_headers}/curlew ${PROJECT_BINARY_DIR}/generated/curlew
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development)

configure_package_config_file(cmake/curlew-config.cmake.in ${PROJECT_BINARY_DIR}/curlew-config.cmake
  INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/curlew-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/curlew-config.cmake ${PROJECT_BINARY_DIR}/curlew-config-version.cmake
  cmake/CurlewLibraries.cmake DESTINATION ${package_dir} COMPONENT development)
if(CURLEW_CUDSS_LIBRARIES)
  install(FILES ${CURLEW_CUDSS_LIBRARIES} DESTINATION ${CMAKE_INSTALL_LIBDIR})
endif()
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/curlew RENAME copyright)
install(DIRECTORY meshes configs DESTINATION ${CMAKE_INSTALL_DATADIR}/curlew)
install(PROGRAMS scripts/validate scripts/curlew scripts/circuit-model scripts/time-domain scripts/touchstone_input.py scripts/python_of_setup.py
  scripts/convert-mesh scripts/gds-to-geo scripts/material-table
  DESTINATION ${CMAKE_INSTALL_DATADIR}/curlew/scripts)
install(DIRECTORY scripts/validation DESTINATION ${CMAKE_INSTALL_DATADIR}/curlew/scripts PATTERN __pycache__ EXCLUDE)
install(DIRECTORY python/curlew_em DESTINATION ${CMAKE_INSTALL_DATADIR}/curlew/python PATTERN __pycache__ EXCLUDE)
