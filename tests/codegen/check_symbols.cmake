# Do translation units that are built for different targets share a symbol, of which the linker would keep one?
# TARGETS are the flags of one build each; only phys2d::Error and what is in phys2d::shared_detail belong to all of them.
set(seen "")
foreach(target IN LISTS TARGETS)
    separate_arguments(flags UNIX_COMMAND "${target}")
    execute_process(COMMAND_ERROR_IS_FATAL ANY
        COMMAND ${COMPILER} -std=c++20 -O0 -w ${flags} -I${INCLUDE_DIR}
            -c ${CMAKE_CURRENT_LIST_DIR}/symbols.cpp -o ${OBJECT})
    execute_process(COMMAND ${NM} --defined-only ${OBJECT}
        OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
    string(REGEX MATCHALL " [uVW] [^\n]*6phys2d[^\n]*" symbols "${symbols}")
    list(FILTER symbols EXCLUDE REGEX "NK?6phys2d(5Error|13shared_detail)")
    set(own ${symbols})
    list(REMOVE_ITEM own "" ${seen})
    list(LENGTH own own_count)
    if(own_count LESS 1000)
        message(FATAL_ERROR "${target}: ${own_count} symbols, which is too few to tell")
    endif()
    list(REMOVE_ITEM symbols ${own})
    if(symbols)
        list(JOIN symbols "\n" shared)
        message(FATAL_ERROR "${target}: symbols that another build has, too:\n${shared}")
    endif()
    list(APPEND seen ${own})
endforeach()
