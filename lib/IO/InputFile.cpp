// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads a file piece by piece and inflates it with zlib.
#include "lib/IO/InputFile.h"

#include "lib/IO/Inflate.h"
#include "lib/Support/DataMemory.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <algorithm>

namespace kiln::io {
namespace {

constexpr int64_t pieceBytes = 256 << 10;

Status tooLong(std::string_view path) {
  return resourceExhaustedError(strCat("file ", quote(path),
                                       " has a string of more than ",
                                       InputFile::maxStringBytes, " bytes"));
}

} // namespace

Compression compressionOf(std::string_view name) {
  return name == "ZLIB"   ? Compression::Zlib
         : name == "GZIP" ? Compression::Gzip
                          : Compression::None;
}

InputFile::InputFile(std::string path, Compression compression)
    : path(std::move(path)),
      inflater(compression == Compression::None
                   ? nullptr
                   : std::make_unique<Inflater>(compression)) {}

InputFile::~InputFile() = default;

StatusOr<std::unique_ptr<InputFile>> InputFile::open(const std::string &path,
                                                     Compression compression) {
  std::unique_ptr<InputFile> input(new InputFile(path, compression));
  auto file = FileReader::open(path);
  if (file.ok())
    input->file = std::make_unique<FileReader>(*std::move(file));
  else if (file.status().code() == StatusCode::FailedPrecondition)
    input->failed = file.status(); // TensorFlow opens folders, too
  else
    return file.status();
  return input;
}

std::string_view InputFile::endText() const {
  return inflater ? "EOF reached" : "Read less bytes than requested";
}

StatusOr<bool> InputFile::fillFrom(int64_t bytes) {
  if (!inflater) {
    KILN_ASSIGN_OR_RETURN(int64_t got,
                          file->read(offset, buffer.data(), bytes));
    offset += got;
    buffer.resize(static_cast<size_t>(got));
    return got > 0;
  }
  for (;;) {
    size_t written = buffer.size();
    KILN_ASSIGN_OR_RETURN(Inflater::State state,
                          inflater->inflate(buffer.data(), written));
    if (written > 0 || state == Inflater::State::Ended) {
      buffer.resize(written);
      return written > 0;
    }
    KILN_ASSIGN_OR_RETURN(
        int64_t got, file->read(offset, inflater->room(),
                                static_cast<int64_t>(Inflater::roomBytes)));
    offset += got;
    if (got == 0) { // however far the stream is
      buffer.clear();
      return false;
    }
    inflater->take(static_cast<size_t>(got));
  }
}

StatusOr<bool> InputFile::fill() {
  KILN_RETURN_IF_ERROR(failed);
  if (place < buffer.size())
    return true;
  place = 0;
  if (!mayAllocateData(pieceBytes))
    return failed =
               outOfMemory(strCat("a part of file ", quote(path)), pieceBytes);
  buffer.resize(pieceBytes);
  auto filled = fillFrom(pieceBytes);
  if (!filled.ok()) {
    buffer.clear();
    failed = filled.status();
  }
  return filled;
}

StatusOr<int64_t> InputFile::read(int64_t count, std::string &to) {
  int64_t taken = 0;
  while (taken < count) {
    KILN_ASSIGN_OR_RETURN(bool hasMore, fill());
    if (!hasMore)
      break;
    std::string_view piece =
        window().substr(0, static_cast<size_t>(count - taken));
    if (taken + static_cast<int64_t>(piece.size()) > maxStringBytes)
      return failed = tooLong(path);
    to += piece;
    place += piece.size();
    taken += static_cast<int64_t>(piece.size());
  }
  return taken;
}

StatusOr<int64_t> InputFile::skip(int64_t count) {
  int64_t skipped = 0;
  while (skipped < count) {
    KILN_ASSIGN_OR_RETURN(bool hasMore, fill());
    if (!hasMore)
      break;
    size_t size =
        window().substr(0, static_cast<size_t>(count - skipped)).size();
    place += size;
    skipped += static_cast<int64_t>(size);
  }
  return skipped;
}

StatusOr<bool> InputFile::readLine(std::string &line) {
  line.clear();
  bool hasEnd = false;
  while (!hasEnd) {
    KILN_ASSIGN_OR_RETURN(bool hasMore, fill());
    if (!hasMore)
      break;
    size_t end = window().find('\n');
    hasEnd = end != std::string_view::npos;
    std::string_view piece = window().substr(0, end);
    if (line.size() + piece.size() > static_cast<size_t>(maxStringBytes))
      return failed = tooLong(path);
    line += piece;
    place += piece.size() + (hasEnd ? 1 : 0);
  }
  // A file that ends without a line feed has a last line where something is
  // left when its carriage return is gone.
  if (line.ends_with('\r'))
    line.pop_back();
  return hasEnd || !line.empty();
}

StatusOr<std::string> readFileContents(const std::string &path) {
  KILN_ASSIGN_OR_RETURN(auto file, InputFile::open(path, Compression::None));
  std::string contents;
  KILN_RETURN_IF_ERROR(
      file->read(InputFile::maxStringBytes + 1, contents).status());
  return contents;
}

} // namespace kiln::io
