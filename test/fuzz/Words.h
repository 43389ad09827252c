// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The words that Kiln reacts to: ops, attributes, dtypes.
#ifndef KILN_TEST_FUZZ_WORDS_H
#define KILN_TEST_FUZZ_WORDS_H

#include "lib/OpDefs/OpDef.h"

#include <string>
#include <vector>

namespace kiln::fuzz {

/// Names of all ops and of their attributes.
inline const std::vector<std::string> &opWords() {
  static const std::vector<std::string> words = [] {
    std::vector<std::string> made;
    for (const OpDef *def : allOps()) {
      made.push_back(def->name);
      for (const AttrDef &attr : def->attrs)
        made.push_back(attr.name);
    }
    return made;
  }();
  return words;
}

} // namespace kiln::fuzz

#endif // KILN_TEST_FUZZ_WORDS_H
