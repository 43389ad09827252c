// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks what the ops on checkpoints of version 1 are given, in TensorFlow's
// order and with its texts.
#include "lib/IO/SliceTableWriter.h"
#include "lib/IO/SliceTables.h"
#include "lib/Ops/Checkpoint/Host.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

namespace kiln::host {

using namespace io;
namespace {

std::string textAt(const Tensor &tensor, int64_t i) {
  return std::string(tensor.data<String>()[static_cast<size_t>(i)].view());
}

/// What stands first: the name of the file, or a pattern.
StatusOr<std::string> fileOf(const HostCall &call, std::string_view name) {
  const Tensor &input = call.inputs[0];
  if (input.numElements() != 1)
    return invalidArgumentError(strCat(
        "Input 0 (", name, ") must be a string scalar; got a tensor of ",
        input.numElements(), name == "filename" ? "elements" : " elements"));
  return textAt(input, 0);
}

} // namespace

Status saveSlices(const HostCall &call) {
  const bool hasSlices = call.node.op() == "SaveSlices";
  const int64_t numFixed = hasSlices ? 3 : 2;
  KILN_ASSIGN_OR_RETURN(std::string path, fileOf(call, "filename"));
  const Tensor &names = call.inputs[1];
  const int64_t count = names.numElements();
  if (hasSlices && call.inputs[2].numElements() != count)
    return invalidArgumentError(strCat(
        "Expected ", count, " elements for the tensor shapes and slices but ",
        "got ", call.inputs[2].numElements()));
  const auto numInputs = static_cast<int64_t>(call.inputs.size());
  if (numInputs != count + numFixed)
    return invalidArgumentError(
        strCat("Expected totally ", count + numFixed,
               " inputs as input #1 (which is a string tensor of saved names) "
               "contains ",
               count, " names, but received ", numInputs, " inputs"));
  KILN_RETURN_IF_ERROR(call.files.check(path));
  SliceTableWriter writer;
  for (int64_t i = 0; i < count; ++i) {
    const Tensor &tensor = call.inputs[static_cast<size_t>(numFixed + i)];
    const std::string spec = hasSlices ? textAt(call.inputs[2], i) : "";
    Shape whole = tensor.shape();
    TensorSlice slice = TensorSlice::all(whole.rank());
    if (!spec.empty()) {
      KILN_ASSIGN_OR_RETURN(ShapeAndSlice place, ShapeAndSlice::parse(spec));
      if (place.sliceShape != tensor.shape())
        return invalidArgumentError(
            strCat("Slice in shape_and_slice specification does not match the "
                   "shape of the tensor to  save: ",
                   spec, ", tensor: ", tensor.shape().toString()));
      whole = place.shape;
      slice = place.slice;
    }
    KILN_RETURN_IF_ERROR(writer.add(textAt(names, i), whole, slice, tensor));
  }
  return writer.write(path);
}

Status restoreSlice(const HostCall &call) {
  KILN_ASSIGN_OR_RETURN(std::string pattern, fileOf(call, "file_pattern"));
  const bool hasSlice = call.node.op() == "RestoreSlice";
  if (call.inputs[1].numElements() == 0)
    return invalidArgumentError(
        "Input 1 (file_pattern) must be a have at least 1 elements");
  if (hasSlice && call.inputs[2].numElements() == 0)
    return invalidArgumentError(
        "Input 2 (shape_and_slice) must be a have at least 1 elements");
  KILN_ASSIGN_OR_RETURN(SliceTables tables,
                        SliceTables::open(pattern, call.files));
  KILN_ASSIGN_OR_RETURN(
      call.outputs[0],
      restoreStored(tables, textAt(call.inputs[1], 0),
                    hasSlice ? textAt(call.inputs[2], 0) : "",
                    call.node.attrOr<DType>("dt", DType::Invalid)));
  return okStatus();
}

StatusOr<Tensor> restoreStored(SliceTables &tables, const std::string &name,
                               const std::string &spec, DType dtype) {
  KILN_ASSIGN_OR_RETURN(SlicedTensor stored, tables.find(name));
  if (stored.dtype != dtype)
    return invalidArgumentError(
        strCat("Expected to restore a tensor of type ", dtypeTfName(dtype),
               ", got a tensor of type ", dtypeTfName(stored.dtype),
               " instead: tensor_name = ", name));
  TensorSlice slice = TensorSlice::all(stored.shape.rank());
  if (!spec.empty()) {
    KILN_ASSIGN_OR_RETURN(ShapeAndSlice part, ShapeAndSlice::parse(spec));
    if (part.shape != stored.shape)
      return invalidArgumentError(
          strCat("Shape in shape_and_slice spec does not match the shape in "
                 "the save file: ",
                 part.shape.toString(),
                 ", save file shape: ", stored.shape.toString()));
    slice = part.slice;
  }
  return tables.read(name, stored, slice);
}

} // namespace kiln::host
