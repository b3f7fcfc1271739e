# The target tidy: clang-tidy looks at each file of fmu_src with the checks of .clang-tidy. It is the one that
# scripts/requirements-test.txt names, and it takes these options in place of the build's, some of which only GCC knows.
find_program(CLANG_TIDY clang-tidy HINTS ${PYTHON_ENVIRONMENT}/bin NO_DEFAULT_PATH)
if(CLANG_TIDY)
  file(GLOB_RECURSE tidy_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/fmu_src/*.cpp)
  file(GLOB_RECURSE tidy_headers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/fmu_src/*.hpp)
  file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/tidy)
  set(tidy_stamps)
  foreach(source ${tidy_sources})
    file(RELATIVE_PATH name ${PROJECT_SOURCE_DIR} ${source})
    string(REPLACE / - stamp ${name})
    set(stamp ${PROJECT_BINARY_DIR}/tidy/${stamp})
    add_custom_command(OUTPUT ${stamp} DEPENDS ${source} ${tidy_headers} ${PROJECT_SOURCE_DIR}/.clang-tidy
      COMMAND ${CLANG_TIDY} --quiet ${name} -- -std=c++20 -Ifmu_src -isystem ${EIGEN_HEADERS} -isystem ${FMI_HEADERS}
              -DNDEBUG -DEIGEN_DONT_VECTORIZE
      COMMAND ${CMAKE_COMMAND} -E touch ${stamp} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR} COMMENT "Checking ${name}")
    list(APPEND tidy_stamps ${stamp})
  endforeach()
  add_custom_target(tidy DEPENDS ${tidy_stamps})
else()
  add_custom_target(tidy VERBATIM COMMAND ${CMAKE_COMMAND} -E echo
    "please run .venv/bin/pip install -r scripts/requirements-test.txt, then cmake --preset tidy" COMMAND false)
endif()
