// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Takes features out of SequenceExample messages: those of the whole, its
// context, and those that have a value a step. TensorFlow's checks and texts.
#include "lib/IO/Wire.h"
#include "lib/Ops/Parsing/Host.h"
#include "lib/Ops/Parsing/HostFeatures.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <algorithm>
#include <cstring>
#include <set>
#include <tuple>

namespace kiln::host {

using namespace io;
namespace {

constexpr int maxDepth = 100;

/// What an op asks for.
struct Wanted {
  Features context;
  Features steps; ///< of a dense one, isOpen: it may be missing
  /// Where one message is meant, not a batch of one.
  bool isSingle = false;
  /// Whether it is the op for one message only, which has its own words.
  bool isOldOp = false;
  bool givesLengths = false;
};

using ContextMap = std::unordered_map<std::string_view, const proto::Feature *>;
using StepsMap =
    std::unordered_map<std::string_view, const proto::FeatureList *>;

/// Messages by their features; the last of several of one name counts.
class Sequences {
public:
  Sequences(const Wanted &wanted, std::span<const String> serialized,
            std::span<const String> names)
      : wanted(wanted), serialized(serialized), names(names),
        messages(serialized.size()), contexts(serialized.size()),
        lists(serialized.size()) {}

  Status parse() {
    for (size_t i = 0; i < messages.size(); ++i) {
      if (!parseBinary(serialized[i].view(), maxDepth, messages[i]).ok())
        return invalidArgumentError(
            wanted.isOldOp
                ? strCat("Could not parse example input, value: '",
                         serialized[i].view(), "'")
                : strCat("Invalid protocol message input, example id: ",
                         nameOf(i)));
      for (const auto &entry : messages[i].context().feature())
        contexts[i][entry.key()] = &entry.value();
      for (const auto &entry : messages[i].feature_lists().feature_list())
        lists[i][entry.key()] = &entry.value();
    }
    return okStatus();
  }

  Status give(std::span<Tensor> outputs) {
    to = outputs.data();
    KILN_RETURN_IF_ERROR(checkContextTypes());
    KILN_RETURN_IF_ERROR(giveContext());
    KILN_RETURN_IF_ERROR(checkStepTypes());
    KILN_RETURN_IF_ERROR(giveSparseSteps());
    std::vector<Tensor> lengths;
    for (const DenseFeature &feature : wanted.steps.dense)
      KILN_RETURN_IF_ERROR(giveDenseSteps(feature, lengths.emplace_back()));
    if (wanted.givesLengths)
      for (Tensor &length : lengths)
        *to++ = std::move(length);
    return giveRaggedSteps();
  }

private:
  std::string_view nameOf(size_t i) const {
    return i < names.size() ? names[i].view() : "<unknown>";
  }
  std::string prefixOf(size_t i) const {
    return strCat("Name: ", nameOf(i), ", ");
  }

  const proto::Feature *inContext(size_t i, std::string_view key) const {
    auto found = contexts[i].find(key);
    return found == contexts[i].end() ? nullptr : found->second;
  }
  const proto::FeatureList *inSteps(size_t i, std::string_view key) const {
    auto found = lists[i].find(key);
    return found == lists[i].end() ? nullptr : found->second;
  }

  /// Fails for a feature that is set to another type.
  Status checkType(const proto::Feature *feature, DType dtype, size_t i,
                   std::string_view where) const {
    if (!feature || dtypeOf(*feature) == DType::Invalid ||
        dtypeOf(*feature) == dtype)
      return okStatus();
    return invalidArgumentError(strCat(
        prefixOf(i), where,
        ".  Data types don't match. Expected type: ", dtypeTfName(dtype),
        wanted.isOldOp ? strCat("  Feature is: ", feature->ShortDebugString())
                       : ""));
  }

  template <class Fn> Status forAll(const Features &features, Fn check) const {
    for (const DenseFeature &feature : features.dense)
      KILN_RETURN_IF_ERROR(check(feature.key, feature.dtype));
    for (const auto *list : {&features.sparse, &features.ragged})
      for (const ListFeature &feature : *list)
        KILN_RETURN_IF_ERROR(check(feature.key, feature.dtype));
    return okStatus();
  }

  Status checkContextTypes() const {
    return forAll(wanted.context, [&](const std::string &key, DType dtype) {
      for (size_t i = 0; i < messages.size(); ++i)
        KILN_RETURN_IF_ERROR(checkType(inContext(i, key), dtype, i,
                                       strCat("Context feature: ", key)));
      return okStatus();
    });
  }

  Status checkStepTypes() const {
    return forAll(wanted.steps, [&](const std::string &key, DType dtype) {
      for (size_t i = 0; i < messages.size(); ++i)
        if (const proto::FeatureList *list = inSteps(i, key))
          for (int step = 0; step < list->feature_size(); ++step)
            KILN_RETURN_IF_ERROR(
                checkType(&list->feature(step), dtype, i,
                          strCat("Feature list: ", key, ", Index: ", step)));
      return okStatus();
    });
  }

  FeatureValues contextRows(std::string_view key) const {
    FeatureValues values;
    for (size_t i = 0; i < messages.size(); ++i)
      values.addRow(inContext(i, key));
    return values;
  }

  Status giveContext() {
    const Features &context = wanted.context;
    std::vector<FeatureValues> sparse, ragged;
    for (const ListFeature &feature : context.sparse)
      sparse.push_back(contextRows(feature.key));
    for (const ListFeature &feature : context.ragged)
      ragged.push_back(contextRows(feature.key));
    for (const FeatureValues &values : sparse) {
      KILN_ASSIGN_OR_RETURN(*to++, values.indices(wanted.isSingle));
    }
    for (size_t d = 0; d < sparse.size(); ++d) {
      KILN_ASSIGN_OR_RETURN(*to++, sparse[d].values(context.sparse[d].dtype));
    }
    for (const FeatureValues &values : sparse) {
      const int64_t dims[] = {values.numRows(), values.longestRow()};
      KILN_ASSIGN_OR_RETURN(*to++,
                            vectorOf(std::span(dims).subspan(wanted.isSingle)));
    }
    for (const DenseFeature &feature : context.dense) {
      KILN_ASSIGN_OR_RETURN(*to++, denseContext(feature));
    }
    for (size_t d = 0; d < ragged.size(); ++d) {
      KILN_ASSIGN_OR_RETURN(*to++, ragged[d].values(context.ragged[d].dtype));
    }
    for (size_t d = 0; d < ragged.size(); ++d) {
      const DType splits = context.ragged[d].splits;
      KILN_ASSIGN_OR_RETURN(*to++, wanted.isSingle ? tensorOf(splits, {0})
                                                   : ragged[d].splits(splits));
    }
    return okStatus();
  }

  StatusOr<Tensor> denseContext(const DenseFeature &feature) const {
    const int64_t size = feature.rowElements;
    std::vector<int64_t> dims;
    if (!wanted.isSingle)
      dims.push_back(static_cast<int64_t>(messages.size()));
    dims.insert(dims.end(), feature.shape.dims().begin(),
                feature.shape.dims().end());
    KILN_ASSIGN_OR_RETURN(
        Tensor values,
        tensorOf(feature.dtype, Shape(std::span<const int64_t>(dims))));
    for (size_t i = 0; i < messages.size(); ++i) {
      const proto::Feature *found = inContext(i, feature.key);
      const auto at = static_cast<int64_t>(i) * size;
      const bool isMissing =
          !found || (wanted.isOldOp && dtypeOf(*found) == DType::Invalid);
      if (isMissing && feature.fallback.numElements() == 0)
        return invalidArgumentError(
            wanted.isOldOp
                ? strCat(prefixOf(i), "Context feature '", feature.key,
                         "' is required but could not be found.")
                : strCat("Feature: ", feature.key,
                         " (data type: ", dtypeTfName(feature.dtype),
                         ") is required but could not be found."));
      if (isMissing) {
        copyElements(feature.fallback, values, at);
        continue;
      }
      if (sizeOf(*found) != size)
        return invalidArgumentError(
            wanted.isOldOp
                ? sizeText(i, feature, *found, 0)
                : strCat("Inconsistent max number of elements for feature ",
                         feature.key, ": expected ", size, ", but found ",
                         sizeOf(*found)));
      KILN_RETURN_IF_ERROR(writeValues(*found, values, at));
    }
    return values;
  }

  std::string sizeText(size_t i, const DenseFeature &feature,
                       const proto::Feature &found, int64_t index) const {
    return strCat(prefixOf(i), "Key: ", feature.key, ", Index: ", index,
                  ".  Number of ",
                  wanted.isOldOp ? strCat(listName(feature.dtype), " ") : "",
                  "values != expected.  values size: ", sizeOf(found),
                  " but output shape: ", feature.shape.toString());
  }

  Status giveSparseSteps() {
    std::vector<Tensor> values, shapes;
    for (const ListFeature &feature : wanted.steps.sparse) {
      std::vector<int64_t> indices;
      FeatureValues rows;
      int64_t numSteps = 0, numColumns = 0;
      for (size_t i = 0; i < messages.size(); ++i) {
        const proto::FeatureList *list = inSteps(i, feature.key);
        const int count = list ? list->feature_size() : 0;
        numSteps = std::max<int64_t>(numSteps, count);
        for (int step = 0; step < count; ++step) {
          rows.addRow(&list->feature(step));
          for (int64_t k = 0, size = sizeOf(list->feature(step)); k < size;
               ++k) {
            if (!wanted.isSingle)
              indices.push_back(static_cast<int64_t>(i));
            indices.push_back(step);
            indices.push_back(k);
          }
        }
      }
      numColumns = rows.longestRow();
      KILN_ASSIGN_OR_RETURN(
          *to++, Tensor::fromValues<int64_t>(
                     {rows.numValues(), wanted.isSingle ? 2 : 3}, indices));
      KILN_ASSIGN_OR_RETURN(values.emplace_back(), rows.values(feature.dtype));
      const int64_t dims[] = {static_cast<int64_t>(messages.size()), numSteps,
                              numColumns};
      KILN_ASSIGN_OR_RETURN(shapes.emplace_back(),
                            vectorOf(std::span(dims).subspan(wanted.isSingle)));
    }
    for (std::vector<Tensor> *list : {&values, &shapes})
      for (Tensor &tensor : *list)
        *to++ = std::move(tensor);
    return okStatus();
  }

  Status giveDenseSteps(const DenseFeature &feature, Tensor &lengths) {
    const int64_t size = feature.rowElements;
    std::vector<int64_t> counts;
    for (size_t i = 0; i < messages.size(); ++i) {
      const proto::FeatureList *list = inSteps(i, feature.key);
      if (!list && !feature.isOpen)
        return invalidArgumentError(
            strCat(prefixOf(i), "Feature list '", feature.key,
                   "' is required but could not be found.  Did you mean to "
                   "include it in feature_list_dense_missing_assumed_empty or "
                   "feature_list_dense_defaults?"));
      counts.push_back(list ? list->feature_size() : 0);
      for (int step = 0; list && step < list->feature_size(); ++step)
        if (sizeOf(list->feature(step)) != size)
          return invalidArgumentError(
              sizeText(i, feature, list->feature(step), step));
    }
    const int64_t longest =
        counts.empty() ? 0 : *std::ranges::max_element(counts);
    std::vector<int64_t> dims;
    if (!wanted.isSingle)
      dims.push_back(static_cast<int64_t>(messages.size()));
    dims.push_back(longest);
    dims.insert(dims.end(), feature.shape.dims().begin(),
                feature.shape.dims().end());
    // Zeros and empty strings behind the shorter ones.
    KILN_ASSIGN_OR_RETURN(
        *to, tensorOf(feature.dtype, Shape(std::span<const int64_t>(dims))));
    if (feature.dtype != DType::String && to->byteSize() > 0)
      std::memset(to->mutableRawData(), 0, to->byteSize());
    for (size_t i = 0; i < messages.size(); ++i)
      if (const proto::FeatureList *list = inSteps(i, feature.key))
        for (int step = 0; step < list->feature_size(); ++step)
          KILN_RETURN_IF_ERROR(
              writeValues(list->feature(step), *to,
                          (static_cast<int64_t>(i) * longest + step) * size));
    ++to;
    KILN_ASSIGN_OR_RETURN(
        lengths,
        Tensor::fromValues<int64_t>(
            wanted.isSingle ? Shape()
                            : Shape({static_cast<int64_t>(counts.size())}),
            std::span<const int64_t>(counts)));
    return okStatus();
  }

  Status giveRaggedSteps() {
    std::vector<Tensor> outer, inner;
    for (const ListFeature &feature : wanted.steps.ragged) {
      FeatureValues rows;
      std::vector<int64_t> ends{0};
      for (size_t i = 0; i < messages.size(); ++i) {
        if (const proto::FeatureList *list = inSteps(i, feature.key))
          for (const proto::Feature &step : list->feature())
            rows.addRow(&step);
        ends.push_back(rows.numRows());
      }
      KILN_ASSIGN_OR_RETURN(*to++, rows.values(feature.dtype));
      if (wanted.isSingle)
        ends.clear();
      KILN_ASSIGN_OR_RETURN(Tensor splits, vectorOf(ends));
      if (feature.splits == DType::Int32) {
        std::vector<int32_t> narrow(ends.begin(), ends.end());
        KILN_ASSIGN_OR_RETURN(
            splits, Tensor::fromValues<int32_t>(splits.shape(), narrow));
      }
      outer.push_back(std::move(splits));
      KILN_ASSIGN_OR_RETURN(inner.emplace_back(), rows.splits(feature.splits));
    }
    for (std::vector<Tensor> *list : {&outer, &inner})
      for (Tensor &tensor : *list)
        *to++ = std::move(tensor);
    return okStatus();
  }

  const Wanted &wanted;
  const std::span<const String> serialized, names;
  std::vector<proto::SequenceExample> messages;
  std::vector<ContextMap> contexts;
  std::vector<StepsMap> lists;
  Tensor *to = nullptr; ///< the next output
};

template <class T>
std::vector<T> listAttr(const Node &node, std::string_view name) {
  return node.attrOr<std::vector<T>>(name, {});
}

/// The keys of each kind of feature, wherever an op has them.
struct Keys {
  std::vector<std::string> contextSparse, contextDense, contextRagged,
      stepSparse, stepDense, stepRagged;
};

Status checkCount(std::string_view what, size_t keys, size_t types) {
  if (keys == types)
    return okStatus();
  return invalidArgumentError(strCat("Expected len(", what, "_keys) to match ",
                                     "the number of its types: ", keys, " vs. ",
                                     types));
}

/// Makes the features of keys and of the attributes, which all ops share.
Status fill(const Node &node, const Keys &keys,
            std::span<const Tensor> fallbacks, Wanted &wanted) {
  auto types = [&](std::string_view name) {
    return listAttr<DType>(node, name);
  };
  auto contextSparse = types("context_sparse_types"),
       contextDense = types("Tcontext_dense"),
       contextRagged = types("context_ragged_value_types"),
       contextSplits = types("context_ragged_split_types"),
       stepSparse = types("feature_list_sparse_types"),
       stepDense = types("feature_list_dense_types"),
       stepRagged = types("feature_list_ragged_value_types"),
       stepSplits = types("feature_list_ragged_split_types");
  auto contextShapes = listAttr<Shape>(node, "context_dense_shapes"),
       stepShapes = listAttr<Shape>(node, "feature_list_dense_shapes");
  const std::tuple<std::string_view, size_t, size_t> counts[] = {
      {"context_sparse", keys.contextSparse.size(), contextSparse.size()},
      {"context_dense", keys.contextDense.size(), contextDense.size()},
      {"context_dense", keys.contextDense.size(), contextShapes.size()},
      {"context_dense", keys.contextDense.size(), fallbacks.size()},
      {"context_ragged", keys.contextRagged.size(), contextRagged.size()},
      {"context_ragged", keys.contextRagged.size(), contextSplits.size()},
      {"feature_list_sparse", keys.stepSparse.size(), stepSparse.size()},
      {"feature_list_dense", keys.stepDense.size(), stepDense.size()},
      {"feature_list_dense", keys.stepDense.size(), stepShapes.size()},
      {"feature_list_ragged", keys.stepRagged.size(), stepRagged.size()},
      {"feature_list_ragged", keys.stepRagged.size(), stepSplits.size()}};
  for (const auto &[what, numKeys, numTypes] : counts)
    KILN_RETURN_IF_ERROR(checkCount(what, numKeys, numTypes));
  for (size_t d = 0; d < fallbacks.size(); ++d)
    if (fallbacks[d].numElements() > 0 &&
        fallbacks[d].shape() != contextShapes[d])
      return invalidArgumentError(
          strCat(wanted.isOldOp ? "def_value[" : "default_value[", d,
                 "].shape() == ", fallbacks[d].shape().toString(),
                 wanted.isOldOp ? " != context_dense_shapes_["
                                : " != context_dense_shapes[",
                 d, "] == ", contextShapes[d].toString()));
  KILN_ASSIGN_OR_RETURN(
      wanted.context.dense,
      denseFeatures(keys.contextDense, contextDense, contextShapes, fallbacks));
  const std::vector<Tensor> none(keys.stepDense.size());
  KILN_ASSIGN_OR_RETURN(
      wanted.steps.dense,
      denseFeatures(keys.stepDense, stepDense, stepShapes, none));
  for (const auto *list : {&wanted.context.dense, &wanted.steps.dense})
    for (const DenseFeature &feature : *list)
      if (feature.isOpen)
        return invalidArgumentError(
            strCat("expected a shape without open dimensions for feature ",
                   feature.key, ", got ", feature.shape.toString()));
  wanted.context.sparse = listFeatures(keys.contextSparse, contextSparse);
  wanted.context.ragged =
      listFeatures(keys.contextRagged, contextRagged, contextSplits);
  wanted.steps.sparse = listFeatures(keys.stepSparse, stepSparse);
  wanted.steps.ragged = listFeatures(keys.stepRagged, stepRagged, stepSplits);
  return okStatus();
}

Status run(const Wanted &wanted, const Tensor &serialized, const Tensor &names,
           std::span<Tensor> outputs) {
  if (names.numElements() > 0 &&
      names.numElements() != serialized.numElements())
    return invalidArgumentError(strCat(
        "expected as many names as messages, got shape ",
        names.shape().toString(), " for ", serialized.shape().toString()));
  Sequences sequences(wanted, serialized.data<String>(), names.data<String>());
  KILN_RETURN_IF_ERROR(sequences.parse());
  return sequences.give(outputs);
}

} // namespace

Status parseSequenceExample(const HostCall &call) {
  const Node &node = call.node;
  const Tensor &serialized = call.inputs[0], &names = call.inputs[1];
  if (serialized.rank() > 1)
    return invalidArgumentError(
        strCat("Expected serialized to be a scalar or vector, got shape: ",
               serialized.shape().toString()));
  Wanted wanted;
  wanted.isSingle = serialized.rank() == 0;
  wanted.givesLengths = true;
  Keys keys;
  std::set<std::string> mayMiss;
  size_t next = 2;
  const bool isV2 = node.op().ends_with("V2");
  if (isV2) {
    for (auto *list :
         {&keys.contextSparse, &keys.contextDense, &keys.contextRagged,
          &keys.stepSparse, &keys.stepDense, &keys.stepRagged})
      *list = textsOf(call.inputs[next++]);
    auto flags = call.inputs[next++].data<bool>();
    if (flags.size() != keys.stepDense.size())
      return invalidArgumentError(
          "Expected len(feature_list_dense_missing_assumed_empty to match "
          "Nfeature_list_dense");
    for (size_t d = 0; d < flags.size(); ++d)
      if (flags[d])
        mayMiss.insert(keys.stepDense[d]);
  } else {
    auto list = [&](std::string_view name) {
      return listAttr<std::string>(node, name);
    };
    keys = {
        list("context_sparse_keys"),      list("context_dense_keys"),      {},
        list("feature_list_sparse_keys"), list("feature_list_dense_keys"), {}};
    for (std::string &key : list("feature_list_dense_missing_assumed_empty"))
      mayMiss.insert(std::move(key));
  }
  KILN_RETURN_IF_ERROR(fill(node, keys, call.inputs.subspan(next), wanted));
  for (DenseFeature &feature : wanted.steps.dense)
    feature.isOpen = mayMiss.contains(feature.key);
  return run(wanted, serialized, names, call.outputs);
}

Status parseSingleSequenceExample(const HostCall &call) {
  const Node &node = call.node;
  const Tensor &serialized = call.inputs[0], &mayMiss = call.inputs[1],
               &name = call.inputs.back();
  Wanted wanted;
  wanted.isSingle = wanted.isOldOp = true;
  Keys keys;
  size_t next = 2;
  const std::pair<std::string_view, std::vector<std::string> *> lists[] = {
      {"context_sparse", &keys.contextSparse},
      {"context_dense", &keys.contextDense},
      {"feature_list_sparse", &keys.stepSparse},
      {"feature_list_dense", &keys.stepDense}};
  for (const auto &[what, list] : lists) {
    const auto count = node.attrOr<int64_t>(strCat("N", what), 0);
    for (int64_t i = 0; i < count; ++i) {
      const Tensor &key = call.inputs[next++];
      if (key.rank() != 0)
        return invalidArgumentError(
            strCat("Expected ", what, "_keys[", i,
                   "] to be a scalar, got shape: ", key.shape().toString()));
      list->emplace_back(key.data<String>()[0].view());
    }
  }
  if (mayMiss.rank() != 1)
    return invalidArgumentError(
        strCat("Expected feature_list_dense_missing_assumed_empty to be a "
               "vector, got shape: ",
               mayMiss.shape().toString()));
  if (name.numElements() > 0 && name.rank() != 0)
    return invalidArgumentError(
        strCat("Expected debug_name to be a scalar, got shape: ",
               name.shape().toString()));
  if (serialized.rank() != 0)
    return invalidArgumentError(
        strCat("Expected serialized to be a scalar, got shape: ",
               serialized.shape().toString()));
  KILN_RETURN_IF_ERROR(
      fill(node, keys, call.inputs.subspan(next, call.inputs.size() - 1 - next),
           wanted));
  const std::vector<std::string> optional = textsOf(mayMiss);
  for (DenseFeature &feature : wanted.steps.dense)
    feature.isOpen = std::ranges::find(optional, feature.key) != optional.end();
  return run(wanted, serialized, name, call.outputs);
}

} // namespace kiln::host
