# What the wheel and pip install lay down: component python.
# Both libraries under the names that the loader asks for, since wheels have no links.
set(abi "${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}")
install(FILES "$<TARGET_FILE:kiln_shared>" DESTINATION kiln COMPONENT python EXCLUDE_FROM_ALL RENAME "libkiln.so.${abi}")
install(FILES "$<TARGET_FILE:kiln_io_module>" DESTINATION kiln COMPONENT python EXCLUDE_FROM_ALL RENAME "libkiln-io.so.${abi}")
install(CODE "foreach(library libkiln libkiln-io)
  execute_process(COMMAND \"${CMAKE_STRIP}\"
                          \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/kiln/\${library}.so.${abi}\"
                  COMMAND_ERROR_IS_FATAL ANY)
endforeach()" COMPONENT python EXCLUDE_FROM_ALL)
install(TARGETS kiln_python LIBRARY DESTINATION kiln COMPONENT python EXCLUDE_FROM_ALL)
install(TARGETS kiln_horovod LIBRARY DESTINATION kiln/horovod COMPONENT python EXCLUDE_FROM_ALL)
install(FILES "${package}/_kiln.pyi" DESTINATION kiln COMPONENT python EXCLUDE_FROM_ALL)
install(DIRECTORY "${package}/_generated" DESTINATION kiln COMPONENT python EXCLUDE_FROM_ALL PATTERN "__pycache__" EXCLUDE)
install(DIRECTORY kiln DESTINATION . COMPONENT python EXCLUDE_FROM_ALL
        FILES_MATCHING PATTERN "*.py" PATTERN "py.typed" PATTERN "__pycache__" EXCLUDE)
