# Compiles and runs hello_world as someone without CMake would:
#   WAY=copied_headers   include/phys2d copied elsewhere, `c++ -std=c++20 -I...`
#   WAY=pkg_config       the installed package, `c++ -std=c++20 $(pkg-config --cflags phys2d)`
file(REMOVE_RECURSE ${DIRECTORY})
file(MAKE_DIRECTORY ${DIRECTORY})

if(WAY STREQUAL "copied_headers")
    file(COPY ${SOURCE_DIR}/include/phys2d DESTINATION ${DIRECTORY}/include)
    set(flags -I${DIRECTORY}/include)
else()
    set(ENV{PKG_CONFIG_PATH} ${PKG_CONFIG_PATH})
    execute_process(COMMAND ${PKG_CONFIG} --cflags phys2d
        OUTPUT_VARIABLE flags COMMAND_ERROR_IS_FATAL ANY)
    separate_arguments(flags UNIX_COMMAND "${flags}")
endif()

execute_process(COMMAND_ECHO STDOUT COMMAND_ERROR_IS_FATAL ANY
    COMMAND ${COMPILER} -std=c++20 ${flags} ${SOURCE_DIR}/examples/hello_world.cpp
        -o ${DIRECTORY}/hello_world)
execute_process(COMMAND_ERROR_IS_FATAL ANY COMMAND ${DIRECTORY}/hello_world)

if(WAY STREQUAL "copied_headers")
    execute_process(COMMAND_ECHO STDOUT COMMAND_ERROR_IS_FATAL ANY
        COMMAND ${COMPILER} -std=c++20 ${flags} -DPHYS2D_SEPARATE_STEP
            ${SOURCE_DIR}/examples/hello_world.cpp ${DIRECTORY}/include/phys2d/step.cpp
            -o ${DIRECTORY}/separate_step)
    execute_process(COMMAND_ERROR_IS_FATAL ANY COMMAND ${DIRECTORY}/separate_step)
    execute_process(RESULT_VARIABLE links_without OUTPUT_QUIET ERROR_QUIET
        COMMAND ${COMPILER} -std=c++20 ${flags} -DPHYS2D_SEPARATE_STEP
            ${SOURCE_DIR}/examples/hello_world.cpp -o ${DIRECTORY}/without_step)
    if(links_without EQUAL 0)
        message(FATAL_ERROR "with PHYS2D_SEPARATE_STEP the step is compiled in every file")
    endif()
endif()
