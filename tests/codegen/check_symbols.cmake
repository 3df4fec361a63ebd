# Do translation units that are built for different targets share a symbol, of which the linker would keep one?
# TARGETS are the flags of one build each: no two have the same inline namespace. It begins with COMPILER_NAME, so that
# builds by different compilers have different ones. In it is all that builds with the flags of COMPILED define, but
# for phys2d::Error and phys2d::shared_detail, which belong to all of them.
set(source ${CMAKE_CURRENT_LIST_DIR}/symbols.cpp)

# The inline namespace of a build.
function(find_namespace target result)
    separate_arguments(flags UNIX_COMMAND "${target}")
    execute_process(COMMAND ${COMPILER} -std=c++20 -E -P ${flags} -I${INCLUDE_DIR} ${source}
        OUTPUT_VARIABLE code COMMAND_ERROR_IS_FATAL ANY)
    string(REGEX MATCH "namespace phys2d::inline ([a-z0-9_]+)" found "${code}")
    if(NOT found)
        message(FATAL_ERROR "${target}: no inline namespace")
    endif()
    set(name ${CMAKE_MATCH_1})
    if(NOT name MATCHES "^abi_${COMPILER_NAME}_")
        message(FATAL_ERROR "${target}: the namespace ${name} does not begin with abi_${COMPILER_NAME}_")
    endif()
    set(${result} ${name} PARENT_SCOPE)
endfunction()

set(seen "")
foreach(target IN LISTS TARGETS)
    find_namespace("${target}" name)
    list(FIND seen ${name} place)
    if(place GREATER -1)
        message(FATAL_ERROR "${target}: another build has the namespace ${name}, too")
    endif()
    list(APPEND seen ${name})
endforeach()

foreach(target IN LISTS COMPILED)
    find_namespace("${target}" name)
    separate_arguments(flags UNIX_COMMAND "${target}")
    execute_process(COMMAND_ERROR_IS_FATAL ANY
        COMMAND ${COMPILER} -std=c++20 -O0 -w ${flags} -I${INCLUDE_DIR} -c ${source} -o ${OBJECT})
    execute_process(COMMAND ${NM} --defined-only ${OBJECT}
        OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
    string(REGEX MATCHALL " [uVW] [^\n]*6phys2d[^\n]*" symbols "${symbols}")
    list(LENGTH symbols count)
    if(count LESS 1000)
        message(FATAL_ERROR "${target}: ${count} symbols, which is too few to tell")
    endif()
    list(FILTER symbols EXCLUDE REGEX "6phys2d[0-9]+${name}|NK?6phys2d(5Error|13shared_detail)")
    if(symbols)
        list(JOIN symbols "\n" shared)
        message(FATAL_ERROR "${target}: symbols that other builds have, too:\n${shared}")
    endif()
endforeach()
