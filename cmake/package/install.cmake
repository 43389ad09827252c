# The rules of installation: components runtime, development and tools.
include(CMakePackageConfigHelpers)
install(TARGETS kiln_shared EXPORT KilnTargets
        LIBRARY COMPONENT runtime NAMELINK_COMPONENT development)
install(TARGETS kiln_io_module LIBRARY COMPONENT runtime NAMELINK_SKIP)
set_property(TARGET kiln_run PROPERTY INSTALL_RPATH "$ORIGIN/../${CMAKE_INSTALL_LIBDIR}")
install(TARGETS kiln_run kiln_opt RUNTIME COMPONENT tools)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/kiln" "${PROJECT_BINARY_DIR}/include/kiln" TYPE INCLUDE COMPONENT development FILES_MATCHING PATTERN "*.h" PATTERN "*.def")

set(cmake_folder "${CMAKE_INSTALL_LIBDIR}/cmake/Kiln")
install(EXPORT KilnTargets NAMESPACE Kiln:: DESTINATION "${cmake_folder}" COMPONENT development)
configure_package_config_file(KilnConfig.cmake.in KilnConfig.cmake INSTALL_DESTINATION "${cmake_folder}")
write_basic_package_version_file(KilnConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/KilnConfig.cmake" "${CMAKE_CURRENT_BINARY_DIR}/KilnConfigVersion.cmake"
        DESTINATION "${cmake_folder}" COMPONENT development)
configure_file(kiln.pc.in kiln.pc @ONLY)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/kiln.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig"
        COMPONENT development)
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" "${PROJECT_SOURCE_DIR}/README.md" "${PROJECT_BINARY_DIR}/docs/ops.md"
        TYPE DOC COMPONENT development)
