# The install target and the CMake package: find_package(curlew), then link curlew::fem, curlew::ngim, ...
include(CMakePackageConfigHelpers)
get_property(rooms GLOBAL PROPERTY CURLEW_ROOMS)
install(TARGETS ${rooms} EXPORT curlew-targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT curlew-targets NAMESPACE curlew:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/curlew)
install(DIRECTORY src/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/curlew FILES_MATCHING PATTERN "*.hpp")
install(DIRECTORY ${PROJECT_BINARY_DIR}/generated/curlew/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/curlew/curlew)
install(DIRECTORY meshes configs DESTINATION ${CMAKE_INSTALL_DATADIR}/curlew)
configure_package_config_file(cmake/curlew-config.cmake.in ${PROJECT_BINARY_DIR}/curlew-config.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/curlew)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/curlew-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/curlew-config.cmake ${PROJECT_BINARY_DIR}/curlew-config-version.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/curlew)
