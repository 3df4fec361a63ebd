# Chipmunk 7, which brings no CMake package, if a release build of it is found.
find_path(chipmunk_include chipmunk/chipmunk.h NO_CACHE)
find_library(chipmunk_library chipmunk NO_CACHE)
if(NOT chipmunk_include OR NOT chipmunk_library)
    peers_remark("No Chipmunk was found.")
    return()
endif()

find_package(Threads REQUIRED)
add_library(chipmunk UNKNOWN IMPORTED)
set_target_properties(chipmunk PROPERTIES
    IMPORTED_LOCATION ${chipmunk_library}
    INTERFACE_INCLUDE_DIRECTORIES ${chipmunk_include}
    INTERFACE_LINK_LIBRARIES Threads::Threads)

# A build with debug assertions announces itself when it makes its first space; a release is silent.
try_run(chipmunk_runs chipmunk_links
    SOURCE_FROM_CONTENT first_space.cpp
        "#include <chipmunk/chipmunk.h>\nint main() { cpSpaceFree(cpSpaceNew()); }\n"
    LINK_LIBRARIES chipmunk
    RUN_OUTPUT_VARIABLE announcement)
if(NOT chipmunk_links)
    peers_remark("Chipmunk is left out: ${chipmunk_library} cannot be linked.")
elseif(NOT chipmunk_runs EQUAL 0 OR announcement)
    peers_remark("Chipmunk is left out: ${chipmunk_library} is not a release build.")
else()
    peers_add(chipmunk chipmunk.cpp chipmunk)
endif()
