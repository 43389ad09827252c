// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the ops that are done here by their types.
#include "lib/IO/CheckpointOps.h"
#include "lib/IO/ExampleOps.h"
#include "lib/IO/FileOps.h"
#include "lib/IO/NgramOps.h"
#include "lib/IO/PngOps.h"
#include "lib/IO/RegexOps.h"
#include "lib/IO/SparseMessageOps.h"
#include "lib/IO/SplitOps.h"
#include "lib/IO/SummaryOps.h"
#include "lib/IO/UnicodeOps.h"
#include "lib/IO/VocabularyOps.h"

#include <utility>

namespace kiln {

HostOpFn findIoOp(std::string_view opType) {
  static constexpr std::pair<std::string_view, HostOpFn> ops[] = {
      {"AudioSummary", io::audioSummary},
      {"AudioSummaryV2", io::audioSummaryV2},
      {"DecodeCSV", io::decodeCsv},
      {"DecodeCompressed", io::decodeCompressed},
      {"DecodeJSONExample", io::decodeJsonExample},
      {"DecodePaddedRaw", io::decodePaddedRaw},
      {"DecodePng", io::decodePngOp},
      {"DeserializeManySparse", io::deserializeSparse},
      {"DeserializeSparse", io::deserializeSparse},
      {"EncodePng", io::encodePngOp},
      {"GenerateVocabRemapping", io::generateVocabRemapping},
      {"HistogramSummary", io::histogramSummary},
      {"ImageSummary", io::imageSummary},
      {"LoadAndRemapMatrix", io::loadAndRemapMatrix},
      {"MatchingFiles", io::matchingFiles},
      {"MergeSummary", io::mergeSummary},
      {"MergeV2Checkpoints", io::mergeV2Checkpoints},
      {"ParseExample", io::parseExample},
      {"ParseExampleV2", io::parseExample},
      {"ParseSequenceExample", io::parseSequenceExample},
      {"ParseSequenceExampleV2", io::parseSequenceExample},
      {"ParseSingleExample", io::parseSingleExample},
      {"ParseSingleSequenceExample", io::parseSingleSequenceExample},
      {"ParseTensor", io::parseTensor},
      {"ReadFile", io::readFile},
      {"RegexFullMatch", io::regexFullMatch},
      {"RegexReplace", io::regexReplace},
      {"RestoreV2", io::restoreV2},
      {"SaveV2", io::saveV2},
      {"ScalarSummary", io::scalarSummary},
      {"SerializeManySparse", io::serializeManySparse},
      {"SerializeSparse", io::serializeSparse},
      {"SerializeTensor", io::serializeTensor},
      {"StaticRegexFullMatch", io::regexFullMatch},
      {"StaticRegexReplace", io::regexReplace},
      {"StringNGrams", io::stringNgrams},
      {"StringSplit", io::stringSplit},
      {"StringSplitV2", io::stringSplitV2},
      {"TensorSummary", io::tensorSummary},
      {"TensorSummaryV2", io::tensorSummaryV2},
      {"UnicodeDecode", io::unicodeDecode},
      {"UnicodeDecodeWithOffsets", io::unicodeDecode},
      {"UnicodeEncode", io::unicodeEncode},
      {"UnicodeTranscode", io::unicodeTranscode},
      {"UnsortedSegmentJoin", io::unsortedSegmentJoin},
      {"WriteFile", io::writeFile},
  };
  for (const auto &[name, op] : ops)
    if (name == opType)
      return op;
  return nullptr;
}

} // namespace kiln
