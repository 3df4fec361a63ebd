# Is any product in an inline function fused with a sum? Then other processors would round it otherwise. By a power of
# two it may be, since such a product is exact. g++ tells in its last listing before it chooses instructions, clang in
# what it hands to its optimiser. LISTING is where that is written.
set(compile ${COMPILER} -std=c++20 -march=x86-64-v3 -I${INCLUDE_DIR} -S ${ALL})
if(COMPILER_ID STREQUAL "GNU")
    list(APPEND compile -O1 -fexpensive-optimizations -fkeep-inline-functions -fdump-tree-optimized-lineno=${LISTING}
        -o ${LISTING}.s)
    set(fused "\\.FN?M[AS] \\(")
    set(power_of_two "[(, ]-?(2\\.0e\\+0|4\\.0e\\+0|8\\.0e\\+0|5\\.0e-1|2\\.5e-1),")
else()
    list(APPEND compile -O0 -Xclang -femit-all-decls -emit-llvm -o ${LISTING})
    set(fused "call .*llvm\\.fmuladd")
    set(power_of_two " -?(2\\.0+e\\+00|4\\.0+e\\+00|8\\.0+e\\+00|5\\.0+e-01|2\\.50+e-01),")
endif()
execute_process(COMMAND ${compile} COMMAND_ERROR_IS_FATAL ANY)

file(STRINGS ${LISTING} lines REGEX "${fused}")
list(LENGTH lines count)
if(count EQUAL 0)
    message(FATAL_ERROR "no product is fused, not even one by a power of two: the listing is not what it was")
endif()
string(REPLACE "\\;" "" lines "${lines}")
list(FILTER lines EXCLUDE REGEX "${power_of_two}")
if(lines)
    list(JOIN lines "\n" inexact)
    message(FATAL_ERROR "products that are fused with sums, expected `mul`:\n${inexact}")
endif()
