# cmake --install build --prefix FOLDER: bin/mechfmu and what it works with, found from the program's own place
# (tool/places.cpp), so that neither this folder nor the build is needed any more.
set(shared share/mechfmu)
set(library lib/mechfmu)
set_target_properties(mechfmu PROPERTIES INSTALL_RPATH "$ORIGIN/../${library}")
install(TARGETS mechfmu mechfmu_fmu RUNTIME DESTINATION bin ARCHIVE DESTINATION ${library})
install(FILES $<TARGET_FILE:casadi::casadi> DESTINATION ${library})

install(FILES LICENSE DESTINATION ${shared})
install(DIRECTORY fmu_src DESTINATION ${shared})
install(DIRECTORY models DESTINATION ${shared} PATTERN "reference*" EXCLUDE PATTERN "*.py" EXCLUDE
    PATTERN __pycache__ EXCLUDE)
install(DIRECTORY ${FMU_PARTS} DESTINATION ${shared})
install(PROGRAMS scripts/build_platform.sh DESTINATION ${shared}/scripts)
foreach(script archive.py debian.sh finish_fmu.py icon.py report.py)
  install(FILES scripts/${script} DESTINATION ${shared}/scripts)
endforeach()

# The Python environment without what only builds and tests need. A script in it names its interpreter.
install(DIRECTORY ${PYTHON_ENVIRONMENT}/bin DESTINATION ${library}/python USE_SOURCE_PERMISSIONS
    FILES_MATCHING PATTERN "python*" PATTERN fmpy)
install(FILES ${PYTHON_ENVIRONMENT}/pyvenv.cfg DESTINATION ${library}/python)
install(DIRECTORY ${PYTHON_ENVIRONMENT}/lib DESTINATION ${library}/python
    REGEX "/site-packages/(casadi|clang_|cmake|mypy|pip|setuptools|[0-9a-f]+__mypyc)" EXCLUDE)
install(CODE "
  set(script \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${library}/python/bin/fmpy\")
  file(READ \"\${script}\" text)
  string(REPLACE \"${PYTHON_ENVIRONMENT}\" \"\${CMAKE_INSTALL_PREFIX}/${library}/python\" text \"\${text}\")
  file(WRITE \"\${script}\" \"\${text}\")")
