# cpack -G DEB: the programs with configs, manual pages and completion; their libraries come by apt. The library for
# builders (component "development") is left out. What needs no apt: scripts/package.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME curlew)
set(CPACK_PACKAGE_CONTACT "the authors of curlew <curlew@localhost>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_INSTALL_CMAKE_PROJECTS "${PROJECT_BINARY_DIR};curlew;Unspecified;/")
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PROJECT_BINARY_DIR}/lib)  # of the programs' shared library
include(CPack)
