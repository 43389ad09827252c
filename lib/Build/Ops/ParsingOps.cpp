// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Examples and lines of values, parsed as features say, as TensorFlow's Python
// adds it.
#include "kiln/ops/ParsingOps.h"

#include "kiln/ControlFlow.h"
#include "kiln/GraphScopes.h"
#include "kiln/ops/Array.h"
#include "kiln/ops/ArrayOps.h"
#include "kiln/ops/ControlOps.h"
#include "kiln/ops/Math.h"
#include "kiln/ops/Parsing.h"
#include "kiln/ops/SparseOps.h"
#include "lib/Build/Ops/FeatureKeys.h"
#include "lib/Build/Ops/Helpers.h"
#include "lib/Support/Strings.h"

#include <algorithm>

namespace kiln::ops {
namespace {

/// The constants for what examples have not.
std::vector<Input> denseDefaults(const FeatureKeys &keys) {
  std::vector<Input> defaults;
  for (size_t i = 0; i < keys.dense.size(); ++i) {
    DType dtype = keys.denseTypes[i];
    const Shape &shape = keys.denseShapes[i];
    const std::optional<Input> &given = keys.denseDefaults[i];
    bool isPadding = shape.rank() > 0 && shape.dim(0) < 0;
    if (!given) {
      Input none = isPadding ? dtype == DType::String ? Input("") : Input(0)
                             : Input(Input::List());
      defaults.emplace_back(isPadding ? convert(none, "", dtype)
                                      : constant(none, {.dtype = dtype}));
      continue;
    }
    if (given->output() && !isPadding) {
      defaults.push_back(*given);
      continue;
    }
    Output value = convert(
        *given,
        strCat(isPadding ? "padding_" : "key_", nodeNameOf(keys.dense[i])),
        dtype);
    defaults.emplace_back(rawOps::reshape(
        value, isPadding ? Input(Input::List()) : Input(shape)));
  }
  return defaults;
}

void addSparse(ParsedFeatures &parsed, const std::vector<std::string> &keys,
               const std::vector<Output> &indices,
               const std::vector<Output> &values,
               const std::vector<Output> &shapes) {
  for (size_t i = 0; i < keys.size() && i < indices.size(); ++i)
    parsed.emplace(keys[i], makeSparseTensor(indices[i], values[i], shapes[i]));
}
void addDense(ParsedFeatures &parsed, const std::vector<std::string> &keys,
              const std::vector<Output> &values) {
  for (size_t i = 0; i < keys.size() && i < values.size(); ++i)
    parsed.emplace(keys[i], TensorOrSparse(values[i]));
}

/// What the features are made of, as these features. **Source**:
/// parsing_config._construct_tensors_for_composite_features.
ParsedFeatures composed(const Features &features, ParsedFeatures parsed) {
  ParsedFeatures all;
  for (const auto &[key, feature] : features) {
    if (const auto *sparse = std::get_if<SparseFeature>(&feature)) {
      std::vector<SparseTensor> ids;
      std::vector<Input> sizes(sparse->size.begin(), sparse->size.end());
      auto found = [&](const std::string &part) {
        auto at = parsed.find(part);
        return at != parsed.end() && at->second.sparse() ? *at->second.sparse()
                                                         : SparseTensor();
      };
      for (const std::string &index : sparse->indexKey)
        ids.push_back(found(index));
      all.emplace(key, sparseMerge(ids, found(sparse->valueKey), sizes,
                                   {.alreadySorted = sparse->alreadySorted}));
    } else if (auto at = parsed.find(key); at != parsed.end()) {
      all.emplace(key, at->second);
    }
  }
  return all;
}

Input listOf(const std::vector<std::string> &texts) {
  return texts.empty() ? Input(Input::List()) : Input(texts);
}

} // namespace

ParsedFeatures parseExample(const Input &serialized, const Features &features,
                            const ParseExampleOptions &options) {
  std::string name = options.name.empty() ? "ParseExample" : options.name;
  if (features.empty()) {
    failed(invalidArgumentError(
               "Argument `features` cannot be None or falsy. Got {}"),
           name);
    return {};
  }
  GraphScope graph(builderOf(serialized));
  auto keys = FeatureKeys::of(features, FeatureUse::Example);
  if (!keys.ok()) {
    failed(keys.status(), name);
    return {};
  }
  ParsedFeatures parsed;
  {
    NameScope scope(options.name, "ParseExample");
    Output examples = convert(serialized, "serialized");
    std::vector<Input> defaults = denseDefaults(*keys);
    auto found = rawOps::parseExampleV2(
        examples, options.exampleNames.value_or(Input(Input::List())),
        listOf(keys->sparse), listOf(keys->dense), Input(Input::List()),
        defaults, static_cast<int64_t>(keys->sparse.size()), keys->sparseTypes,
        {}, {}, keys->denseShapes, {.name = options.name});
    addSparse(parsed, keys->sparse, found.sparseIndices, found.sparseValues,
              found.sparseShapes);
    addDense(parsed, keys->dense, found.denseValues);
  }
  return composed(features, std::move(parsed));
}

namespace {

/// The tensor, once it is known to be a scalar. **Source**:
/// parsing_ops._assert_scalar.
Output asScalar(const Output &tensor, const std::string &scope) {
  if (!tensor.node || tensor.shape().rank() == 0)
    return tensor;
  if (tensor.shape().hasRank())
    return failed(invalidArgumentError("Input serialized must be a scalar"),
                  scope);
  Output isScalar = rawOps::equal(rank(tensor), 0);
  const Node *check =
      assertThat(isScalar, {"Input serialized must be a scalar"},
                 {.name = "SerializedIsScalar"});
  return withShape({}, [&] {
    return withDependencies({check}, tensor,
                            {.name = "serializedDependencies"});
  });
}

} // namespace

ParsedFeatures parseSingleExample(const Input &serialized,
                                  const Features &features,
                                  const ParseExampleOptions &options) {
  FunctionScope scope(options.name, "ParseSingleExample", {&serialized});
  if (features.empty()) {
    failed(invalidArgumentError("Invalid argument: features cannot be empty."),
           scope);
    return {};
  }
  Output example = asScalar(convert(serialized, "serialized"), scope);
  return parseExample(example, features, options);
}

namespace {

/// What examples with sequences are parsed into.
struct SequenceKeys {
  FeatureKeys context, sequences;
};

/// **Errors**: INVALID_ARGUMENT with TensorFlow's texts.
StatusOr<SequenceKeys> sequenceKeys(const Features &context,
                                    const Features &sequences) {
  if (context.empty() && sequences.empty())
    return invalidArgumentError(
        "Both `context_features` and `sequence_features` argument are None, "
        "but at least one should have values.");
  auto first = FeatureKeys::of(context, FeatureUse::Context);
  if (!first.ok())
    return first.status();
  auto second = FeatureKeys::of(sequences, FeatureUse::Sequence);
  if (!second.ok())
    return second.status();
  for (size_t i = 0; i < second->dense.size(); ++i)
    if (second->denseDefaults[i])
      return invalidArgumentError(strCat("Value feature_list.dense_defaults[",
                                         second->dense[i], "] must be None"));
  return SequenceKeys{*std::move(first), *std::move(second)};
}

/// **Source**: parsing_ops._parse_sequence_example_raw.
ParsedSequences parseSequences(const Input &serialized,
                               const SequenceKeys &keys,
                               const ParseSequenceOptions &options) {
  FunctionScope scope(options.name, "ParseSequenceExample", {&serialized});
  const auto &[context, lists] = keys;
  Output examples = convert(serialized, "serialized");
  Input mayBeEmpty = Input::List();
  if (!lists.mayBeMissing.empty())
    mayBeEmpty = lists.mayBeMissing;
  std::vector<Input> defaults = denseDefaults(context);
  auto found = rawOps::parseSequenceExampleV2(
      examples, options.exampleNames.value_or(Input(Input::List())),
      listOf(context.sparse), listOf(context.dense), Input(Input::List()),
      listOf(lists.sparse), listOf(lists.dense), Input(Input::List()),
      mayBeEmpty, defaults,
      {.ncontextSparse = static_cast<int64_t>(context.sparse.size()),
       .contextSparseTypes = context.sparseTypes,
       .contextDenseShapes = context.denseShapes,
       .nfeatureListSparse = static_cast<int64_t>(lists.sparse.size()),
       .nfeatureListDense = static_cast<int64_t>(lists.dense.size()),
       .featureListDenseTypes = lists.denseTypes,
       .featureListSparseTypes = lists.sparseTypes,
       .featureListDenseShapes = lists.denseShapes,
       .name = options.name});
  ParsedSequences parsed;
  addSparse(parsed.context, context.sparse, found.contextSparseIndices,
            found.contextSparseValues, found.contextSparseShapes);
  addSparse(parsed.sequences, lists.sparse, found.featureListSparseIndices,
            found.featureListSparseValues, found.featureListSparseShapes);
  addDense(parsed.context, context.dense, found.contextDenseValues);
  addDense(parsed.sequences, lists.dense, found.featureListDenseValues);
  for (size_t i = 0;
       i < lists.dense.size() && i < found.featureListDenseLengths.size(); ++i)
    parsed.lengths.emplace(lists.dense[i], found.featureListDenseLengths[i]);
  return parsed;
}

} // namespace

ParsedSequences parseSequenceExample(const Input &serialized,
                                     const Features &contextFeatures,
                                     const Features &sequenceFeatures,
                                     const ParseSequenceOptions &options) {
  FunctionScope scope(options.name, "ParseSequenceExample", {&serialized});
  auto keys = sequenceKeys(contextFeatures, sequenceFeatures);
  if (!keys.ok()) {
    failed(keys.status(), scope);
    return {};
  }
  return parseSequences(serialized, *keys, options);
}

ParsedSequences parseSingleSequenceExample(
    const Input &serialized, const Features &contextFeatures,
    const Features &sequenceFeatures, const ParseSequenceOptions &options) {
  FunctionScope scope(options.name, "ParseSingleSequenceExample",
                      {&serialized});
  auto keys = sequenceKeys(contextFeatures, sequenceFeatures);
  if (!keys.ok()) {
    failed(keys.status(), scope);
    return {};
  }
  Output example;
  {
    NameScope inner(options.name, "ParseSingleExample");
    example = asScalar(convert(serialized, "serialized"), inner.name());
  }
  ParsedSequences parsed = parseSequences(example, *keys, options);
  parsed.lengths.clear();
  return parsed;
}

std::vector<Output> decodeCSV(const Input &records,
                              const InputList &recordDefaults,
                              const DecodeCSVOptions &options) {
  const std::vector<int64_t> &columns = options.selectCols;
  std::string problem;
  if (std::ranges::adjacent_find(columns, std::greater_equal<>()) !=
      columns.end())
    problem = "select_cols is not strictly increasing.";
  else if (!columns.empty() && columns[0] < 0)
    problem = "select_cols contains negative values.";
  else if (!columns.empty() && columns.size() != recordDefaults.size())
    problem = "Length of select_cols and record_defaults do not match.";
  if (!problem.empty()) {
    failed(invalidArgumentError(problem),
           options.name.empty() ? "DecodeCSV" : options.name);
    return {};
  }
  return rawOps::decodeCSV(records, recordDefaults,
                           {.fieldDelim = options.fieldDelim,
                            .useQuoteDelim = options.useQuoteDelim,
                            .naValue = options.naValue,
                            .selectCols = columns,
                            .name = options.name});
}

} // namespace kiln::ops
