# Rooms: a folder each, a static library each. A room sees the headers of those that it is built on, and no others: its
# include path is one folder of the build, in which links lead to these rooms alone. So a build fails where a lower room
# includes a higher one.

# add_room(NAME FOLDER [ON room…] [UNDER prefix]) makes the library mechfmu_NAME of FOLDER's sources, subfolders
# included, and mechfmu_NAME_headers for those who need no more. Includes name a header by its folder's path from the
# current folder; with UNDER prefix also by that path behind the prefix.
function(add_room name folder)
  cmake_parse_arguments(PARSE_ARGV 2 room "" "UNDER" "ON")
  set(include ${PROJECT_BINARY_DIR}/rooms/${name})
  foreach(path ${folder} ${room_UNDER})
    if(NOT path STREQUAL folder)
      string(APPEND path /${folder})
    endif()
    get_filename_component(above ${include}/${path} DIRECTORY)
    file(MAKE_DIRECTORY ${above})
    file(CREATE_LINK ${CMAKE_CURRENT_SOURCE_DIR}/${folder} ${include}/${path} SYMBOLIC)
  endforeach()
  add_library(mechfmu_${name}_headers INTERFACE)
  target_include_directories(mechfmu_${name}_headers INTERFACE ${include})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${folder}/*.cpp)
  list(FILTER sources EXCLUDE REGEX "/main\\.cpp$")  # that is a program's
  if(sources)
    add_library(mechfmu_${name} STATIC ${sources})
    target_link_libraries(mechfmu_${name} PUBLIC mechfmu_${name}_headers)
  else()
    add_library(mechfmu_${name} INTERFACE)
    target_link_libraries(mechfmu_${name} INTERFACE mechfmu_${name}_headers)
  endif()
  foreach(lower ${room_ON})
    target_link_libraries(mechfmu_${name}_headers INTERFACE mechfmu_${lower}_headers)
    if(sources)
      target_link_libraries(mechfmu_${name} PUBLIC mechfmu_${lower})
    else()
      target_link_libraries(mechfmu_${name} INTERFACE mechfmu_${lower})
    endif()
  endforeach()
endfunction()
