# cmake -DROOT=... -P check_architecture.cmake
# Fails, naming it, for each header that the list of files in docs/architecture.md lacks, for each that comes
# there before one of its own folder that it includes, and for each header that the page names elsewhere and
# that is not there.
cmake_minimum_required(VERSION 3.25)

set(include "${ROOT}/include/phys2d")
file(READ "${ROOT}/docs/architecture.md" page)
string(REGEX MATCH "\n  core/ .*\nexamples/" list "${page}")
string(REGEX REPLACE "[(][^)]*[)]" "" list "${list}")
string(REGEX MATCHALL "[a-z0-9_]+/?" words "${list}")

set(faults "")
set(listed "")
foreach(word IN LISTS words)
    if(word MATCHES "/$")
        set(folder ${word})
    elseif(EXISTS "${include}/${folder}${word}.hpp")
        file(STRINGS "${include}/${folder}${word}.hpp" lines REGEX "^#include <phys2d/${folder}")
        foreach(line IN LISTS lines)
            string(REGEX REPLACE ".*<phys2d/(.*)>.*" "\\1" included "${line}")
            if(NOT included IN_LIST listed)
                list(APPEND faults "${folder}${word}.hpp comes before ${included}")
            endif()
        endforeach()
        list(APPEND listed "${folder}${word}.hpp")
    endif()
endforeach()

file(GLOB_RECURSE headers RELATIVE "${include}" "${include}/*/*.hpp")
foreach(header IN LISTS headers)
    if(NOT header IN_LIST listed)
        list(APPEND faults "${header} is not listed")
    endif()
endforeach()

string(REGEX MATCHALL "`[a-z]+/[a-z0-9_]+[.]hpp`" named "${page}")
foreach(name IN LISTS named)
    string(REPLACE "`" "" name ${name})
    if(NOT EXISTS "${include}/${name}")
        list(APPEND faults "${name} is named and not there")
    endif()
endforeach()

if(faults OR NOT listed)
    list(JOIN faults "; " faults)
    message(FATAL_ERROR "docs/architecture.md: ${faults}")
endif()
