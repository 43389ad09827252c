# The rules of installation: component capi, which nothing else of Kiln needs.
install(TARGETS kiln_tensorflow kiln_tensorflow_framework EXPORT TensorflowTargets
        LIBRARY COMPONENT capi NAMELINK_COMPONENT capi)
install(TARGETS kiln_tensorflow1 kiln_tensorflow_framework1 LIBRARY COMPONENT capi NAMELINK_SKIP)
install(DIRECTORY include/tensorflow TYPE INCLUDE COMPONENT capi FILES_MATCHING PATTERN "*.h")

set(cmake_folder "${CMAKE_INSTALL_LIBDIR}/cmake/Tensorflow")
install(EXPORT TensorflowTargets NAMESPACE tensorflow:: DESTINATION "${cmake_folder}" FILE TensorflowConfig.cmake
        COMPONENT capi)
configure_file(tensorflow.pc.in tensorflow.pc @ONLY)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/tensorflow.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig" COMPONENT capi)
