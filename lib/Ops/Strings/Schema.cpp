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
     "Each element as text, as C's printf has it.", inferSameShape,
     stopsGradient},
    {"StringToNumber", "string_tensor: string", "output: out_type",
     "out_type: {float32, float64, int32, int64, uint32, uint64} = float32",
     "The number that each string spells.", inferSameShape, stopsGradient},
    {"DecodeRaw", "bytes: string", "output: out_type",
     "out_type: {float16, float32, float64, int32, uint16, uint8, int16, int8, "
     "int64, complex64, complex128, bool, bfloat16}; little_endian: bool = "
     "true",
     "The numbers whose bytes each string is.", inferDecodeRaw,
     movesElements | stopsGradient},
    {"Fingerprint", "data: T, method: string", "fingerprint: uint8", "T: type",
     "Eight bytes for each row, by which equal rows are found.",
     inferFingerprint, movesElements},
    {"UnicodeScript", "input: int32", "output: int32", "",
     "ICU's number of the script that each character is part of; -1 for what "
     "is none.",
     inferSameShape},
    {"StringLength", "input: string", "output: int32",
     "unit: string {BYTE, UTF8_CHAR} = BYTE",
     "The number of bytes, or of UTF-8 characters.", inferSameShape},
    {"StringStrip", "input: string", "output: string", "",
     "The strings without white space at both ends.", inferSameShape},
    {"StringLower", "input: string", "output: string", "encoding: string =",
     "Capitals made small, ASCII's or Unicode's.", inferSameShape},
    {"StringUpper", "input: string", "output: string", "encoding: string =",
     "Small letters made capitals, ASCII's or Unicode's.", inferSameShape},
    {"StringJoin", "inputs: N*string", "output: string",
     "N: int; separator: string =",
     "The inputs joined element by element, with a separator between; scalars "
     "are repeated.",
     inferStringJoin, stopsGradient},
    {"ReduceJoin", "inputs: string, reduction_indices: int32", "output: string",
     "keep_dims: bool = false; separator: string =",
     "The strings along axes joined, in the order in which these are listed.",
     inferReduceJoin, stopsGradient},
    {"Substr", "input: string, pos: T, len: T", "output: string",
     "T: {int32, int64}; unit: string {BYTE, UTF8_CHAR} = BYTE",
     "len bytes or characters from pos on, from the end where pos is negative; "
     "with broadcasting.",
     inferSubstr},
    {"StringToHashBucketFast", "input: string", "output: int64",
     "num_buckets: int >= 1",
     "The bucket that each string's fingerprint falls into.", inferSameShape,
     stopsGradient},
    {"StringToHashBucketStrong", "input: string", "output: int64",
     "num_buckets: int >= 1; key: list(int)",
     "StringToHashBucketFast by a hash with a key.", inferSameShape,
     stopsGradient},
    {"StringToHashBucket", "string_tensor: string", "output: int64",
     "num_buckets: int >= 1", "StringToHashBucketFast by an older hash.",
     inferSameShape, stopsGradient},
    {"EncodeBase64", "input: string", "output: string", "pad: bool = false",
     "The strings in letters, digits, '-' and '_', for six bits each.",
     inferSameShape, stopsGradient},
    {"DecodeBase64", "input: string", "output: string", "",
     "The strings that EncodeBase64 was given.", inferSameShape, stopsGradient},
    {"StringSplit", "input: string, delimiter: string",
     "indices: int64, values: string, shape: int64", "skip_empty: bool = true",
     "The pieces between bytes of a set, as a sparse tensor.", inferStringSplit,
     hostBody | stopsGradient},
    {"StringSplitV2", "input: string, sep: string",
     "indices: int64, values: string, shape: int64", "maxsplit: int = -1",
     "The pieces between separators, or white space, as a sparse tensor.",
     inferStringSplit, hostBody},
    {"StringNGrams", "data: string, data_splits: Tsplits",
     "ngrams: string, ngrams_splits: Tsplits",
     "separator: string; ngram_widths: list(int) >= 0; left_pad: string; "
     "right_pad: string; pad_width: int; preserve_short_sequences: bool; "
     "Tsplits: {int32, int64} = int64",
     "Neighbouring strings of each row of a ragged tensor joined.",
     inferStringNgrams, hostBody},
    {"UnsortedSegmentJoin",
     "inputs: string, segment_ids: Tindices, num_segments: Tnumsegments",
     "output: string",
     "separator: string =; Tindices: {int32, int64}; Tnumsegments: {int32, "
     "int64} = int32",
     "The strings of each segment joined.", inferUnsortedSegmentJoin, hostBody},
    {"DecodePaddedRaw", "input_bytes: string, fixed_length: int32",
     "output: out_type",
     "out_type: {float16, float32, float64, int32, uint16, uint8, int16, int8, "
     "int64, bfloat16}; little_endian: bool = true",
     "The numbers whose bytes each string is, cut off or filled up with "
     "zeros.",
     inferDecodePaddedRaw, hostBody | stopsGradient},
    {"UnicodeDecode", "input: string",
     "row_splits: Tsplits, char_values: int32",
     "input_encoding: string; errors: string {strict, replace, ignore} = "
     "replace; replacement_char: int = 65533; replace_control_characters: bool "
     "= false; Tsplits: {int32, int64} = int64",
     "The characters of strings, as a ragged tensor.", inferUnicodeDecode,
     hostBody},
    {"UnicodeDecodeWithOffsets", "input: string",
     "row_splits: Tsplits, char_values: int32, char_to_byte_starts: int64",
     "input_encoding: string; errors: string {strict, replace, ignore} = "
     "replace; replacement_char: int = 65533; replace_control_characters: bool "
     "= false; Tsplits: {int32, int64} = int64",
     "The characters of strings, and where they begin.", inferUnicodeDecode,
     hostBody},
    {"UnicodeEncode", "input_values: int32, input_splits: Tsplits",
     "output: string",
     "errors: string {ignore, replace, strict} = replace; output_encoding: "
     "string {UTF-8, UTF-16-BE, UTF-32-BE}; replacement_char: int = 65533; "
     "Tsplits: {int32, int64} = int64",
     "Strings of the characters of a ragged tensor.", inferUnicodeEncode,
     hostBody},
    {"UnicodeTranscode", "input: string", "output: string",
     "input_encoding: string; output_encoding: string {UTF-8, UTF-16-BE, "
     "UTF-32-BE}; errors: string {strict, replace, ignore} = replace; "
     "replacement_char: int = 65533; replace_control_characters: bool = false",
     "The same characters in another encoding.", inferSameShape, hostBody},
    {"RegexFullMatch", "input: string, pattern: string", "output: bool", "",
     "True where a regular expression matches the whole string.",
     inferRegexFullMatch, hostBody},
    {"StaticRegexFullMatch", "input: string", "output: bool", "pattern: string",
     "RegexFullMatch with a pattern that does not change.", inferSameShape,
     hostBody},
    {"RegexReplace", "input: string, pattern: string, rewrite: string",
     "output: string", "replace_global: bool = true",
     "The strings with what a regular expression matches replaced.",
     inferRegexReplace, hostBody | stopsGradient},
    {"StaticRegexReplace", "input: string", "output: string",
     "pattern: string; rewrite: string; replace_global: bool = true",
     "RegexReplace with a pattern that does not change.", inferSameShape,
     hostBody},
};

} // namespace

OpFamily stringsFamily() {
  return {"Strings", "ops that look into strings or make new ones", records};
}

} // namespace kiln
