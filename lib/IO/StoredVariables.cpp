// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lists and reads what an index names.
#include "lib/IO/BundleReader.h"
#include "lib/IO/Formats.h"
#include "lib/Support/StatusMacros.h"

namespace kiln {
namespace {

class Stored : public StoredVariables {
public:
  explicit Stored(io::BundleReader reader) : reader(std::move(reader)) {}

  StatusOr<std::map<std::string, CheckpointVariable>> all() override {
    std::map<std::string, CheckpointVariable> found;
    KILN_ASSIGN_OR_RETURN(std::vector<std::string> names, reader.names());
    for (const std::string &name : names) {
      KILN_ASSIGN_OR_RETURN(io::StoredTensor stored, reader.find(name));
      found.emplace(name, CheckpointVariable{stored.dtype, stored.shape});
    }
    return found;
  }

  StatusOr<Tensor> read(const std::string &name) override {
    KILN_ASSIGN_OR_RETURN(io::StoredTensor stored, reader.find(name));
    return reader.read(name, stored);
  }

private:
  io::BundleReader reader;
};

} // namespace

StatusOr<std::unique_ptr<StoredVariables>>
openStoredVariables(const std::string &prefix) {
  KILN_ASSIGN_OR_RETURN(io::BundleReader reader,
                        io::BundleReader::open(prefix));
  std::unique_ptr<StoredVariables> stored =
      std::make_unique<Stored>(std::move(reader));
  return stored;
}

} // namespace kiln
