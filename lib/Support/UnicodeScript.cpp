// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Looks scripts up in the table of UnicodeScripts.def.
#include "lib/Support/UnicodeScript.h"

#include "lib/Support/Unicode.h"

#include <algorithm>

namespace kiln {
namespace {

struct Run {
  int32_t first;
  int16_t script;
};

#define KILN_SCRIPT(first, script) {first, script},
constexpr Run runs[] = {
#include "lib/Support/UnicodeScripts.def"
};

} // namespace

int32_t unicodeScript(int32_t character) noexcept {
  if (character < 0 || character > lastCharacter)
    return -1;
  const Run *next = std::ranges::upper_bound(runs, character, {}, &Run::first);
  return next[-1].script;
}

} // namespace kiln
