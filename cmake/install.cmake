# The headers, find_package(phys2d) and pkg-config. Nothing depends on the machine, hence share/,
# and nothing names the prefix, so that an installed tree may be moved.
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)
if(IS_ABSOLUTE "${CMAKE_INSTALL_INCLUDEDIR}")  # CMake would put the prefix before it
    cmake_path(RELATIVE_PATH CMAKE_INSTALL_INCLUDEDIR BASE_DIRECTORY ${CMAKE_INSTALL_PREFIX})
endif()

set(package_dir ${CMAKE_INSTALL_DATADIR}/cmake/phys2d)
set(pkgconfig_dir ${CMAKE_INSTALL_DATADIR}/pkgconfig)

# phys2d has no dependencies to look for: the export file itself is the package's config file.
target_sources(phys2d_separate_step INTERFACE
    $<INSTALL_INTERFACE:$<INSTALL_PREFIX>/${CMAKE_INSTALL_INCLUDEDIR}/phys2d/step.cpp>)
install(TARGETS phys2d phys2d_separate_step EXPORT phys2d FILE_SET HEADERS FILE_SET step)
install(EXPORT phys2d NAMESPACE phys2d:: FILE phys2d-config.cmake DESTINATION ${package_dir})

# Until 1.0 a minor release may change the API.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/phys2d-config-version.cmake
    COMPATIBILITY SameMinorVersion ARCH_INDEPENDENT)
install(FILES ${PROJECT_BINARY_DIR}/phys2d-config-version.cmake DESTINATION ${package_dir})

cmake_path(RELATIVE_PATH CMAKE_INSTALL_FULL_INCLUDEDIR
    BASE_DIRECTORY ${CMAKE_INSTALL_FULL_DATADIR}/pkgconfig
    OUTPUT_VARIABLE includedir_from_pc)
if(PHYS2D_STRICT_FP)
    set(strict_fp " -ffp-contract=off")
endif()
configure_file(cmake/phys2d.pc.in phys2d.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/phys2d.pc DESTINATION ${pkgconfig_dir})

install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
