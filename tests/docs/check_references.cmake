# cmake -DROOT=... -P check_references.cmake
# Fails, naming it, for each key in a comment, like [Ericson2005 §5.1], that docs/references.md lacks, and
# for each key there that no comment uses.
cmake_minimum_required(VERSION 3.25)

set(key "[A-Z][A-Za-z]+[0-9][0-9][0-9][0-9]")
file(READ "${ROOT}/docs/references.md" page)
string(REGEX MATCHALL "[|] ${key} [|]" listed "${page}")
list(TRANSFORM listed REPLACE "[| ]" "")

file(GLOB_RECURSE sources "${ROOT}/include/*.[hc]pp" "${ROOT}/examples/*.[hc]pp"
    "${ROOT}/tests/*.[hc]pp" "${ROOT}/bench/*.[hc]pp")
foreach(source IN LISTS sources)
    file(STRINGS "${source}" lines ENCODING UTF-8 REGEX "//.*[[]${key}")
    string(REPLACE "[" " " lines "${lines}")  # which would join elements of a list
    string(REGEX MATCHALL " ${key}" found "${lines}")
    list(TRANSFORM found STRIP)
    list(APPEND used ${found})
endforeach()
list(REMOVE_DUPLICATES used)

set(unlisted ${used})
list(REMOVE_ITEM unlisted ${listed})
set(unused ${listed})
list(REMOVE_ITEM unused ${used})
if(unlisted OR unused OR NOT listed)
    message(FATAL_ERROR "not in docs/references.md: ${unlisted}; there, but not used: ${unused}")
endif()
