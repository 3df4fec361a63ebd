# cmake -DDIRECTORY=... -P check_floors_test.cmake
# Builds small trees with one fault each and expects check_floors.cmake to name it.
cmake_minimum_required(VERSION 3.25)

# Writes a header with the given include lines.
function(write_header header)
    list(JOIN ARGN "\n#include " includes)
    file(WRITE ${DIRECTORY}/phys2d/${header} "#pragma once\n#include ${includes}\n")
endfunction()

# Runs the check on what has been written, expects that it passes or fails with the sentence, and
# clears the tree.
function(expect outcome sentence)
    execute_process(RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output
        COMMAND ${CMAKE_COMMAND} -DINCLUDE_DIR=${DIRECTORY}
            -P ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/check_floors.cmake)
    set(real_outcome fails)
    if(result EQUAL 0)
        set(real_outcome passes)
    endif()
    string(FIND "${output}" "${sentence}" found)
    if(found EQUAL -1 OR NOT outcome STREQUAL real_outcome)
        message(SEND_ERROR "expected: ${outcome}, ${sentence}\ngot: ${real_outcome}, ${output}")
    endif()
    file(REMOVE_RECURSE ${DIRECTORY})
endfunction()

file(REMOVE_RECURSE ${DIRECTORY})

write_header(core/error.hpp <cstdio>)
write_header(math/vec2.hpp <phys2d/core/error.hpp>)
write_header(math/angle.hpp <phys2d/math/vec2.hpp> <phys2d/core/error.hpp>)
write_header(phys2d.hpp <phys2d/math/angle.hpp>)
expect(passes "4 headers, every include on its own floor or below")

write_header(core/error.hpp <phys2d/math/vec2.hpp>)
write_header(math/vec2.hpp <cmath>)
expect(fails "core/error.hpp (floor 0) climbs to math/vec2.hpp (floor 1)")

write_header(world/world.hpp <phys2d/phys2d.hpp>)
write_header(phys2d.hpp <cmath>)
expect(fails "world/world.hpp (floor 7) climbs to phys2d.hpp (floor 8)")

write_header(math/start.hpp <phys2d/math/a.hpp>)
write_header(math/a.hpp <phys2d/math/b.hpp>)
write_header(math/b.hpp <phys2d/math/c.hpp>)
write_header(math/c.hpp <phys2d/math/a.hpp>)
expect(fails "math/a.hpp -> math/b.hpp -> math/c.hpp -> math/a.hpp")

write_header(dynamics/a.hpp <phys2d/terrain/a.hpp>)
write_header(dynamics/b.hpp <cmath>)
write_header(terrain/a.hpp <cmath>)
write_header(terrain/b.hpp <phys2d/dynamics/b.hpp>)
expect(fails "folders include each other in a circle: dynamics -> terrain -> dynamics")

write_header(math/a.hpp [["b.hpp"]])
write_header(math/b.hpp <cmath>)
expect(fails [[math/a.hpp says #include "b.hpp"]])

write_header(math/a.hpp <phys2d/math/missing.hpp>)
expect(fails "math/a.hpp includes math/missing.hpp, which is not there")

write_header(attic/a.hpp <cmath>)
expect(fails "attic/a.hpp stands on no floor")
