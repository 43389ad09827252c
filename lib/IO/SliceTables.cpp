// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Puts tensors together from the entries of tables.
#include "lib/IO/SliceTables.h"

#include "lib/IO/BundleIndex.h"
#include "lib/IO/SliceCopy.h"
#include "lib/IO/TensorCodec.h"
#include "lib/IO/TensorMessage.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <algorithm>
#include <climits>
#include <glob.h>

namespace kiln::io {

static bool parse(std::string_view bytes, proto::SavedTensorSlices &message) {
  return bytes.size() <= INT_MAX &&
         message.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()));
}

std::vector<std::string> SliceTables::filesOf(const std::string &pattern) {
  glob_t found = {};
  std::vector<std::string> files;
  if (::glob(pattern.c_str(), 0, nullptr, &found) == 0)
    files.assign(found.gl_pathv, found.gl_pathv + found.gl_pathc);
  ::globfree(&found);
  return files;
}

StatusOr<SliceTables> SliceTables::open(const std::string &pattern,
                                        const FileAccess &access) {
  SliceTables opened;
  opened.pattern = pattern;
  const std::vector<std::string> files = filesOf(pattern);
  if (files.empty())
    return notFoundError(
        strCat("Unsuccessful TensorSliceReader constructor: Failed to find any "
               "matching files for ",
               pattern));
  for (const std::string &path : files) {
    KILN_RETURN_IF_ERROR(access.check(path));
    KILN_RETURN_IF_ERROR(opened.add(path));
  }
  return opened;
}

Status SliceTables::add(const std::string &path) {
  StatusOr<LevelTable> table = LevelTable::read(path);
  if (!table.ok())
    return dataLossError(strCat(
        "Unable to open table file ", path, ": ",
        statusCodeName(table.status().code()), ": ", table.status().message(),
        ": perhaps your file is in a different file format and you "
        "need to use a different restore operator?"));
  StatusOr<std::optional<std::string_view>> value = table->find("");
  proto::SavedTensorSlices message;
  if (!value.ok() || !*value || !parse(**value, message))
    return internalError(strCat("Failed to find the saved tensor slices at the "
                                "beginning of the checkpoint file: ",
                                path));
  for (const proto::SavedSliceMeta &entry : message.meta().tensor()) {
    const auto dtype = static_cast<DType>(entry.type());
    KILN_ASSIGN_OR_RETURN(Shape shape, decodeShape(entry.shape()));
    auto [place, isNew] = tensors.try_emplace(entry.name());
    SlicedTensor &tensor = place->second;
    if (isNew) {
      tensor.dtype = dtype;
      tensor.shape = shape;
    }
    if (tensor.dtype != dtype || tensor.shape != shape ||
        !shape.isFullyDefined())
      return dataLossError(strCat("tensor ", entry.name(), " of ", path,
                                  " has another dtype or shape before it, or "
                                  "none"));
    for (const proto::TensorSliceProto &slice : entry.slice()) {
      KILN_ASSIGN_OR_RETURN(TensorSlice part, decodeSlice(slice));
      if (Status inside = part.shapeOf(shape).status(); !inside.ok())
        return dataLossError(std::string(inside.message()));
      tensor.slices.push_back(std::move(part));
      tensor.tables.push_back(tables.size());
    }
  }
  tables.push_back(*std::move(table));
  return okStatus();
}

StatusOr<SlicedTensor> SliceTables::find(const std::string &name) const {
  if (auto found = tensors.find(name); found != tensors.end())
    return found->second;
  return notFoundError(strCat("Tensor name \"", name,
                              "\" not found in checkpoint files ", pattern));
}

StatusOr<Tensor> SliceTables::readEntry(const std::string &name,
                                        const SlicedTensor &stored,
                                        size_t slice) {
  const TensorSlice &part = stored.slices[slice];
  KILN_ASSIGN_OR_RETURN(
      std::optional<std::string_view> value,
      tables[stored.tables[slice]].find(sliceKey(name, part)));
  proto::SavedTensorSlices message;
  if (!value || !parse(*value, message))
    return dataLossError(strCat("Failed to seek to the record for tensor ",
                                name, ", slice ", part.toString(), " of ",
                                pattern));
  KILN_ASSIGN_OR_RETURN(Shape shape, part.shapeOf(stored.shape));
  proto::TensorProto &data = *message.mutable_data()->mutable_data();
  data.set_dtype(static_cast<proto::DataType>(stored.dtype));
  data.clear_tensor_shape();
  encodeShape(shape, *data.mutable_tensor_shape());
  KILN_ASSIGN_OR_RETURN(int64_t count, shape.numElements());
  if (countElements(data) != count)
    return dataLossError(strCat("expected ", count, " elements of tensor ",
                                name, ", slice ", part.toString(), ", got ",
                                countElements(data)));
  return decodeContents(data);
}

StatusOr<Tensor> SliceTables::read(const std::string &name,
                                   const SlicedTensor &stored,
                                   const TensorSlice &slice) {
  const TensorSlice wanted = slice.resolved(stored.shape);
  for (size_t i = 0; i < stored.slices.size(); ++i)
    if (stored.slices[i].resolved(stored.shape) == wanted)
      return readEntry(name, stored, i);
  return readBox(name, stored.dtype, stored.shape, slice, stored.slices,
                 [&](size_t i) { return readEntry(name, stored, i); });
}

} // namespace kiln::io
