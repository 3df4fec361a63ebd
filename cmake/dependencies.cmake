# A package of the system first; a download only where PHYS2D_FETCH_DEPENDENCIES allows it.
# A macro, because the packages' config files set variables for their callers.
macro(phys2d_require package repository tag debian_package)
    if(PHYS2D_FETCH_DEPENDENCIES)
        include(FetchContent)
        FetchContent_Declare(${package}
            GIT_REPOSITORY ${repository}
            GIT_TAG ${tag}
            GIT_SHALLOW ON
            SYSTEM
            FIND_PACKAGE_ARGS CONFIG)
        FetchContent_MakeAvailable(${package})
    else()
        find_package(${package} CONFIG)
        if(NOT ${package}_FOUND)
            message(FATAL_ERROR "phys2d needs ${package} here: install it (on Debian and Ubuntu "
                "the package ${debian_package}), or allow a download with "
                "-DPHYS2D_FETCH_DEPENDENCIES=ON.")
        endif()
    endif()
endmacro()

macro(phys2d_require_doctest)
    phys2d_require(doctest https://github.com/doctest/doctest v2.4.12 doctest-dev)
    list(APPEND CMAKE_MODULE_PATH ${doctest_SOURCE_DIR}/scripts/cmake)  # where a download keeps it
    include(doctest)
endmacro()

macro(phys2d_require_benchmark)
    set(BENCHMARK_ENABLE_TESTING OFF)
    set(BENCHMARK_ENABLE_INSTALL OFF)
    phys2d_require(benchmark https://github.com/google/benchmark v1.9.1 libbenchmark-dev)
endmacro()
