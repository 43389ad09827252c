// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Takes features out of Example messages, one by one or in batches, with
// TensorFlow's checks and texts.
#include "lib/Ops/Parsing/Host.h"

#include "lib/IO/Wire.h"
#include "lib/Ops/Parsing/HostFeatures.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <google/protobuf/util/json_util.h>
#include <google/protobuf/util/type_resolver_util.h>

namespace kiln::host {

using namespace io;
namespace {

constexpr int maxDepth = 100;

/// One message, or a batch of them, and what was found in it.
class Examples {
public:
  Examples(const Features &features, int64_t count, bool isSingle)
      : features(features), messages(static_cast<size_t>(count)),
        isSingle(isSingle), index(indexOf(features)),
        open(features.dense.size()), sparse(features.sparse.size()),
        ragged(features.ragged.size()) {}

  /// Makes the tensors of features with shapes.
  Status begin() {
    dense.resize(features.dense.size());
    for (size_t d = 0; d < dense.size(); ++d)
      if (!features.dense[d].isOpen) {
        KILN_ASSIGN_OR_RETURN(dense[d],
                              tensorOf(features.dense[d].dtype,
                                       Shape(std::span<const int64_t>(
                                           dimsOf(features.dense[d].shape)))));
      }
    return okStatus();
  }

  /// Reads message i. **Errors**: of what it holds.
  Status add(int64_t i, std::string_view bytes, std::string_view name) {
    proto::Example &message = messages[static_cast<size_t>(i)];
    if (!parseBinary(bytes, maxDepth, message).ok())
      return invalidArgumentError(
          strCat("Could not parse example input, value: '", bytes, "'"));
    std::vector<const proto::Feature *> ofOpen(open.size()),
        ofSparse(sparse.size()), ofRagged(ragged.size());
    std::vector<bool> isThere(dense.size());
    const auto &entries = message.features().feature();
    for (int k = entries.size(); k > 0; --k) {
      const proto::Features::Entry &entry = entries.Get(k - 1);
      auto found = index.find(entry.key());
      if (found == index.end())
        continue;
      const auto [kind, place] = found->second;
      const proto::Feature &feature = entry.value();
      auto error = [&](std::string_view text) {
        return invalidArgumentError(
            isSingle ? strCat("Key: ", entry.key(), ".  ", text)
                     : strCat("Name: ", name, ", Key: ", entry.key(),
                              ", Index: ", i, ".  ", text));
      };
      const DType dtype = dtypeOf(feature);
      if (dtype == DType::Invalid)
        continue;
      if (kind == FeaturePlace::Kind::Dense) {
        if (isThere[place])
          continue; // the last one counts
        isThere[place] = true;
        const DenseFeature &wanted = features.dense[place];
        if (dtype != wanted.dtype)
          return error(
              strCat("Data types don't match. Data type: ", dtypeTfName(dtype),
                     " but expected type: ", dtypeTfName(wanted.dtype)));
        const int64_t size = sizeOf(feature);
        if (!wanted.isOpen && size != wanted.rowElements)
          return error(sizeText(feature, wanted));
        if (!wanted.isOpen) {
          KILN_RETURN_IF_ERROR(
              writeValues(feature, dense[place], i * wanted.rowElements));
        } else if (wanted.rowElements == 0 ? size != 0
                                           : size % wanted.rowElements != 0) {
          return openError(entry.key(), size, wanted, error);
        } else {
          ofOpen[place] = &feature;
        }
        continue;
      }
      const bool isSparse = kind == FeaturePlace::Kind::Sparse;
      auto &of = isSparse ? ofSparse : ofRagged;
      const ListFeature &wanted =
          (isSparse ? features.sparse : features.ragged)[place];
      if (of[place])
        continue;
      if (dtype != wanted.dtype)
        return error(strCat("Data types don't match. Expected type: ",
                            dtypeTfName(wanted.dtype),
                            ", Actual type: ", dtypeTfName(dtype)));
      of[place] = &feature;
    }
    for (size_t d = 0; d < dense.size(); ++d) {
      const DenseFeature &wanted = features.dense[d];
      if (isThere[d] || wanted.isOpen)
        continue;
      if (wanted.fallback.numElements() == 0)
        return invalidArgumentError(strCat(
            isSingle ? "" : strCat("Name: ", name, ", "),
            "Feature: ", wanted.key, " (data type: ", dtypeTfName(wanted.dtype),
            ") is required but could not be found."));
      copyElements(wanted.fallback, dense[d],
                   i * wanted.fallback.numElements());
    }
    for (size_t d = 0; d < open.size(); ++d)
      open[d].addRow(ofOpen[d]);
    for (size_t d = 0; d < sparse.size(); ++d)
      sparse[d].addRow(ofSparse[d]);
    for (size_t d = 0; d < ragged.size(); ++d)
      ragged[d].addRow(ofRagged[d]);
    return okStatus();
  }

  /// Sets the op's outputs.
  Status finish(std::span<Tensor> outputs) {
    auto *to = outputs.data();
    for (const FeatureValues &values : sparse) {
      KILN_ASSIGN_OR_RETURN(*to++, values.indices(isSingle));
    }
    for (size_t d = 0; d < sparse.size(); ++d) {
      KILN_ASSIGN_OR_RETURN(*to++, sparse[d].values(features.sparse[d].dtype));
    }
    for (const FeatureValues &values : sparse) {
      const int64_t dims[] = {values.numRows(), values.longestRow()};
      KILN_ASSIGN_OR_RETURN(*to++, vectorOf(std::span(dims).subspan(isSingle)));
    }
    for (size_t d = 0; d < dense.size(); ++d) {
      if (features.dense[d].isOpen) {
        KILN_ASSIGN_OR_RETURN(dense[d], filled(d));
      }
      *to++ = std::move(dense[d]);
    }
    for (size_t d = 0; d < ragged.size(); ++d) {
      KILN_ASSIGN_OR_RETURN(*to++, ragged[d].values(features.ragged[d].dtype));
    }
    for (size_t d = 0; d < ragged.size(); ++d) {
      const DType splits = features.ragged[d].splits;
      KILN_ASSIGN_OR_RETURN(*to++, isSingle ? tensorOf(splits, {0})
                                            : ragged[d].splits(splits));
    }
    return okStatus();
  }

private:
  std::vector<int64_t> dimsOf(const Shape &shape) const {
    std::vector<int64_t> dims;
    if (!isSingle)
      dims.push_back(static_cast<int64_t>(messages.size()));
    dims.insert(dims.end(), shape.dims().begin(), shape.dims().end());
    return dims;
  }

  std::string sizeText(const proto::Feature &feature,
                       const DenseFeature &wanted) const {
    std::string_view list = listName(wanted.dtype);
    const bool isTooLong =
        sizeOf(feature) > wanted.rowElements && wanted.dtype == DType::String;
    if (!isSingle)
      return isTooLong ? "Can't parse serialized Example."
                       : strCat("Number of ", list,
                                " values != expected.  Values size: ",
                                sizeOf(feature),
                                " but output shape: ", wanted.shape.toString());
    return isTooLong ? "Can't parse serialized Example: Parsing bytes_list "
                       "failed."
                     : strCat("Can't parse serialized Example: Some ", list,
                              "_list slice was not parsed.");
  }

  template <class Error>
  Status openError(std::string_view key, int64_t size,
                   const DenseFeature &wanted, const Error &error) const {
    if (isSingle)
      return invalidArgumentError(
          strCat("Error while parsing feature with key ", key,
                 ": number of elements should be divisible by ",
                 wanted.rowElements, ", found ", size, " instead"));
    return error(
        strCat("Number of ", listName(wanted.dtype),
               " values is not a multiple of stride length. Saw ", size,
               " values but output shape is: ", wanted.shape.toString()));
  }

  /// The rows of a feature with an open dimension, as long as the longest.
  StatusOr<Tensor> filled(size_t d) const {
    const DenseFeature &wanted = features.dense[d];
    const int64_t longest = open[d].longestRow();
    std::vector<int64_t> dims = dimsOf(wanted.shape);
    dims[isSingle ? 0 : 1] =
        wanted.rowElements == 0 ? 0 : longest / wanted.rowElements;
    KILN_ASSIGN_OR_RETURN(
        Tensor values,
        tensorOf(wanted.dtype, Shape(std::span<const int64_t>(dims))));
    KILN_RETURN_IF_ERROR(open[d].writePadded(values, longest, wanted.fallback));
    return values;
  }

  const Features &features;
  std::vector<proto::Example> messages; ///< the values point into them
  const bool isSingle;
  const FeatureIndex index;
  std::vector<Tensor> dense;
  std::vector<FeatureValues> open; ///< of dense ones, where they are open
  std::vector<FeatureValues> sparse, ragged;
};

template <class T>
std::vector<T> listAttr(const Node &node, std::string_view name) {
  return node.attrOr<std::vector<T>>(name, {});
}

/// The strings of several tensors.
std::vector<std::string> textsOfAll(std::span<const Tensor> tensors) {
  std::vector<std::string> texts;
  for (const Tensor &tensor : tensors)
    std::ranges::move(textsOf(tensor), std::back_inserter(texts));
  return texts;
}

Status checkFallbacks(const std::vector<DenseFeature> &dense) {
  for (size_t d = 0; d < dense.size(); ++d) {
    const DenseFeature &feature = dense[d];
    if (feature.isOpen && feature.fallback.numElements() != 1)
      return invalidArgumentError(
          strCat("dense_shape[", d, "] is a variable length shape: ",
                 feature.shape.toString(), ", therefore def_value[", d,
                 "] must contain a single element (the padding element).  But "
                 "its shape is: ",
                 feature.fallback.shape().toString()));
    if (!feature.isOpen && feature.fallback.numElements() > 0 &&
        feature.shape != feature.fallback.shape())
      return invalidArgumentError(strCat(
          "def_value[", d, "].shape() == ", feature.fallback.shape().toString(),
          " is not compatible with dense_shapes_[", d,
          "] == ", feature.shape.toString()));
  }
  return okStatus();
}

Status expectLength(std::string_view what, std::string_view of, size_t got,
                    size_t wanted) {
  if (got == wanted)
    return okStatus();
  return invalidArgumentError(strCat("Expected len(", what, ") == ", of,
                                     " but got: ", got, " vs. ", wanted));
}

Status parseAll(const Features &features, const Tensor &serialized,
                const Tensor *names, std::span<Tensor> outputs) {
  const bool isSingle = serialized.rank() == 0;
  Examples examples(features, serialized.numElements(), isSingle);
  KILN_RETURN_IF_ERROR(examples.begin());
  auto texts = serialized.data<String>();
  for (size_t i = 0; i < texts.size(); ++i)
    KILN_RETURN_IF_ERROR(examples.add(static_cast<int64_t>(i), texts[i].view(),
                                      names && names->numElements() > 0
                                          ? names->data<String>()[i].view()
                                          : "<unknown>"));
  return examples.finish(outputs);
}

} // namespace

Status parseExample(const HostCall &call) {
  const Node &node = call.node;
  const bool isV2 = node.op().ends_with("V2");
  const Tensor &serialized = call.inputs[0], &names = call.inputs[1];
  if (isV2 ? serialized.rank() > 1 : serialized.rank() != 1)
    return invalidArgumentError(
        strCat("Expected serialized to be a ", isV2 ? "scalar or " : "",
               "vector, got shape: ", serialized.shape().toString()));
  if (names.numElements() > 0 && names.shape() != serialized.shape())
    return invalidArgumentError(
        strCat("Expected names have the same shape as serialized: name.shape=",
               names.shape().toString(),
               ", serialized.shape=", serialized.shape().toString()));
  auto sparseTypes = listAttr<DType>(node, "sparse_types"),
       denseTypes = listAttr<DType>(node, "Tdense"),
       raggedTypes = listAttr<DType>(node, "ragged_value_types"),
       splitTypes = listAttr<DType>(node, "ragged_split_types");
  auto shapes = listAttr<Shape>(node, "dense_shapes");
  auto fallbacks = call.inputs.last(denseTypes.size());
  auto keys = call.inputs.subspan(2, call.inputs.size() - 2 - fallbacks.size());
  std::vector<std::string> sparseKeys, denseKeys, raggedKeys;
  if (isV2) {
    sparseKeys = textsOf(keys[0]);
    denseKeys = textsOf(keys[1]);
    raggedKeys = textsOf(keys[2]);
  } else {
    for (const Tensor &key : keys)
      if (key.numElements() != 1)
        return invalidArgumentError(strCat("expected a key that is a scalar, "
                                           "got shape ",
                                           key.shape().toString()));
    auto numSparse = static_cast<size_t>(node.attrOr<int64_t>("Nsparse", 0));
    sparseKeys = textsOfAll(keys.first(numSparse));
    denseKeys = textsOfAll(keys.subspan(numSparse));
  }
  KILN_RETURN_IF_ERROR(expectLength("dense_keys", "len(dense_types)",
                                    denseKeys.size(), denseTypes.size()));
  KILN_RETURN_IF_ERROR(expectLength("sparse_keys", "num_sparse",
                                    sparseKeys.size(), sparseTypes.size()));
  KILN_RETURN_IF_ERROR(expectLength("ragged_keys", "len(ragged_value_types)",
                                    raggedKeys.size(), raggedTypes.size()));
  if (shapes.size() != denseKeys.size())
    return invalidArgumentError("len(dense_keys) != len(dense_shapes)");
  if (splitTypes.size() != raggedKeys.size())
    return invalidArgumentError("len(ragged_keys) != len(ragged_split_types)");
  Features features;
  KILN_ASSIGN_OR_RETURN(
      features.dense, denseFeatures(denseKeys, denseTypes, shapes, fallbacks));
  KILN_RETURN_IF_ERROR(checkFallbacks(features.dense));
  features.sparse = listFeatures(sparseKeys, sparseTypes);
  features.ragged = listFeatures(raggedKeys, raggedTypes, splitTypes);
  return parseAll(features, serialized, &names, call.outputs);
}

Status parseSingleExample(const HostCall &call) {
  const Node &node = call.node;
  const Tensor &serialized = call.inputs[0];
  if (serialized.rank() != 0)
    return invalidArgumentError(
        strCat("Expected serialized to be a scalar, got shape: ",
               serialized.shape().toString()));
  auto sparseKeys = listAttr<std::string>(node, "sparse_keys"),
       denseKeys = listAttr<std::string>(node, "dense_keys");
  auto sparseTypes = listAttr<DType>(node, "sparse_types"),
       denseTypes = listAttr<DType>(node, "Tdense");
  auto shapes = listAttr<Shape>(node, "dense_shapes");
  auto fallbacks = call.inputs.subspan(1);
  if (sparseKeys.size() != sparseTypes.size())
    return invalidArgumentError(
        strCat("num_sparse (", sparseTypes.size(),
               ") must match the size of sparse_keys (", sparseKeys.size(),
               ") and sparse_types (", sparseTypes.size(), ")"));
  if (denseKeys.size() != denseTypes.size())
    return invalidArgumentError("len(dense_keys) != len(dense_types)");
  if (denseKeys.size() != shapes.size())
    return invalidArgumentError("len(dense_keys) != len(dense_shapes)");
  KILN_RETURN_IF_ERROR(expectLength("dense_defaults", "len(dense_keys)",
                                    fallbacks.size(), denseKeys.size()));
  Features features;
  KILN_ASSIGN_OR_RETURN(
      features.dense, denseFeatures(denseKeys, denseTypes, shapes, fallbacks));
  KILN_RETURN_IF_ERROR(checkFallbacks(features.dense));
  features.sparse = listFeatures(sparseKeys, sparseTypes);
  return parseAll(features, serialized, nullptr, call.outputs);
}

Status decodeJsonExample(const HostCall &call) {
  namespace util = google::protobuf::util;
  const std::string prefix = "type.googleapis.com";
  std::unique_ptr<util::TypeResolver> resolver(
      util::NewTypeResolverForDescriptorPool(
          prefix, google::protobuf::DescriptorPool::generated_pool()));
  const Tensor &input = call.inputs[0];
  std::vector<std::string> messages;
  for (const String &text : input.data<String>()) {
    auto status = util::JsonToBinaryString(
        resolver.get(),
        prefix + "/" + proto::JsonExample::descriptor()->full_name(),
        std::string(text.view()), &messages.emplace_back());
    if (!status.ok())
      return invalidArgumentError(strCat(
          "Error while parsing JSON: ",
          std::string_view(status.message().data(), status.message().size())));
  }
  KILN_ASSIGN_OR_RETURN(
      call.outputs[0],
      Tensor::fromStrings(input.shape(),
                          std::span<const std::string>(messages)));
  return okStatus();
}

} // namespace kiln::host
