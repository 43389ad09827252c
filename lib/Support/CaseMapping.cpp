// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Maps characters by the tables of CaseMappings.def.
#include "lib/Support/CaseMapping.h"

#include "lib/Support/Unicode.h"

#include <algorithm>
#include <string>

namespace kiln {
namespace {

/// Every `step`-th character of a range becomes the one `delta` behind it.
struct Range {
  int32_t first, last, delta, step;
};
/// A character that becomes several; 0 behind the last of them.
struct Expansion {
  int32_t first, to[3];
};
struct Members {
  int32_t first, last;
};

#define KILN_LOWER(first, last, delta, step) {first, last, delta, step},
constexpr Range lowers[] = {
#include "lib/Support/CaseMappings.def"
};
#define KILN_UPPER(first, last, delta, step) {first, last, delta, step},
constexpr Range uppers[] = {
#include "lib/Support/CaseMappings.def"
};
#define KILN_LOWERS(from, a, b, c) {from, {a, b, c}},
constexpr Expansion longLowers[] = {
#include "lib/Support/CaseMappings.def"
};
#define KILN_UPPERS(from, a, b, c) {from, {a, b, c}},
constexpr Expansion longUppers[] = {
#include "lib/Support/CaseMappings.def"
};
#define KILN_IGNORABLE(first, last) {first, last},
constexpr Members ignorable[] = {
#include "lib/Support/CaseMappings.def"
};
#define KILN_CASED(first, last) {first, last},
constexpr Members cased[] = {
#include "lib/Support/CaseMappings.def"
};

/// The entry of a sorted table that begins at a character or is the last one to
/// begin before it; null before the first.
template <class Entry, size_t n>
const Entry *entryBefore(const Entry (&table)[n], int32_t character) {
  const Entry *next = std::ranges::upper_bound(
      table, character, {}, [](const Entry &entry) { return entry.first; });
  return next == table ? nullptr : next - 1;
}

template <size_t n>
bool contains(const Members (&table)[n], int32_t character) {
  const Members *entry = entryBefore(table, character);
  return entry && character <= entry->last;
}

/// Counts bytes, and writes them where there is a place for them.
class Writer {
public:
  explicit Writer(char *bytes) : bytes(bytes) {}

  void put(int32_t character) {
    std::string encoded; // of at most 4 bytes, which lie in itself
    appendCharacter(character, Encoding::Utf8, encoded);
    if (bytes)
      std::ranges::copy(encoded, bytes + count);
    count += encoded.size();
  }

  template <size_t numRanges, size_t numExpansions>
  void putMapped(int32_t character, const Range (&ranges)[numRanges],
                 const Expansion (&expansions)[numExpansions]) {
    const Expansion *expansion = entryBefore(expansions, character);
    if (expansion && expansion->first == character) {
      for (int32_t part : expansion->to)
        if (part != 0)
          put(part);
      return;
    }
    const Range *range = entryBefore(ranges, character);
    if (range && character <= range->last &&
        (character - range->first) % range->step == 0)
      character += range->delta;
    put(character);
  }

  size_t size() const { return count; }

private:
  char *const bytes;
  size_t count = 0;
};

/// Whether the first character that is not passed over is a letter with a case.
bool beginsCased(std::string_view text) {
  while (!text.empty()) {
    const Character next = nextCharacter(text, Encoding::Utf8);
    if (!contains(ignorable, next.value))
      return contains(cased, next.value);
    text.remove_prefix(next.numBytes);
  }
  return false;
}

constexpr int32_t capitalSigma = 0x3A3, finalSigma = 0x3C2;

} // namespace

size_t changeCase(std::string_view text, LetterCase to, char *bytes) {
  Writer writer(bytes);
  text = text.substr(0, text.find('\0'));
  bool isBehindCased = false; // of what is not passed over
  while (!text.empty()) {
    const Character next = nextCharacter(text, Encoding::Utf8);
    text.remove_prefix(next.numBytes);
    if (to == LetterCase::Upper)
      writer.putMapped(next.value, uppers, longUppers);
    else if (next.value == capitalSigma && isBehindCased && !beginsCased(text))
      writer.put(finalSigma);
    else
      writer.putMapped(next.value, lowers, longLowers);
    if (!contains(ignorable, next.value))
      isBehindCased = contains(cased, next.value);
  }
  return writer.size();
}

} // namespace kiln
