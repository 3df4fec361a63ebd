# What the developers of phys2d build beside the headers. None of it reaches a user of the library.
option(PHYS2D_BUILD_TESTS "Build the tests and verify that every header compiles alone" ON)
option(PHYS2D_BUILD_EXAMPLES "Build the examples" ON)
option(PHYS2D_BUILD_BENCH "Build the benchmarks" OFF)
option(PHYS2D_NATIVE "Compile tests, examples and benchmarks for this machine (-march=native)" OFF)
option(PHYS2D_FETCH_DEPENDENCIES "Download doctest and Google Benchmark where they are missing" OFF)

# Warnings are errors (CMAKE_COMPILE_WARNING_AS_ERROR) in the presets that test, and not where
# someone with a newer compiler wants to see the demo or the figures.
if(MSVC)
    set(warnings /W4 /permissive- /utf-8)
else()
    # -Wno-psabi: how a vector wider than the target's registers is passed concerns only calls
    # between objects built for different targets, whose names differ (PHYS2D_ABI).
    set(warnings -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wno-psabi)
    # doctest numbers its cases by __COUNTER__, of which clang 22 warns.
    include(CheckCXXCompilerFlag)
    check_cxx_compiler_flag(-Wc2y-extensions PHYS2D_HAS_C2Y_WARNING)
    if(PHYS2D_HAS_C2Y_WARNING)
        list(APPEND warnings -Wno-c2y-extensions)
    endif()
endif()

# Linked by what has the engine in headers alone, such as benchmarks, or compiles it by itself.
add_library(phys2d_development INTERFACE)
target_link_libraries(phys2d_development INTERFACE phys2d::phys2d)
target_include_directories(phys2d_development INTERFACE ${PROJECT_SOURCE_DIR}/examples)
target_compile_options(phys2d_development INTERFACE
    ${warnings} $<$<BOOL:${PHYS2D_NATIVE}>:-march=native>)

# The same with the engine compiled once for all of them, as phys2d::separate_step does it for the
# files of one program.
add_library(phys2d_engine OBJECT EXCLUDE_FROM_ALL ${step})
target_link_libraries(phys2d_engine PUBLIC phys2d_development)
target_compile_definitions(phys2d_engine PUBLIC PHYS2D_SEPARATE_STEP)

include(cmake/dependencies.cmake)
if(PHYS2D_BUILD_EXAMPLES)
    add_subdirectory(examples)
endif()
if(PHYS2D_BUILD_BENCH)
    add_subdirectory(bench)
endif()
if(PHYS2D_BUILD_TESTS)
    enable_testing()
    add_subdirectory(tests)

    # The target all_verify_interface_header_sets compiles every header alone. It is generated at
    # the end and takes this directory's options, which the directories above no longer inherit.
    set_target_properties(phys2d PROPERTIES
        VERIFY_INTERFACE_HEADER_SETS ON INTERFACE_HEADER_SETS_TO_VERIFY HEADERS)
    if(NOT MSVC)  # for games that compile with more warnings
        list(APPEND warnings -Wsign-conversion -Wold-style-cast -Wdouble-promotion)
    endif()
    set_property(DIRECTORY PROPERTY COMPILE_OPTIONS ${warnings})
endif()
