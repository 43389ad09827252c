// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The schemas of Strings: ops that look into strings or make new ones.
#include "lib/Ops/Families.h"
#include "lib/Ops/Strings/Shape.h"

namespace kiln {
namespace {

using namespace shapes;

constexpr OpRecord records[] = {
    {"AsString", "input: T", "output: string",
     "T: {float32, float64, int32, uint8, int16, int8, int64, bfloat16, "
     "uint16, float16, uint32, uint64, complex64, complex128, bool, variant, "
     "string}; precision: int = -1; scientific: bool = false; shortest: bool = "
     "false; width: int = -1; fill: string =",
     "Each element as text, as C's printf has it.", inferSameShape},
    {"StringToNumber", "string_tensor: string", "output: out_type",
     "out_type: {float32, float64, int32, int64, uint32, uint64} = float32",
     "The number that each string spells.", inferSameShape},
    {"DecodeRaw", "bytes: string", "output: out_type",
     "out_type: {float16, float32, float64, int32, uint16, uint8, int16, int8, "
     "int64, complex64, complex128, bool, bfloat16}; little_endian: bool = "
     "true",
     "The numbers whose bytes each string is.", inferDecodeRaw, movesElements},
    {"StringLength", "input: string", "output: int32",
     "unit: string {BYTE, UTF8_CHAR} = BYTE",
     "The number of bytes, or of UTF-8 characters.", inferSameShape},
    {"StringStrip", "input: string", "output: string", "",
     "The strings without white space at both ends.", inferSameShape},
    {"StringLower", "input: string", "output: string",
     "encoding: string =", "ASCII capitals made small.", inferSameShape},
    {"StringUpper", "input: string", "output: string", "encoding: string =",
     "Small ASCII letters made capitals.", inferSameShape},
    {"StringJoin", "inputs: N*string", "output: string",
     "N: int; separator: string =",
     "The inputs joined element by element, with a separator between; scalars "
     "are repeated.",
     inferStringJoin},
    {"ReduceJoin", "inputs: string, reduction_indices: int32", "output: string",
     "keep_dims: bool = false; separator: string =",
     "The strings along axes joined, in the order in which these are listed.",
     inferReduceJoin},
    {"Substr", "input: string, pos: T, len: T", "output: string",
     "T: {int32, int64}; unit: string {BYTE, UTF8_CHAR} = BYTE",
     "len bytes or characters from pos on, from the end where pos is negative; "
     "with broadcasting.",
     inferSubstr},
    {"RegexFullMatch", "input: string, pattern: string", "output: bool", "",
     "True where a regular expression matches the whole string.",
     inferRegexFullMatch, cutsRun},
    {"StaticRegexFullMatch", "input: string", "output: bool", "pattern: string",
     "RegexFullMatch with a pattern that does not change.", inferSameShape,
     cutsRun},
    {"RegexReplace", "input: string, pattern: string, rewrite: string",
     "output: string", "replace_global: bool = true",
     "The strings with what a regular expression matches replaced.",
     inferRegexReplace, cutsRun},
    {"StaticRegexReplace", "input: string", "output: string",
     "pattern: string; rewrite: string; replace_global: bool = true",
     "RegexReplace with a pattern that does not change.", inferSameShape,
     cutsRun},
};

} // namespace

OpFamily stringsFamily() {
  return {"Strings", "ops that look into strings or make new ones", records};
}

} // namespace kiln
