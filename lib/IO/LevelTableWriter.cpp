// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes tables as TensorFlow does: blocks of 256 KiB that are not compressed.
#include "lib/IO/LevelTableWriter.h"

#include "lib/Support/FileStream.h"
#include "lib/Support/StatusMacros.h"

#include <leveldb/env.h>
#include <leveldb/options.h>
#include <leveldb/table_builder.h>

namespace kiln::io {
namespace {

/// Takes what a table is made of.
class WritableFile final : public leveldb::WritableFile {
public:
  explicit WritableFile(FileWriter &file) : file(file) {}
  leveldb::Status Append(const leveldb::Slice &data) override {
    if (status.ok())
      status = file.append({data.data(), data.size()});
    return status.ok() ? leveldb::Status::OK()
                       : leveldb::Status::IOError("write");
  }
  leveldb::Status Close() override { return leveldb::Status::OK(); }
  leveldb::Status Flush() override { return leveldb::Status::OK(); }
  leveldb::Status Sync() override { return leveldb::Status::OK(); }

  Status status;

private:
  FileWriter &file;
};

} // namespace

Status writeLevelTable(const std::string &path,
                       const std::function<void(const AddEntry &)> &addAll) {
  KILN_ASSIGN_OR_RETURN(FileWriter file, FileWriter::create(path));
  WritableFile sink(file);
  leveldb::Options options;
  options.compression = leveldb::kNoCompression;
  options.block_size = 256 << 10; // TensorFlow's
  leveldb::TableBuilder builder(options, &sink);
  addAll([&](std::string_view key, std::string_view value) {
    builder.Add({key.data(), key.size()}, {value.data(), value.size()});
  });
  leveldb::Status built = builder.Finish();
  KILN_RETURN_IF_ERROR(sink.status);
  if (!built.ok())
    return internalError(built.ToString());
  KILN_RETURN_IF_ERROR(file.sync());
  KILN_RETURN_IF_ERROR(file.commit());
  return syncFolder(parentOf(path));
}

} // namespace kiln::io
