# Helpers that the folders' CMakeLists.txt are written with.

# What every target of Kiln shares: includes from the repository's root and from include/, generated
# ones without warnings.
function(kiln_configure target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "PCH" "" "SOURCES;DEPS;PUBLIC_DEPS;TABLEGEN")
  target_include_directories(${target} PUBLIC "${PROJECT_SOURCE_DIR}" "${PROJECT_SOURCE_DIR}/include")
  target_include_directories(${target} SYSTEM PUBLIC "${PROJECT_BINARY_DIR}")
  target_link_libraries(${target} PUBLIC ${arg_PUBLIC_DEPS} PRIVATE ${arg_DEPS})
  if(arg_TABLEGEN)
    add_dependencies(${target} ${arg_TABLEGEN})
  endif()
  if(arg_PCH)
    target_precompile_headers(${target} REUSE_FROM kiln_pch)
  endif()
endfunction()

# kiln_library(name SOURCES a.cpp... [DEPS x...] [PUBLIC_DEPS y...] [TABLEGEN t...] [PCH])
# is a static library. PUBLIC_DEPS are those that its headers include.
# PCH: MLIR's headers precompiled (cmake/Pch.h); not for executables, which compile as PIE.
function(kiln_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "PCH" "" "SOURCES;DEPS;PUBLIC_DEPS;TABLEGEN")
  add_library(${name} STATIC ${arg_SOURCES})
  kiln_configure(${name} ${ARGN})
endfunction()

# kiln_executable(name SOURCES a.cpp... [DEPS x...]) goes to bin/ (name kiln_foo_bar: kiln-foo-bar).
function(kiln_executable name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;DEPS;PUBLIC_DEPS;TABLEGEN")
  add_executable(${name} ${arg_SOURCES})
  kiln_configure(${name} ${ARGN})
  string(REPLACE "_" "-" output ${name})
  set_target_properties(${name} PROPERTIES OUTPUT_NAME ${output})
endfunction()

# kiln_unittest(Name SOURCES NameTest.cpp [DEPS x...]) is one GoogleTest program and one CTest test.
function(kiln_unittest name)
  kiln_executable(${name} ${ARGN})
  target_link_libraries(${name} PRIVATE GTest::gmock_main)
  set_target_properties(${name} PROPERTIES OUTPUT_NAME ${name}
                        RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin/unit")
  add_test(NAME unit/${name} COMMAND ${name})
  set_tests_properties(unit/${name} PROPERTIES LABELS unit TIMEOUT 300)
endfunction()

# kiln_benchmark(Name SOURCES Name.cpp [DEPS x...]) is a Google Benchmark program; no test times it.
function(kiln_benchmark name)
  kiln_executable(${name} ${ARGN})
  target_link_libraries(${name} PRIVATE benchmark::benchmark_main)
  set_target_properties(${name} PROPERTIES
                        RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin/bench")
endfunction()

# The precompiled header of dialect/ and passes/, compiled once.
add_library(kiln_pch STATIC "${PROJECT_SOURCE_DIR}/cmake/Pch.cpp")
kiln_configure(kiln_pch PUBLIC_DEPS kiln_mlir)
target_precompile_headers(kiln_pch PRIVATE "${PROJECT_SOURCE_DIR}/cmake/Pch.h")

# Tests of golden cases, natively, with the evaluator's bits, and in the evaluator: the arguments are kiln-golden-test's.
function(kiln_golden_test name)
  add_test(NAME golden/native/${name} COMMAND kiln_golden_test --bits ${ARGN})
  add_test(NAME golden/evaluator/${name} COMMAND kiln_golden_test --evaluator ${ARGN})
  set_tests_properties(golden/native/${name} golden/evaluator/${name} PROPERTIES LABELS golden TIMEOUT 300)
endfunction()
