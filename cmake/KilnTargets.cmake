# Helpers that the folders' CMakeLists.txt are written with.

# What every target of Kiln shares: includes from the repository's root and from include/, generated
# ones without warnings, and the precompiled header that PCH names, where it names one.
function(kiln_configure target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "PCH" "SOURCES;DEPS;PUBLIC_DEPS;TABLEGEN")
  target_include_directories(${target} PUBLIC "${PROJECT_SOURCE_DIR}" "${PROJECT_SOURCE_DIR}/include")
  target_include_directories(${target} SYSTEM PUBLIC "${PROJECT_BINARY_DIR}")
  target_link_libraries(${target} PUBLIC ${arg_PUBLIC_DEPS} PRIVATE ${arg_DEPS})
  if(arg_TABLEGEN)
    add_dependencies(${target} ${arg_TABLEGEN})
  endif()
  if(arg_PCH)
    target_precompile_headers(${target} REUSE_FROM kiln_${arg_PCH}_pch)
    target_compile_options(${target} PRIVATE $<TARGET_PROPERTY:kiln_${arg_PCH}_pch,COMPILE_OPTIONS>)
  endif()
endfunction()

# kiln_library(name SOURCES a.cpp... [DEPS x...] [PUBLIC_DEPS y...] [TABLEGEN t...] [PCH p])
# is a static library. PUBLIC_DEPS are those that its headers include. PCH: one of those below, std by default.
function(kiln_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "PCH" "SOURCES;DEPS;PUBLIC_DEPS;TABLEGEN")
  add_library(${name} STATIC ${arg_SOURCES})
  kiln_configure(${name} PCH std ${ARGN})
endfunction()

# kiln_executable(name SOURCES a.cpp... [DEPS x...] [PCH p]) goes to bin/ (name kiln_foo_bar: kiln-foo-bar). PCH: program
# by default, which Dev does not optimize.
function(kiln_executable name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "PCH" "SOURCES;DEPS;PUBLIC_DEPS;TABLEGEN")
  add_executable(${name} ${arg_SOURCES})
  kiln_configure(${name} PCH program ${ARGN})
  string(REPLACE "_" "-" output ${name})
  set_target_properties(${name} PROPERTIES OUTPUT_NAME ${output})
endfunction()

# A GoogleTest program, bin/unit/NAME. PCH: test by default.
function(kiln_test_program name)
  kiln_executable(${name} PCH test ${ARGN})
  target_link_libraries(${name} PRIVATE GTest::gmock)
  target_sources(${name} PRIVATE "$<TARGET_OBJECTS:kiln_test_main>")
  target_compile_definitions(${name} PRIVATE KILN_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  set_target_properties(${name} PROPERTIES OUTPUT_NAME ${name}
                        RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin/unit")
endfunction()

# kiln_unittests(Name FILES ATest.cpp... [SOURCES Helper.cpp...] [DEPS x...] [PCH p]) is one program, and a CTest test a file,
# unit/FOLDER/ATest, which runs the tests of that file in a process of their own.
function(kiln_unittests name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "PCH" "FILES;SOURCES;DEPS")
  if(NOT arg_PCH)
    set(arg_PCH test)
  endif()
  kiln_test_program(${name} SOURCES ${arg_FILES} ${arg_SOURCES} DEPS ${arg_DEPS} PCH ${arg_PCH})
  file(RELATIVE_PATH folder "${PROJECT_SOURCE_DIR}/test" "${CMAKE_CURRENT_SOURCE_DIR}")
  foreach(file IN LISTS arg_FILES)
    cmake_path(GET file STEM test)
    add_test(NAME ${folder}/${test} COMMAND ${name} --file=${file})
    set_tests_properties(${folder}/${test} PROPERTIES LABELS unit TIMEOUT 300)
  endforeach()
endfunction()

# kiln_unittest(Name SOURCES NameTest.cpp... [DEPS x...] [SHARDS n]) is a program of its own, for what changes the whole
# process, and one CTest test, unit/FOLDER/Name, or n that have its tests in turn.
function(kiln_unittest name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "SHARDS" "")
  kiln_test_program(${name} ${arg_UNPARSED_ARGUMENTS})
  file(RELATIVE_PATH folder "${PROJECT_SOURCE_DIR}/test" "${CMAKE_CURRENT_SOURCE_DIR}")
  if(NOT arg_SHARDS)
    add_test(NAME ${folder}/${name} COMMAND ${name})
    set_tests_properties(${folder}/${name} PROPERTIES LABELS unit TIMEOUT 300)
    return()
  endif()
  math(EXPR last "${arg_SHARDS} - 1")
  foreach(i RANGE ${last})
    add_test(NAME ${folder}/${name}/${i} COMMAND ${name})
    set_tests_properties(${folder}/${name}/${i} PROPERTIES LABELS unit TIMEOUT 300
                         ENVIRONMENT "GTEST_TOTAL_SHARDS=${arg_SHARDS};GTEST_SHARD_INDEX=${i}")
  endforeach()
endfunction()

# kiln_benchmark(Name SOURCES Name.cpp [DEPS x...]) is a Google Benchmark program; no test times it.
function(kiln_benchmark name)
  kiln_executable(${name} PCH std ${ARGN})
  target_link_libraries(${name} PRIVATE benchmark::benchmark_main)
  set_target_properties(${name} PROPERTIES
                        RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin/bench")
endfunction()

# kiln_pch(name Header.h [DEPS x...] [TABLEGEN t...] [OPTIONS o...]) precompiles cmake/pch/Header.h for the targets that
# say PCH name; they are compiled with its options.
function(kiln_pch name header)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "" "OPTIONS")
  set(target kiln_${name}_pch)
  add_library(${target} STATIC "${PROJECT_SOURCE_DIR}/cmake/pch/Pch.cpp")
  kiln_configure(${target} ${arg_UNPARSED_ARGUMENTS})
  target_compile_options(${target} PRIVATE ${arg_OPTIONS})
  target_precompile_headers(${target} PRIVATE "${PROJECT_SOURCE_DIR}/cmake/pch/${header}")
endfunction()

# For programs without one of Kiln's precompiled headers.
add_library(kiln_unoptimized INTERFACE)
target_compile_options(kiln_unoptimized INTERFACE ${kiln_unoptimized})

kiln_pch(std Std.h)
kiln_pch(program Program.h OPTIONS ${kiln_unoptimized})
kiln_pch(mlir Mlir.h DEPS kiln_mlir TABLEGEN KilnDialectIncGen KilnInterfacesIncGen)
kiln_pch(lowering Lowering.h DEPS kiln_mlir TABLEGEN KilnDialectIncGen KilnInterfacesIncGen)

# A test of golden cases, natively and in the evaluator, with the same bits: the arguments are kiln-golden-test's.
function(kiln_golden_test name)
  add_test(NAME golden/${name} COMMAND kiln_golden_test --bits ${ARGN})
  set_tests_properties(golden/${name} PROPERTIES LABELS golden TIMEOUT 300)
endfunction()

# kiln_level_test(name ENVIRONMENT variables... COMMAND command...) is a test again with what lesser processors can do:
# level/v3/name without AVX-512, level/v2/name with SSE4.2 alone, with the C library's fma() for such a processor.
function(kiln_level_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "ENVIRONMENT;COMMAND")
  set(more_v2 GLIBC_TUNABLES=glibc.cpu.hwcaps=-AVX2,-FMA,-FMA4)
  foreach(level v3 v2)
    add_test(NAME level/${level}/${name} COMMAND ${arg_COMMAND})
    set(environment KILN_CPU_LIMIT=x86-64-${level} ${more_${level}} ${arg_ENVIRONMENT})
    set_tests_properties(level/${level}/${name} PROPERTIES LABELS level TIMEOUT 300 ENVIRONMENT "${environment}")
  endforeach()
endfunction()

# kiln_fuzz_test(Name runs longest corpus) runs FuzzName, a target of libFuzzer, on inputs of so many bytes at most, which
# begin with those of the folder; long tests begin first. 60 s an input, not the 5 of the long runs: tests run on machines
# that do other things as well, and a compilation takes its time. A commit's tests are to end the same way twice: one seed
# of the random numbers, a number of runs instead of a time, nothing kept from the last one, and no choice that coverage
# makes, which protobuf's maps change from run to run. What broke lies in the build's folder. A sanitizer takes twenty
# times as long.
function(kiln_fuzz_test name runs longest corpus)
  if(KILN_SANITIZE)
    math(EXPR runs "${runs} / 10")
  endif()
  add_test(NAME fuzz/${name}
           COMMAND bash -c "rm -rf new-${name} && mkdir new-${name} && exec $<TARGET_FILE:Fuzz${name}> -seed=1 \
                            -runs=${runs} -keep_seed=1 -entropic=0 -reload=0 -timeout=60 -rss_limit_mb=2048 \
                            -max_len=${longest} -print_final_stats=1 -artifact_prefix=${name}- new-${name} ${corpus}")
  set_tests_properties(fuzz/${name} PROPERTIES LABELS fuzz TIMEOUT 300 COST 100)
endfunction()
