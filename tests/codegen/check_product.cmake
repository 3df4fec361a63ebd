# Is a product of lanes one instruction, not fused with what follows, and not taken to pieces to keep it so?
execute_process(OUTPUT_VARIABLE assembly COMMAND_ERROR_IS_FATAL ANY
    COMMAND ${COMPILER} -std=c++20 -O2 ${TARGET} -I${INCLUDE_DIR} -S -o -
        ${CMAKE_CURRENT_LIST_DIR}/product.cpp)
string(REGEX MATCHALL "\n[ \t]+v[a-z0-9]+ps[ \t]" instructions "${assembly}")
list(TRANSFORM instructions STRIP)
list(FILTER instructions EXCLUDE REGEX "^vmov")
list(SORT instructions)
if(NOT instructions STREQUAL "vaddps;vmulps")
    message(FATAL_ERROR "a product and a sum of 8 lanes became ${instructions}:\n${assembly}")
endif()
