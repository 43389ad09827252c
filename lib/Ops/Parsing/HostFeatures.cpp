// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Moves values of messages into tensors.
#include "lib/Ops/Parsing/HostFeatures.h"

#include "lib/Support/CheckedMath.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <algorithm>
#include <cstring>

namespace kiln::host {

FeatureIndex indexOf(const Features &features) {
  FeatureIndex index;
  auto add = [&](FeaturePlace::Kind kind, const auto &list) {
    for (size_t i = 0; i < list.size(); ++i)
      index[list[i].key] = FeaturePlace{kind, i};
  };
  add(FeaturePlace::Kind::Dense, features.dense);
  add(FeaturePlace::Kind::Sparse, features.sparse);
  add(FeaturePlace::Kind::Ragged, features.ragged);
  return index;
}

StatusOr<std::vector<DenseFeature>>
denseFeatures(std::span<const std::string> keys, std::span<const DType> dtypes,
              std::span<const Shape> shapes,
              std::span<const Tensor> fallbacks) {
  std::vector<DenseFeature> features;
  for (size_t i = 0; i < keys.size(); ++i) {
    DenseFeature &feature = features.emplace_back(
        DenseFeature{keys[i], dtypes[i], shapes[i], fallbacks[i]});
    const Shape &shape = shapes[i];
    CheckedInt64 elements = 1;
    bool isKnown = shape.hasRank();
    for (int d = 0; isKnown && d < shape.rank(); ++d) {
      if (shape.dim(d) != Shape::unknownDim)
        elements *= shape.dim(d);
      else if (d == 0)
        feature.isOpen = true;
      else
        isKnown = false;
    }
    if (!isKnown || !elements.value())
      return invalidArgumentError(
          strCat("dense_shapes[", i,
                 "] has unknown rank or unknown inner dimensions: ",
                 shape.toString()));
    feature.rowElements = *elements.value();
  }
  return features;
}

std::vector<ListFeature> listFeatures(std::span<const std::string> keys,
                                      std::span<const DType> dtypes,
                                      std::span<const DType> splits) {
  std::vector<ListFeature> features;
  for (size_t i = 0; i < keys.size(); ++i)
    features.push_back(
        {keys[i], dtypes[i], splits.empty() ? DType::Invalid : splits[i]});
  return features;
}

DType dtypeOf(const proto::Feature &feature) {
  switch (feature.kind_case()) {
  case proto::Feature::kBytesList:
    return DType::String;
  case proto::Feature::kFloatList:
    return DType::Float32;
  case proto::Feature::kInt64List:
    return DType::Int64;
  default:
    return DType::Invalid;
  }
}

int64_t sizeOf(const proto::Feature &feature) {
  switch (feature.kind_case()) {
  case proto::Feature::kBytesList:
    return feature.bytes_list().value_size();
  case proto::Feature::kFloatList:
    return feature.float_list().value_size();
  case proto::Feature::kInt64List:
    return feature.int64_list().value_size();
  default:
    return 0;
  }
}

std::string_view listName(DType dtype) {
  return dtype == DType::String  ? "bytes"
         : dtype == DType::Int64 ? "int64"
                                 : "float";
}

Status writeValues(const proto::Feature &feature, Tensor &to, int64_t at) {
  const auto place = static_cast<size_t>(at);
  switch (feature.kind_case()) {
  case proto::Feature::kBytesList: {
    auto texts = to.mutableData<String>().subspan(place);
    for (int i = 0; i < feature.bytes_list().value_size(); ++i) {
      KILN_ASSIGN_OR_RETURN(texts[static_cast<size_t>(i)],
                            String::create(feature.bytes_list().value(i)));
    }
    return okStatus();
  }
  case proto::Feature::kFloatList:
    std::ranges::copy(feature.float_list().value(),
                      to.mutableData<float>().subspan(place).begin());
    return okStatus();
  case proto::Feature::kInt64List:
    std::ranges::copy(feature.int64_list().value(),
                      to.mutableData<int64_t>().subspan(place).begin());
    return okStatus();
  default:
    return okStatus();
  }
}

void FeatureValues::addRow(const proto::Feature *feature) {
  rows.push_back(feature);
  const int64_t size = rowSize(numRows() - 1);
  total += size;
  longest = std::max(longest, size);
}

StatusOr<Tensor> FeatureValues::values(DType dtype) const {
  KILN_ASSIGN_OR_RETURN(Tensor all, tensorOf(dtype, {total}));
  int64_t at = 0;
  for (const proto::Feature *feature : rows)
    if (feature) {
      KILN_RETURN_IF_ERROR(writeValues(*feature, all, at));
      at += sizeOf(*feature);
    }
  return all;
}

StatusOr<Tensor> FeatureValues::indices(bool isFlat) const {
  KILN_ASSIGN_OR_RETURN(Tensor all,
                        tensorOf(DType::Int64, {total, isFlat ? 1 : 2}));
  int64_t *to = all.mutableData<int64_t>().data();
  for (int64_t row = 0; row < numRows(); ++row)
    for (int64_t i = 0, size = rowSize(row); i < size; ++i) {
      if (!isFlat)
        *to++ = row;
      *to++ = i;
    }
  return all;
}

StatusOr<Tensor> FeatureValues::splits(DType dtype) const {
  KILN_ASSIGN_OR_RETURN(Tensor all, tensorOf(dtype, {numRows() + 1}));
  int64_t end = 0;
  for (int64_t row = 0; row <= numRows(); ++row) {
    if (dtype == DType::Int32)
      all.mutableData<int32_t>()[static_cast<size_t>(row)] =
          static_cast<int32_t>(end);
    else
      all.mutableData<int64_t>()[static_cast<size_t>(row)] = end;
    if (row < numRows())
      end += rowSize(row);
  }
  return all;
}

Status FeatureValues::writePadded(Tensor &to, int64_t rowElements,
                                  const Tensor &padding) const {
  for (int64_t row = 0; row < numRows(); ++row) {
    const int64_t begin = row * rowElements;
    if (const proto::Feature *feature = rows[static_cast<size_t>(row)])
      KILN_RETURN_IF_ERROR(writeValues(*feature, to, begin));
    for (int64_t i = rowSize(row); i < rowElements; ++i)
      copyElements(padding, to, begin + i);
  }
  return okStatus();
}

std::vector<std::string> textsOf(const Tensor &tensor) {
  std::vector<std::string> texts;
  for (const String &text : tensor.data<String>())
    texts.emplace_back(text.view());
  return texts;
}

void copyElements(const Tensor &from, Tensor &to, int64_t at) {
  if (from.dtype() == DType::String) {
    std::ranges::copy(
        from.data<String>(),
        to.mutableData<String>().subspan(static_cast<size_t>(at)).begin());
  } else if (from.byteSize() > 0) {
    std::memcpy(static_cast<char *>(to.mutableRawData()) +
                    static_cast<size_t>(at) * dtypeSize(to.dtype()),
                from.rawData(), from.byteSize());
  }
}

StatusOr<Tensor> vectorOf(std::span<const int64_t> numbers) {
  return Tensor::fromValues<int64_t>(
      Shape({static_cast<int64_t>(numbers.size())}), numbers);
}

StatusOr<Tensor> tensorOf(DType dtype, const Shape &shape) {
  constexpr int64_t maxBytes = int64_t(1) << 40;
  KILN_ASSIGN_OR_RETURN(int64_t count, shape.numElements());
  if (count > maxBytes / static_cast<int64_t>(dtypeSize(dtype)))
    return resourceExhaustedError(strCat("expected a tensor of at most ",
                                         maxBytes, " bytes, got shape ",
                                         shape.toString()));
  return Tensor::create(dtype, shape);
}

} // namespace kiln::host
