// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What nobody implemented yet: functions that say so, since programs that are
// bound at once need every name.
//
// A stub only has to know which of its arguments the status is. Integers,
// pointers and structs of them arrive in the same places whatever their types
// are (System V for x86-64 and AArch64), so that one list of parameters serves
// all: the number in Unimplemented.def counts their words, without floats.
#include "capi/Handles.h"

using namespace kiln;

namespace kiln::capi {

/// What a function returns, zeros: one that does not fit registers comes by a
/// hidden first argument. Not in a namespace without name: its functions would
/// not be exported.
template <int count> struct Words {
  void *words[count];
};

} // namespace kiln::capi

using capi::Words;

namespace {

void reportUnimplemented(void *status, const char *name) {
  if (status)
    capi::setStatus(
        static_cast<TF_Status *>(status),
        unimplementedError(std::string(name) + " is not implemented in Kiln"));
}

constexpr void *a0 = nullptr; // functions without a status

} // namespace

#define KILN_CAPI_WORDS(a)                                                     \
  [[maybe_unused]] void *a##1, [[maybe_unused]] void *a##2,                    \
      [[maybe_unused]] void *a##3, [[maybe_unused]] void *a##4,                \
      [[maybe_unused]] void *a##5, [[maybe_unused]] void *a##6,                \
      [[maybe_unused]] void *a##7, [[maybe_unused]] void *a##8,                \
      [[maybe_unused]] void *a##9, [[maybe_unused]] void *a##10,               \
      [[maybe_unused]] void *a##11, [[maybe_unused]] void *a##12,              \
      [[maybe_unused]] void *a##13, [[maybe_unused]] void *a##14,              \
      [[maybe_unused]] void *a##15, [[maybe_unused]] void *a##16
#define KILN_CAPI_UNIMPLEMENTED(name, status)                                  \
  KILN_CAPI_UNIMPLEMENTED_WORDS(name, status, 1)
#define KILN_CAPI_UNIMPLEMENTED_WORDS(name, status, count)                     \
  __attribute__((visibility("default"))) Words<count> kiln_##name(             \
      KILN_CAPI_WORDS(a)) __asm__(#name);                                      \
  Words<count> kiln_##name(KILN_CAPI_WORDS(a)) {                               \
    reportUnimplemented(a##status, #name);                                     \
    return {};                                                                 \
  }
#include "capi/Unimplemented.def"
