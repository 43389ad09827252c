# How fast the build and its result are: build types, sanitizers, ccache and lld.

# Dev, the default: asserts stay. -O2, because clang inlines nothing at -O1 and a first run waits for the compiler;
# the build takes about as long as at -O1 (four files measured).
# project() has put empty flags for an unknown type into the cache, hence FORCE.
foreach(language C CXX)
  if(NOT CMAKE_${language}_FLAGS_DEV)
    set(CMAKE_${language}_FLAGS_DEV "-O2" CACHE STRING "Flags of the Dev build" FORCE)
  endif()
endforeach()
set(CMAKE_CXX_FLAGS_RELEASE "-O3 -DNDEBUG" CACHE STRING "Flags of the Release build")
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Dev CACHE STRING "Dev, Release, RelWithDebInfo or Debug" FORCE)
endif()

# What the files of tests and tools add: in Dev they are not optimized, which is half of their time and more (command
# line parsers, JSON, matchers). Sanitizers keep the stack and the speed that the tests of deep and large graphs expect.
set(kiln_unoptimized)
if(NOT KILN_SANITIZE)
  set(kiln_unoptimized "$<$<CONFIG:Dev>:-O0>")
endif()

if(KILN_SANITIZE)
  list(JOIN KILN_SANITIZE "," sanitizers)
  add_compile_options(-fsanitize=${sanitizers} -fno-sanitize-recover=all
                      -fno-omit-frame-pointer -gline-tables-only)
  if("undefined" IN_LIST KILN_SANITIZE AND CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    # Looks for a signature before each function that is called; generated code has none.
    add_compile_options(-fno-sanitize=function)
  endif()
  if("address" IN_LIST KILN_SANITIZE AND CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    # Coverage for the fuzz targets; the sanitizer's run time has what others need to link.
    add_compile_options(-fsanitize=fuzzer-no-link)
  endif()
  add_link_options(-fsanitize=${sanitizers})
endif()

# A precompiled header's time stamp and macros would make every look-up a miss. Depend mode finds what a file includes
# in the compiler's own list instead of by a run of the preprocessor, which is a tenth of a build that finds nothing.
find_program(KILN_CCACHE ccache)
if(KILN_CCACHE AND "${CMAKE_CXX_COMPILER_LAUNCHER}" MATCHES "^(ccache)?$")
  set(CMAKE_CXX_COMPILER_LAUNCHER "${CMAKE_COMMAND}" -E env
      CCACHE_SLOPPINESS=pch_defines,time_macros CCACHE_DEPEND=1 "${KILN_CCACHE}")
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:SHELL:-Xclang -fno-pch-timestamp>")
endif()

find_program(KILN_LLD NAMES ld.lld-22 ld.lld)
if(KILN_LLD AND CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  add_link_options(--ld-path=${KILN_LLD})
endif()
