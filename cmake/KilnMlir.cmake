# MLIR and LLVM as one target, and TableGen.
include(TableGen)
include(AddMLIR)

# kiln_llvm_archives(variable target...) lists the archives that the targets stand for, all that they depend on
# included, as a link line.
function(kiln_llvm_archives variable)
  set(todo ${ARGN})
  set(seen)
  set(files)
  while(todo)
    list(POP_FRONT todo name)
    string(REGEX REPLACE "^\\$<LINK_ONLY:(.*)>$" "\\1" name "${name}")
    if(name IN_LIST seen OR NOT name MATCHES "^(MLIR|LLVM)." OR NOT TARGET ${name})
      continue() # LLVM and MLIR themselves are the shared libraries
    endif()
    list(APPEND seen ${name})
    get_target_property(type ${name} TYPE)
    if(type STREQUAL "STATIC_LIBRARY")
      list(APPEND files "${LLVM_LIBRARY_DIR}/lib${name}.a")
    endif()
    get_target_property(dependencies ${name} INTERFACE_LINK_LIBRARIES)
    if(dependencies)
      list(APPEND todo ${dependencies})
    endif()
  endwhile()
  set(${variable} "-Wl,--start-group;${files};-Wl,--end-group" PARENT_SCOPE)
endfunction()

# The shared libraries: a static MLIR archive beside them would duplicate globals. Only libkiln.so (the property
# KILN_LLVM_ARCHIVES) has the archives in their place, all of them (cmake/package/README.md).
llvm_map_components_to_libnames(components core jitlink native orcjit orcshared passes)
kiln_llvm_archives(archives ${components}
  MLIRArithToLLVM MLIRArithTransforms MLIRBuiltinToLLVMIRTranslation MLIRControlFlowToLLVM MLIRFuncToLLVM
  MLIRIndexToLLVM MLIRLLVMToLLVMIRTranslation MLIRMathToLLVM MLIRMemRefToLLVM MLIRParser MLIRSCFToControlFlow
  MLIRTargetLLVMIRExport MLIRTransforms MLIRUBToLLVM MLIRVectorToLLVMPass MLIRVectorTransforms)
find_library(KILN_ZSTD NAMES zstd libzstd.so.1 REQUIRED) # the archives need it, their package brings no development files
find_package(ZLIB REQUIRED)
add_library(kiln_mlir_archives INTERFACE)
target_link_libraries(kiln_mlir_archives INTERFACE ${archives} ZLIB::ZLIB "${KILN_ZSTD}" ${CMAKE_DL_LIBS})
add_library(kiln_mlir_shared INTERFACE)
target_link_libraries(kiln_mlir_shared INTERFACE MLIR LLVM)

# The imported targets carry no include path.
add_library(kiln_mlir INTERFACE)
target_link_libraries(kiln_mlir INTERFACE
  "$<IF:$<BOOL:$<TARGET_PROPERTY:KILN_LLVM_ARCHIVES>>,kiln_mlir_archives,kiln_mlir_shared>")
target_include_directories(kiln_mlir SYSTEM INTERFACE ${MLIR_INCLUDE_DIRS} ${LLVM_INCLUDE_DIRS})
separate_arguments(llvm_definitions UNIX_COMMAND "${LLVM_DEFINITIONS}")
target_compile_definitions(kiln_mlir INTERFACE ${llvm_definitions})

# What links and digests object code and knows no MLIR links LLVM alone.
add_library(kiln_llvm INTERFACE)
target_link_libraries(kiln_llvm INTERFACE
  "$<IF:$<BOOL:$<TARGET_PROPERTY:KILN_LLVM_ARCHIVES>>,kiln_mlir_archives,LLVM>")
target_include_directories(kiln_llvm SYSTEM INTERFACE ${LLVM_INCLUDE_DIRS})
target_compile_definitions(kiln_llvm INTERFACE ${llvm_definitions})

# kiln_tablegen(target file.td OUTPUT FLAGS [OUTPUT FLAGS]...) runs mlir-tblgen once per output:
#   kiln_tablegen(KilnPassesIncGen Passes.td Passes.h.inc "-gen-pass-decls -name=Kiln")
# A library names the target in TABLEGEN. Outputs are included as "folder/Passes.h.inc".
function(kiln_tablegen target file)
  set(LLVM_TARGET_DEFINITIONS ${file})
  set(outputs ${ARGN})
  while(outputs)
    list(POP_FRONT outputs output flags)
    separate_arguments(flags)
    mlir_tablegen(${output} ${flags} EXTRA_INCLUDES "${PROJECT_SOURCE_DIR}" ${MLIR_INCLUDE_DIRS})
  endwhile()
  add_custom_target(${target} DEPENDS ${TABLEGEN_OUTPUT})
endfunction()
