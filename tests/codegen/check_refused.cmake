# Are flags that let the compiler change results refused, and let through where they are asked for?
foreach(flag IN LISTS FLAGS)
    set(compile ${COMPILER} -std=c++20 -fsyntax-only ${flag} -I${INCLUDE_DIR} ${CMAKE_CURRENT_LIST_DIR}/product.cpp)
    execute_process(COMMAND ${compile} RESULT_VARIABLE result OUTPUT_QUIET ERROR_VARIABLE sentence)
    if(result EQUAL 0 OR NOT sentence MATCHES "phys2d: fast math")
        message(FATAL_ERROR "${flag} is not refused: ${sentence}")
    endif()
    execute_process(COMMAND ${compile} -DPHYS2D_ALLOW_FAST_MATH COMMAND_ERROR_IS_FATAL ANY)
endforeach()
