// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Opens a checkpoint, or the newest one of a folder.
#include "kiln/CheckpointReader.h"

#include "kiln/Checkpoints.h"
#include "lib/IO/Formats.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <filesystem>

namespace kiln {

struct CheckpointReader::Data {
  std::unique_ptr<StoredVariables> stored;
};

CheckpointReader::CheckpointReader(std::unique_ptr<Data> data)
    : data(std::move(data)) {}
CheckpointReader::CheckpointReader(CheckpointReader &&) noexcept = default;
CheckpointReader &
CheckpointReader::operator=(CheckpointReader &&) noexcept = default;
CheckpointReader::~CheckpointReader() = default;

StatusOr<CheckpointReader>
CheckpointReader::open(const std::string &prefixOrFolder) {
  std::string prefix = prefixOrFolder;
  std::error_code error;
  if (std::filesystem::is_directory(prefixOrFolder, error)) {
    KILN_ASSIGN_OR_RETURN(prefix, latestCheckpoint(prefixOrFolder));
    if (prefix.empty())
      return notFoundError(strCat(
          "Couldn't find 'checkpoint' file or checkpoints in given directory ",
          prefixOrFolder));
  }
  auto data = std::make_unique<Data>();
  KILN_ASSIGN_OR_RETURN(data->stored, openStoredVariables(prefix));
  return CheckpointReader(std::move(data));
}

StatusOr<std::map<std::string, CheckpointVariable>>
CheckpointReader::variables() {
  return data->stored->all();
}

StatusOr<Tensor> CheckpointReader::tensor(const std::string &name) {
  return data->stored->read(name);
}

} // namespace kiln
