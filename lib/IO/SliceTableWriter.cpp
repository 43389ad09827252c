// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tensors as the entries of a table.
#include "lib/IO/SliceTableWriter.h"

#include "lib/IO/BundleIndex.h"
#include "lib/IO/LevelTableWriter.h"
#include "lib/IO/TensorCodec.h"
#include "lib/Support/CheckedMath.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <bit>
#include <climits>

namespace kiln::io {
namespace {

/// The format that TensorFlow writes.
constexpr int formatVersion = 1;
/// What a message may have beside a tensor's elements.
constexpr int64_t frameBytes = 1 << 10;

/// Puts the elements into the field that the format has for their dtype.
Status encodeElements(const Tensor &tensor, proto::TensorProto &message) {
  auto addAll = [&]<class T>(T, auto *field) {
    for (const T &element : tensor.data<T>())
      field->Add(element);
    return okStatus();
  };
  switch (tensor.dtype()) {
  case DType::Float32:
    return addAll(float(), message.mutable_float_val());
  case DType::Float64:
    return addAll(double(), message.mutable_double_val());
  case DType::Int32:
    return addAll(int32_t(), message.mutable_int_val());
  case DType::Int16:
    return addAll(int16_t(), message.mutable_int_val());
  case DType::Int8:
    return addAll(int8_t(), message.mutable_int_val());
  case DType::UInt16:
    return addAll(uint16_t(), message.mutable_int_val());
  case DType::UInt8:
    return addAll(uint8_t(), message.mutable_int_val());
  case DType::Int64:
    return addAll(int64_t(), message.mutable_int64_val());
  case DType::Bool:
    return addAll(bool(), message.mutable_bool_val());
  case DType::Float16:
    for (Half element : tensor.data<Half>())
      message.add_half_val(std::bit_cast<uint16_t>(element));
    return okStatus();
  case DType::String:
    for (const String &element : tensor.data<String>())
      message.add_string_val(std::string(element.view()));
    return okStatus();
  default:
    return unimplementedError(strCat("Saving data type ",
                                     dtypeTfName(tensor.dtype()),
                                     " not yet supported"));
  }
}

/// No message may have 2 GiB; ten bytes are the most that a number takes.
Status checkSize(const std::string &name, const Tensor &tensor) {
  int64_t bytes = 0;
  if (tensor.dtype() == DType::String)
    for (const String &text : tensor.data<String>())
      bytes += static_cast<int64_t>(text.size()) + 10;
  else
    bytes = tensor.numElements();
  const bool isText = tensor.dtype() == DType::String;
  const auto most =
      isText ? std::optional(bytes) : checkedMul(bytes, int64_t{10});
  if (most && *most < INT_MAX - frameBytes)
    return okStatus();
  return invalidArgumentError(
      strCat("Tensor slice is too large to serialize: ", name, " has ",
             tensor.numElements(), " elements"));
}

} // namespace

Status SliceTableWriter::addMeta(const std::string &name, const Shape &whole,
                                 const TensorSlice &slice, DType dtype) {
  auto [place, isNew] = tensors.try_emplace(name);
  proto::SavedSliceMeta &meta = place->second;
  if (isNew) {
    meta.set_name(name);
    meta.set_type(static_cast<proto::DataType>(dtype));
    encodeShape(whole, *meta.mutable_shape());
  }
  KILN_ASSIGN_OR_RETURN(Shape shape, decodeShape(meta.shape()));
  if (shape != whole)
    return internalError(
        strCat("Mismatching shapes: existing tensor = ", shape.toString(),
               ", trying to add name ", name, ", shape = ", whole.toString()));
  if (meta.type() != static_cast<proto::DataType>(dtype))
    return invalidArgumentError(
        strCat("Mismatching types: existing type = ",
               dtypeTfName(static_cast<DType>(meta.type())),
               ", trying to add name ", name, ", type = ", dtypeTfName(dtype)));
  *meta.add_slice() = encodeSlice(slice);
  return okStatus();
}

Status SliceTableWriter::add(const std::string &name, const Shape &whole,
                             const TensorSlice &slice, const Tensor &tensor) {
  proto::SavedTensorSlices message;
  proto::SavedSlice &saved = *message.mutable_data();
  saved.set_name(name);
  *saved.mutable_slice() = encodeSlice(slice);
  KILN_RETURN_IF_ERROR(checkSize(name, tensor));
  KILN_RETURN_IF_ERROR(encodeElements(tensor, *saved.mutable_data()));
  const std::string key = sliceKey(name, slice);
  if (entries.contains(key))
    return invalidArgumentError(
        strCat("Adding duplicate slice ", slice.toString(), " of ", name));
  KILN_RETURN_IF_ERROR(addMeta(name, whole, slice, tensor.dtype()));
  entries.emplace(key, message.SerializeAsString());
  return okStatus();
}

Status SliceTableWriter::write(const std::string &path) const {
  proto::SavedTensorSlices message;
  proto::SavedTensorSliceMeta &meta = *message.mutable_meta();
  meta.mutable_versions()->set_producer(formatVersion);
  for (const auto &[name, tensor] : tensors)
    *meta.add_tensor() = tensor;
  return writeLevelTable(path, [&](const AddEntry &addEntry) {
    addEntry("", message.SerializeAsString());
    for (const auto &[key, value] : entries)
      addEntry(key, value);
  });
}

} // namespace kiln::io
