// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TF_CheckpointReader: the variables of a checkpoint, by number or by name.
#include "capi/Handles.h"
#include "kiln/CheckpointReader.h"
#include "tensorflow/c/c_api_experimental.h"

using namespace kiln;
using namespace kiln::capi;

struct TF_CheckpointReader {
  CheckpointReader reader;
  std::map<std::string, CheckpointVariable> variables;
  std::vector<const char *> names; ///< of `variables`
  /// A reader of Kiln's is for one thread at a time.
  std::mutex reading;

  const CheckpointVariable *find(const char *name) const {
    auto found = variables.find(name);
    return found == variables.end() ? nullptr : &found->second;
  }
};

TF_CheckpointReader *TF_NewCheckpointReader(const char *filename,
                                            TF_Status *status) {
  clearStatus(status);
  StatusOr<CheckpointReader> reader = CheckpointReader::open(filename);
  if (!reader.ok()) {
    setStatus(status,
              reader.status().code() == StatusCode::NotFound
                  ? notFoundError("Unsuccessful TensorSliceReader constructor: "
                                  "Failed to find any matching files for " +
                                  std::string(filename))
                  : reader.status());
    return nullptr;
  }
  auto variables = reader->variables();
  if (!variables.ok()) {
    setStatus(status, variables.status());
    return nullptr;
  }
  auto *made = new TF_CheckpointReader{
      *std::move(reader), *std::move(variables), {}, {}};
  for (const auto &[name, variable] : made->variables)
    made->names.push_back(name.c_str());
  return made;
}

void TF_DeleteCheckpointReader(TF_CheckpointReader *reader) { delete reader; }

int TF_CheckpointReaderHasTensor(TF_CheckpointReader *reader,
                                 const char *name) {
  return reader->find(name) != nullptr;
}

const char *TF_CheckpointReaderGetVariable(TF_CheckpointReader *reader,
                                           int index) {
  const bool isThere = index >= 0 && index < TF_CheckpointReaderSize(reader);
  return isThere ? reader->names[static_cast<size_t>(index)] : nullptr;
}

int TF_CheckpointReaderSize(TF_CheckpointReader *reader) {
  return static_cast<int>(reader->names.size());
}

TF_DataType TF_CheckpointReaderGetVariableDataType(TF_CheckpointReader *reader,
                                                   const char *name) {
  const CheckpointVariable *variable = reader->find(name);
  return static_cast<TF_DataType>(variable ? variable->dtype : DType::Invalid);
}

void TF_CheckpointReaderGetVariableShape(TF_CheckpointReader *reader,
                                         const char *name, int64_t *dims,
                                         int num_dims, TF_Status *status) {
  clearStatus(status);
  const CheckpointVariable *variable = reader->find(name);
  const int rank = variable ? variable->shape.rank() : -1;
  if (rank != num_dims)
    return setStatus(
        status,
        invalidArgumentError("Expected rank is " + std::to_string(num_dims) +
                             " but actual rank is " + std::to_string(rank)));
  for (int i = 0; i < rank; ++i)
    dims[i] = variable->shape.dim(i);
}

int TF_CheckpointReaderGetVariableNumDims(TF_CheckpointReader *reader,
                                          const char *name) {
  const CheckpointVariable *variable = reader->find(name);
  return variable ? variable->shape.rank() : -1;
}

TF_Tensor *TF_CheckpointReaderGetTensor(TF_CheckpointReader *reader,
                                        const char *name, TF_Status *status) {
  clearStatus(status);
  std::lock_guard lock(reader->reading);
  StatusOr<Tensor> value = reader->reader.tensor(name);
  if (value.ok())
    return tensorOf(*std::move(value));
  setStatus(status, value.status());
  return nullptr;
}
