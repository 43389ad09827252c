// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks what the ops on checkpoints are given, in TensorFlow's order and with
// its texts.
#include "lib/Ops/Checkpoint/Host.h"

#include "lib/IO/BundleReader.h"
#include "lib/IO/BundleWriter.h"
#include "lib/IO/SliceTables.h"
#include "lib/Support/FileCalls.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <algorithm>
#include <unistd.h>

namespace kiln::host {

using namespace io;
namespace {

/// Inputs of SaveV2 and RestoreV2.
enum { prefixInput, namesInput, slicesInput, firstTensor };

std::string textAt(const Tensor &tensor, int64_t i) {
  return std::string(tensor.data<String>()[static_cast<size_t>(i)].view());
}

Status checkInputs(const HostCall &call, int64_t numTensors, bool isSave) {
  const Tensor &prefix = call.inputs[prefixInput],
               &names = call.inputs[namesInput],
               &slices = call.inputs[slicesInput];
  if (prefix.numElements() != 1)
    return invalidArgumentError(
        strCat("Input prefix should have a single element, got ",
               prefix.numElements(), " instead."));
  if (names.rank() != 1 || slices.rank() != 1)
    return invalidArgumentError(
        strCat("Input tensor_names and shape_and_slices should be an 1-D "
               "tensors, got ",
               names.shape().toString(), " and ", slices.shape().toString(),
               " instead."));
  if (names.numElements() != slices.numElements())
    return invalidArgumentError(
        strCat("tensor_names and shape_and_slices have different number of "
               "elements: ",
               names.numElements(), " vs. ", slices.numElements()));
  if (names.numElements() != numTensors)
    return invalidArgumentError(
        strCat("Got ", names.numElements(), " tensor names, but ", numTensors,
               isSave ? " expected tensors." : " expected dtypes."));
  return call.files.check(indexPath(textAt(prefix, 0)));
}

Status addTensor(BundleWriter &writer, const std::string &name,
                 const std::string &spec, const Tensor &tensor) {
  if (spec.empty())
    return writer.add(name, tensor);
  KILN_ASSIGN_OR_RETURN(ShapeAndSlice place, ShapeAndSlice::parse(spec));
  if (place.sliceShape != tensor.shape())
    return invalidArgumentError(
        strCat("Slice in shape_and_slice specification does not match the "
               "shape of the tensor to  save: ",
               spec, ", tensor: ", tensor.shape().toString()));
  return writer.addSlice(name, place, tensor);
}

/// The tensors that are asked for, by what the index says.
StatusOr<std::vector<StoredTensor>> findAll(BundleReader &reader,
                                            const Tensor &names) {
  std::vector<StoredTensor> stored;
  for (int64_t i = 0; i < names.numElements(); ++i) {
    KILN_ASSIGN_OR_RETURN(stored.emplace_back(), reader.find(textAt(names, i)));
  }
  return stored;
}

StatusOr<Tensor> readTensor(BundleReader &reader, const std::string &name,
                            const std::string &spec,
                            const StoredTensor &stored) {
  if (spec.empty())
    return reader.read(name, stored);
  KILN_ASSIGN_OR_RETURN(ShapeAndSlice place, ShapeAndSlice::parse(spec));
  if (place.shape != stored.shape)
    return invalidArgumentError(
        strCat("tensor_name = ", name, "; shape in shape_and_slice spec ",
               place.shape.toString(),
               " does not match the shape stored in checkpoint: ",
               stored.shape.toString()));
  return reader.readSlice(name, stored, place.slice);
}

/// Restores from a checkpoint of version 1, with that op's errors.
Status restoreV1(const HostCall &call, const std::string &pattern,
                 std::span<const DType> dtypes) {
  KILN_ASSIGN_OR_RETURN(SliceTables tables,
                        SliceTables::open(pattern, call.files));
  for (size_t i = 0; i < dtypes.size(); ++i) {
    const auto place = static_cast<int64_t>(i);
    const std::string name = textAt(call.inputs[namesInput], place),
                      spec = textAt(call.inputs[slicesInput], place);
    KILN_ASSIGN_OR_RETURN(call.outputs[i],
                          restoreStored(tables, name, spec, dtypes[i]));
  }
  return okStatus();
}

/// Removes the folders that held the parts, if they are empty.
void removeFolders(const std::vector<std::string> &prefixes,
                   const std::string &merged) {
  for (const std::string &prefix : prefixes)
    if (std::string folder(folderOf(prefix));
        !folder.empty() && folder != folderOf(merged))
      fileCalls().removeFolder(folder.c_str());
}

} // namespace

Status saveV2(const HostCall &call) {
  const auto numTensors =
      static_cast<int64_t>(call.inputs.size()) - firstTensor;
  KILN_RETURN_IF_ERROR(checkInputs(call, numTensors, /*isSave=*/true));
  KILN_ASSIGN_OR_RETURN(BundleWriter writer,
                        BundleWriter::create(textAt(call.inputs[0], 0)));
  for (int64_t i = 0; i < numTensors; ++i)
    KILN_RETURN_IF_ERROR(
        addTensor(writer, textAt(call.inputs[namesInput], i),
                  textAt(call.inputs[slicesInput], i),
                  call.inputs[static_cast<size_t>(firstTensor + i)]));
  return writer.finish();
}

Status restoreV2(const HostCall &call) {
  auto dtypes = call.node.attrOr<std::vector<DType>>("dtypes", {});
  KILN_RETURN_IF_ERROR(checkInputs(call, static_cast<int64_t>(dtypes.size()),
                                   /*isSave=*/false));
  const Tensor &names = call.inputs[namesInput];
  std::string prefix = textAt(call.inputs[prefixInput], 0);
  if (::access(indexPath(prefix).c_str(), F_OK) != 0)
    return restoreV1(call, prefix, dtypes);
  KILN_ASSIGN_OR_RETURN(BundleReader reader,
                        BundleReader::open(prefix, call.files));
  KILN_ASSIGN_OR_RETURN(std::vector<StoredTensor> stored,
                        findAll(reader, names));
  // Saved iterators are stored as strings.
  for (size_t i = 0; i < dtypes.size(); ++i)
    if (stored[i].dtype !=
        (dtypes[i] == DType::Variant ? DType::String : dtypes[i]))
      return invalidArgumentError(strCat(
          "tensor_name = ", textAt(names, static_cast<int64_t>(i)),
          "; expected dtype ", dtypeTfName(dtypes[i]),
          " does not equal original dtype ", dtypeTfName(stored[i].dtype)));
  for (size_t i = 0; i < dtypes.size(); ++i) {
    auto place = static_cast<int64_t>(i);
    KILN_ASSIGN_OR_RETURN(call.outputs[i],
                          readTensor(reader, textAt(names, place),
                                     textAt(call.inputs[slicesInput], place),
                                     stored[i]));
  }
  return okStatus();
}

Status mergeV2Checkpoints(const HostCall &call) {
  const Tensor &prefixes = call.inputs[0], &destination = call.inputs[1];
  if (prefixes.rank() != 1)
    return invalidArgumentError(
        strCat("Input checkpoint_prefixes should be an 1-D tensor, got ",
               prefixes.shape().toString(), " instead."));
  if (destination.rank() != 0)
    return invalidArgumentError(
        strCat("Input destination_prefix should be a scalar tensor, got ",
               destination.shape().toString(), " instead."));
  std::vector<std::string> parts;
  for (const String &prefix : prefixes.data<String>())
    KILN_RETURN_IF_ERROR(
        call.files.check(indexPath(parts.emplace_back(prefix.view()))));
  std::string merged = textAt(destination, 0);
  KILN_RETURN_IF_ERROR(call.files.check(indexPath(merged)));
  KILN_RETURN_IF_ERROR(mergeBundles(
      parts, merged, call.node.attrOr<bool>("allow_missing_files", false)));
  if (call.node.attrOr<bool>("delete_old_dirs", true))
    removeFolders(parts, merged);
  return okStatus();
}

} // namespace kiln::host
