# Is a misuse that would compile into something else, or fail far inside, refused in words of the user?
set(compile ${COMPILER} -std=c++20 -fsyntax-only -DPHYS2D_SEPARATE_STEP -I${INCLUDE_DIR})
foreach(seconds IN ITEMS 0.016f 1 1.0/60)
    execute_process(COMMAND ${compile} -DSECONDS=${seconds} ${CMAKE_CURRENT_LIST_DIR}/step_seconds.cpp
        RESULT_VARIABLE result OUTPUT_QUIET ERROR_VARIABLE sentence)
    if(result EQUAL 0 OR NOT sentence MATCHES "step takes config\\(\\).time_step seconds")
        message(FATAL_ERROR "step(${seconds}) is not refused in words: ${sentence}")
    endif()
endforeach()
