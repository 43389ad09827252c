// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Examples and lines of values, parsed as features say.
#ifndef KILN_OPS_PARSINGOPS_H
#define KILN_OPS_PARSINGOPS_H

#include "kiln/OpOptions.h"
#include "kiln/SparseTensor.h"

#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace kiln::ops {

/// Any number of values, as a sparse tensor. **Source**: tf.VarLenFeature.
struct VarLenFeature {
  DType dtype = DType::Invalid;
};
/// Values and the indices where they are, which are features of their own.
/// **Source**: tf.SparseFeature.
struct SparseFeature {
  std::vector<std::string> indexKey;
  std::string valueKey;
  DType dtype = DType::Invalid;
  /// The extent of each axis that an index tells of.
  std::vector<int64_t> size;
  bool alreadySorted = false;
};
/// A tensor. **Source**: tf.FixedLenFeature.
struct FixedLenFeature {
  Shape shape;
  DType dtype = DType::Invalid;
  /// Nothing: each example must have the feature.
  std::optional<Input> defaultValue = {};
};
/// Any number of tensors; the shorter ones of a batch are filled up.
/// **Source**: tf.FixedLenSequenceFeature.
struct FixedLenSequenceFeature {
  Shape shape;
  DType dtype = DType::Invalid;
  bool allowMissing = false;
  std::optional<Input> defaultValue = {};
};
using Feature = std::variant<VarLenFeature, SparseFeature, FixedLenFeature,
                             FixedLenSequenceFeature>;
using Features = std::map<std::string, Feature>;
using ParsedFeatures = std::map<std::string, TensorOrSparse>;

// **Errors** of the graph: INVALID_ARGUMENT with TensorFlow's texts for
// features that are none or contradict each other.

struct ParseExampleOptions {
  std::string name = {};
  /// Of the examples, for messages.
  std::optional<Input> exampleNames = {};
};
/// A batch of examples. **Source**: tf.parse_example,
/// "ParseExample/ParseExampleV2".
KILN_EXPORT ParsedFeatures
parseExample(const Input &serialized, const Features &features,
             const ParseExampleOptions &options = {});
/// **Source**: tf.parse_single_example, "ParseSingleExample".
KILN_EXPORT ParsedFeatures
parseSingleExample(const Input &serialized, const Features &features,
                   const ParseExampleOptions &options = {});

struct ParsedSequences {
  ParsedFeatures context, sequences;
  /// How long the dense ones of a batch are.
  std::map<std::string, Output> lengths;
};
struct ParseSequenceOptions {
  std::optional<Input> exampleNames = {};
  std::string name = {};
};
/// A batch of examples with sequences. **Source**:
/// tf.io.parse_sequence_example, "ParseSequenceExample".
KILN_EXPORT ParsedSequences parseSequenceExample(
    const Input &serialized, const Features &contextFeatures,
    const Features &sequenceFeatures, const ParseSequenceOptions &options = {});
/// **Source**: tf.parse_single_sequence_example, "ParseSingleSequenceExample".
KILN_EXPORT ParsedSequences parseSingleSequenceExample(
    const Input &serialized, const Features &contextFeatures,
    const Features &sequenceFeatures, const ParseSequenceOptions &options = {});

struct DecodeCSVOptions {
  std::string fieldDelim = ",";
  bool useQuoteDelim = true;
  std::string name = {};
  std::string naValue = {};
  /// Which columns are taken; all where it is empty.
  std::vector<int64_t> selectCols = {};
};
/// The columns of lines, of the types of the defaults. **Errors** of the graph:
/// INVALID_ARGUMENT for columns that do not rise. **Source**: tf.decode_csv,
/// "DecodeCSV".
KILN_EXPORT std::vector<Output> decodeCSV(const Input &records,
                                          const InputList &recordDefaults,
                                          const DecodeCSVOptions &options = {});

} // namespace kiln::ops

#endif // KILN_OPS_PARSINGOPS_H
