// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What features ask of the ops that parse examples.
#include "lib/Build/Ops/FeatureKeys.h"

#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <algorithm>
#include <set>

namespace kiln::ops {
namespace {

constexpr std::string_view kindNames[] = {"VarLenFeature", "SparseFeature",
                                          "FixedLenFeature",
                                          "FixedLenSequenceFeature"};

bool isAllowed(const Feature &feature, FeatureUse use) {
  if (use == FeatureUse::Example ||
      std::holds_alternative<VarLenFeature>(feature))
    return true;
  return use == FeatureUse::Context
             ? std::holds_alternative<FixedLenFeature>(feature)
             : std::holds_alternative<FixedLenSequenceFeature>(feature);
}

Status missingType(const std::string &key) {
  return invalidArgumentError(strCat("Missing type for feature ", key, "."));
}

/// **Errors**: INVALID_ARGUMENT with TensorFlow's texts.
Status checkFixed(const std::string &key, const FixedLenFeature &feature) {
  if (feature.dtype == DType::Invalid)
    return missingType(key);
  if (!feature.shape.hasRank())
    return invalidArgumentError(strCat("Missing shape for feature ", key, "."));
  if (feature.shape.rank() > 0 && feature.shape.dim(0) < 0)
    return invalidArgumentError(
        strCat("First dimension of shape for feature ", key,
               " unknown. Consider using FixedLenSequenceFeature."));
  if (!feature.shape.isFullyDefined())
    return invalidArgumentError(strCat("All dimensions of shape for feature ",
                                       key, " need to be known but received ",
                                       feature.shape.toTupleString(), "."));
  return okStatus();
}

} // namespace

std::string nodeNameOf(std::string key) {
  for (char &c : key) {
    bool isPlain = (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
                   (c >= '0' && c <= '9') || c == '_' || c == '.' || c == '-' ||
                   c == '/' || c == '\\';
    if (!isPlain)
      c = '_';
  }
  return key;
}

Status FeatureKeys::addSparse(const std::string &key, DType dtype) {
  auto at = std::ranges::find(sparse, key);
  if (at == sparse.end()) {
    sparse.push_back(key);
    sparseTypes.push_back(dtype);
    return okStatus();
  }
  DType original = sparseTypes[static_cast<size_t>(at - sparse.begin())];
  if (original != dtype)
    return invalidArgumentError(strCat(
        "Conflicting type <dtype: '", dtypeName(original), "'> vs <dtype: '",
        dtypeName(dtype), "'> for feature ", key, "."));
  return okStatus();
}

void FeatureKeys::addDense(const std::string &key, DType dtype,
                           const Shape &shape,
                           const std::optional<Input> &otherwise,
                           bool mayMiss) {
  dense.push_back(key);
  denseTypes.push_back(dtype);
  denseShapes.push_back(shape);
  denseDefaults.push_back(otherwise);
  mayBeMissing.push_back(mayMiss);
}

Status FeatureKeys::add(const std::string &key, const Feature &feature,
                        FeatureUse use) {
  if (const auto *varied = std::get_if<VarLenFeature>(&feature))
    return varied->dtype == DType::Invalid ? missingType(key)
                                           : addSparse(key, varied->dtype);
  if (const auto *merged = std::get_if<SparseFeature>(&feature)) {
    if (merged->indexKey.empty())
      return invalidArgumentError(
          strCat("Missing index_key for SparseFeature ", key, "."));
    if (merged->valueKey.empty())
      return invalidArgumentError(
          strCat("Missing value_key for SparseFeature ", key, "."));
    if (merged->dtype == DType::Invalid)
      return missingType(key);
    for (const std::string &index :
         std::set(merged->indexKey.begin(), merged->indexKey.end()))
      KILN_RETURN_IF_ERROR(addSparse(index, DType::Int64));
    return addSparse(merged->valueKey, merged->dtype);
  }
  if (const auto *fixed = std::get_if<FixedLenFeature>(&feature)) {
    KILN_RETURN_IF_ERROR(checkFixed(key, *fixed));
    addDense(key, fixed->dtype, fixed->shape, fixed->defaultValue, false);
    return okStatus();
  }
  const auto &list = std::get<FixedLenSequenceFeature>(feature);
  if (list.dtype == DType::Invalid)
    return missingType(key);
  Shape shape = list.shape;
  if (use == FeatureUse::Example) {
    if (!list.allowMissing)
      return invalidArgumentError("Unsupported: FixedLenSequenceFeature "
                                  "requires allow_missing to be True.");
    std::vector<int64_t> extents(shape.dims().begin(), shape.dims().end());
    extents.insert(extents.begin(), Shape::unknownDim);
    shape = Shape(extents);
  }
  addDense(key, list.dtype, shape, list.defaultValue, list.allowMissing);
  return okStatus();
}

StatusOr<FeatureKeys> FeatureKeys::of(const Features &features,
                                      FeatureUse use) {
  FeatureKeys keys;
  for (const auto &[key, feature] : features) {
    if (!isAllowed(feature, use))
      return invalidArgumentError(strCat(
          "Unsupported ", kindNames[feature.index()], " for key '", key, "'"));
    KILN_RETURN_IF_ERROR(keys.add(key, feature, use));
  }
  for (const std::string &key : keys.dense)
    if (std::ranges::count(keys.sparse, key) > 0)
      return invalidArgumentError(strCat(
          "Dense and sparse keys must not intersect; dense_keys: ['",
          strJoin(keys.dense, "', '"), "'], sparse_keys: ['",
          strJoin(keys.sparse, "', '"), "'], intersection: {'", key, "'}"));
  return keys;
}

} // namespace kiln::ops
