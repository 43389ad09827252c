# MLIR and LLVM as one target, and TableGen.
include(TableGen)
include(AddMLIR)

# The shared libraries only: a static MLIR archive beside them would duplicate globals. The
# imported targets carry no include path.
add_library(kiln_mlir INTERFACE)
target_link_libraries(kiln_mlir INTERFACE MLIR LLVM)
target_include_directories(kiln_mlir SYSTEM INTERFACE ${MLIR_INCLUDE_DIRS} ${LLVM_INCLUDE_DIRS})
separate_arguments(llvm_definitions UNIX_COMMAND "${LLVM_DEFINITIONS}")
target_compile_definitions(kiln_mlir INTERFACE ${llvm_definitions})

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
