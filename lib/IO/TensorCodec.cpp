// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The encodings of TensorProto: raw contents, or typed values of which the last
// one repeats.
#include "lib/IO/TensorCodec.h"

#include "lib/IO/Varint.h"
#include "lib/IO/proto/Tensor.pb.h"
#include "lib/Support/CheckedMath.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <functional>
#include <vector>

namespace kiln::io {

static_assert(std::endian::native == std::endian::little,
              "tensor contents are little endian");

Status ByteBudget::spend(size_t bytes) {
  if (bytes > limit - used)
    return resourceExhaustedError(strCat(
        "the constants take more than the limit of ", limit, " bytes (",
        formatBytes(limit), "): ", used, " used, ", bytes, " more asked for"));
  used += bytes;
  return okStatus();
}

StatusOr<Shape> decodeShape(const proto::TensorShapeProto &shapeProto) {
  if (shapeProto.unknown_rank()) {
    if (shapeProto.dim_size() > 0)
      return invalidArgumentError("a shape of unknown rank has dimensions");
    return Shape::unknownRank();
  }
  std::vector<int64_t> dims;
  dims.reserve(static_cast<size_t>(shapeProto.dim_size()));
  for (const auto &dim : shapeProto.dim())
    dims.push_back(dim.size());
  return Shape::fromDims(dims);
}

void encodeShape(const Shape &shape, proto::TensorShapeProto &shapeProto) {
  shapeProto.set_unknown_rank(!shape.hasRank());
  for (int64_t dim : shape.dims())
    shapeProto.add_dim()->set_size(dim);
}

namespace {

/// The typed values of a message as they lie in a tensor: a count and a writer
/// of the i-th element.
struct TypedValues {
  int64_t count = 0;
  std::function<void(int64_t index, char *out)> write;
};

template <class Element, class Field> TypedValues valuesOf(const Field &field) {
  return {field.size(), [&field](int64_t index, char *out) {
            auto element =
                static_cast<Element>(field.Get(static_cast<int>(index)));
            std::memcpy(out, &element, sizeof element);
          }};
}

template <class Field> TypedValues complexValuesOf(const Field &field) {
  return {field.size() / 2, [&field](int64_t index, char *out) {
            auto pair = field.data() + 2 * index;
            std::memcpy(out, pair, 2 * sizeof *pair);
          }};
}

TypedValues typedValues(const proto::TensorProto &message, DType dtype) {
  switch (dtype) {
  case DType::Float32:
    return valuesOf<float>(message.float_val());
  case DType::Float64:
    return valuesOf<double>(message.double_val());
  case DType::Int64:
    return valuesOf<int64_t>(message.int64_val());
  case DType::Bool:
    return valuesOf<bool>(message.bool_val());
  case DType::UInt32:
    return valuesOf<uint32_t>(message.uint32_val());
  case DType::UInt64:
    return valuesOf<uint64_t>(message.uint64_val());
  case DType::Float16:
  case DType::BFloat16:
    return valuesOf<uint16_t>(message.half_val());
  case DType::Complex64:
    return complexValuesOf(message.scomplex_val());
  case DType::Complex128:
    return complexValuesOf(message.dcomplex_val());
  case DType::Float8E5M2:
  case DType::Float8E4M3FN:
  case DType::Float8E4M3FNUZ:
  case DType::Float8E4M3B11FNUZ:
  case DType::Float8E5M2FNUZ:
  case DType::Float4E2M1FN: {
    const std::string &bytes = message.float8_val();
    return {static_cast<int64_t>(bytes.size()),
            [&bytes](int64_t index, char *out) {
              *out = bytes[static_cast<size_t>(index)];
            }};
  }
  default:
    switch (dtypeSize(dtype)) {
    case 1:
      return valuesOf<uint8_t>(message.int_val());
    case 2:
      return valuesOf<uint16_t>(message.int_val());
    default:
      return valuesOf<int32_t>(message.int_val());
    }
  }
}

/// A bool of any other byte than 0 and 1 would be undefined behaviour to read.
void normalizeBools(Tensor &tensor) {
  auto *bytes = static_cast<unsigned char *>(tensor.mutableRawData());
  std::transform(bytes, bytes + tensor.byteSize(), bytes,
                 [](unsigned char byte) { return byte != 0; });
}

StatusOr<TensorConstant> decodeContent(const std::string &content, DType dtype,
                                       const Shape &shape, size_t bytes,
                                       ByteBudget &budget) {
  if (content.size() != bytes)
    return invalidArgumentError(strCat(
        "expected ", bytes, " bytes of contents for a ", dtypeName(dtype),
        " tensor of shape ", shape.toString(), ", got ", content.size()));
  KILN_RETURN_IF_ERROR(budget.spend(bytes));
  KILN_ASSIGN_OR_RETURN(Tensor tensor, Tensor::create(dtype, shape));
  std::memcpy(tensor.mutableRawData(), content.data(), bytes);
  if (dtype == DType::Bool)
    normalizeBools(tensor);
  return TensorConstant(std::move(tensor));
}

StatusOr<TensorConstant> decodeTyped(const TypedValues &values, DType dtype,
                                     const Shape &shape, int64_t elements,
                                     ByteBudget &budget) {
  size_t step = dtypeSize(dtype);
  bool isSplat = elements > 1 && values.count <= 1;
  int64_t kept = isSplat ? 1 : elements;
  KILN_RETURN_IF_ERROR(budget.spend(static_cast<size_t>(kept) * step));
  KILN_ASSIGN_OR_RETURN(Tensor tensor,
                        Tensor::zeros(dtype, isSplat ? Shape() : shape));
  auto *bytes = static_cast<char *>(tensor.mutableRawData());
  int64_t given = std::min(values.count, kept);
  for (int64_t i = 0; i < given; ++i)
    values.write(i, bytes + static_cast<size_t>(i) * step);
  for (int64_t i = given; given > 0 && i < kept; ++i)
    std::memcpy(bytes + static_cast<size_t>(i) * step,
                bytes + static_cast<size_t>(given - 1) * step, step);
  return TensorConstant(std::move(tensor), shape);
}

/// Contents of strings are their lengths, and all of their bytes.
StatusOr<TensorConstant> decodeTexts(std::string_view content,
                                     const Shape &shape, int64_t elements,
                                     ByteBudget &budget) {
  auto bad = [&] {
    return invalidArgumentError(strCat("expected the lengths and bytes of ",
                                       elements, " strings, got ",
                                       content.size(), " bytes"));
  };
  if (static_cast<size_t>(elements) > content.size())
    return bad();
  KILN_RETURN_IF_ERROR(budget.spend(static_cast<size_t>(elements) *
                                    (sizeof(String) + sizeof(uint64_t))));
  KILN_RETURN_IF_ERROR(budget.spend(content.size()));
  std::string_view rest = content;
  std::vector<uint64_t> lengths(static_cast<size_t>(elements));
  for (uint64_t &length : lengths)
    if (!takeVarint(rest, length))
      return bad();
  KILN_ASSIGN_OR_RETURN(Tensor tensor, Tensor::create(DType::String, shape));
  std::span<String> texts = tensor.mutableData<String>();
  for (size_t i = 0; i < texts.size(); ++i) {
    if (lengths[i] > rest.size())
      return bad();
    KILN_ASSIGN_OR_RETURN(texts[i], String::create(rest.substr(0, lengths[i])));
    rest.remove_prefix(lengths[i]);
  }
  if (!rest.empty())
    return bad();
  return TensorConstant(std::move(tensor));
}

StatusOr<TensorConstant> decodeStrings(const proto::TensorProto &message,
                                       const Shape &shape, int64_t elements,
                                       ByteBudget &budget) {
  if (!message.tensor_content().empty())
    return decodeTexts(message.tensor_content(), shape, elements, budget);
  int64_t count = message.string_val_size();
  bool isSplat = elements > 1 && count <= 1;
  int64_t kept = isSplat ? 1 : elements;
  auto bytes = checkedMul(kept, sizeof(String));
  KILN_RETURN_IF_ERROR(
      budget.spend(bytes ? static_cast<size_t>(*bytes) : SIZE_MAX));
  KILN_ASSIGN_OR_RETURN(
      Tensor tensor, Tensor::create(DType::String, isSplat ? Shape() : shape));
  std::span<String> strings = tensor.mutableData<String>();
  int64_t given = std::min(count, kept);
  for (int64_t i = 0; i < given; ++i) {
    const std::string &text = message.string_val(static_cast<int>(i));
    KILN_RETURN_IF_ERROR(budget.spend(text.size()));
    KILN_ASSIGN_OR_RETURN(strings[static_cast<size_t>(i)],
                          String::create(text));
  }
  if (given > 0)
    std::ranges::fill(strings.subspan(static_cast<size_t>(given)),
                      strings[static_cast<size_t>(given - 1)]);
  return TensorConstant(std::move(tensor), shape);
}

/// Handles of resources and variants mean something only where they were made;
/// they are kept as they came.
StatusOr<TensorConstant> keepOpaque(const proto::TensorProto &message,
                                    DType dtype, const Shape &shape,
                                    ByteBudget &budget) {
  std::string bytes;
  if (!message.SerializeToString(&bytes))
    return invalidArgumentError(
        strCat("a ", dtypeName(dtype), " constant that cannot be kept"));
  KILN_RETURN_IF_ERROR(budget.spend(bytes.size()));
  TensorConstant constant;
  constant.dtype = dtype;
  constant.shape = shape;
  constant.opaque = std::make_shared<const std::string>(std::move(bytes));
  return constant;
}

void encodeElement(const Tensor &value, size_t index,
                   proto::TensorProto &message) {
  auto read = [&]<class T>(T zero) {
    std::memcpy(
        &zero, static_cast<const char *>(value.rawData()) + index * sizeof zero,
        sizeof zero);
    return zero;
  };
  switch (value.dtype()) {
  case DType::Float32:
    return message.add_float_val(read(0.0f));
  case DType::Float64:
    return message.add_double_val(read(0.0));
  case DType::Int64:
    return message.add_int64_val(read(int64_t{0}));
  case DType::Bool:
    return message.add_bool_val(read(uint8_t{0}) != 0);
  case DType::UInt32:
    return message.add_uint32_val(read(uint32_t{0}));
  case DType::UInt64:
    return message.add_uint64_val(read(uint64_t{0}));
  case DType::Float16:
  case DType::BFloat16:
    return message.add_half_val(read(uint16_t{0}));
  case DType::Complex64:
    for (float part : read(std::array<float, 2>{}))
      message.add_scomplex_val(part);
    return;
  case DType::Complex128:
    for (double part : read(std::array<double, 2>{}))
      message.add_dcomplex_val(part);
    return;
  case DType::Int8:
  case DType::QInt8:
  case DType::Int4:
  case DType::Int2:
    return message.add_int_val(read(int8_t{0}));
  case DType::Int16:
  case DType::QInt16:
    return message.add_int_val(read(int16_t{0}));
  case DType::UInt8:
  case DType::QUInt8:
  case DType::UInt4:
  case DType::UInt2:
    return message.add_int_val(read(uint8_t{0}));
  case DType::UInt16:
  case DType::QUInt16:
    return message.add_int_val(read(uint16_t{0}));
  case DType::Int32:
  case DType::QInt32:
    return message.add_int_val(read(int32_t{0}));
  default:
    message.set_float8_val(value.rawData(), 1);
    return;
  }
}

/// The types whose elements TensorFlow writes one by one, however many.
/// **Source**: tf.make_tensor_proto.
bool isWrittenOneByOne(DType dtype) {
  return dtype == DType::Bool || dtype == DType::UInt16 ||
         dtype == DType::Complex64 || dtype == DType::Complex128;
}

} // namespace

int64_t countElements(const proto::TensorProto &tensorProto) {
  auto dtype = dtypeFromNumber(tensorProto.dtype());
  if (!dtype || *dtype == DType::Resource || *dtype == DType::Variant)
    return 0;
  if (*dtype == DType::String)
    return tensorProto.string_val_size();
  if (const std::string &content = tensorProto.tensor_content();
      !content.empty())
    return static_cast<int64_t>(content.size() / dtypeSize(*dtype));
  return typedValues(tensorProto, *dtype).count;
}

StatusOr<TensorConstant> decodeTensor(const proto::TensorProto &tensorProto,
                                      ByteBudget &budget) {
  auto dtype = dtypeFromNumber(tensorProto.dtype());
  if (!dtype)
    return invalidArgumentError(strCat("a tensor has the unknown dtype number ",
                                       int{tensorProto.dtype()}));
  KILN_ASSIGN_OR_RETURN(Shape shape, decodeShape(tensorProto.tensor_shape()));
  if (*dtype == DType::Resource || *dtype == DType::Variant)
    return keepOpaque(tensorProto, *dtype, shape, budget);
  KILN_ASSIGN_OR_RETURN(int64_t elements, shape.numElements());
  if (*dtype == DType::String)
    return decodeStrings(tensorProto, shape, elements, budget);
  auto bytes = checkedMul(elements, static_cast<int64_t>(dtypeSize(*dtype)));
  if (!bytes)
    return invalidArgumentError(strCat("a ", dtypeName(*dtype),
                                       " tensor of shape ", shape.toString(),
                                       " has more than 2^63 - 1 bytes"));
  if (!tensorProto.tensor_content().empty())
    return decodeContent(tensorProto.tensor_content(), *dtype, shape,
                         static_cast<size_t>(*bytes), budget);
  return decodeTyped(typedValues(tensorProto, *dtype), *dtype, shape, elements,
                     budget);
}

void encodeTensor(const TensorConstant &constant,
                  proto::TensorProto &tensorProto) {
  if (constant.dtype == DType::Resource || constant.dtype == DType::Variant) {
    if (constant.opaque)
      tensorProto.ParseFromString(*constant.opaque);
    return;
  }
  tensorProto.set_dtype(static_cast<proto::DataType>(constant.dtype));
  encodeShape(constant.shape, *tensorProto.mutable_tensor_shape());
  if (constant.dtype == DType::String) {
    // TensorFlow writes all of them. Readers repeat the last one, so that a
    // small file may stand for millions: those are not written out.
    constexpr size_t maxRepeated = 1024;
    std::span<const String> texts = constant.value.data<String>();
    while (texts.size() > maxRepeated &&
           texts.back() == texts[texts.size() - 2])
      texts = texts.first(texts.size() - 1);
    for (std::string_view text : texts)
      tensorProto.add_string_val(std::string(text));
  }
  if (constant.dtype == DType::String || !constant.value.isValid())
    return;
  if (auto count = constant.shape.numElements(); count.ok() && *count == 0)
    return;
  if (constant.value.numElements() == 1 || isWrittenOneByOne(constant.dtype))
    for (int64_t i = 0; i < constant.value.numElements(); ++i)
      encodeElement(constant.value, static_cast<size_t>(i), tensorProto);
  else
    tensorProto.set_tensor_content(constant.value.rawData(),
                                   constant.value.byteSize());
}

} // namespace kiln::io
