// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls zlib.
#include "lib/IO/Inflate.h"

#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <algorithm>
#include <zlib.h>

namespace kiln::io {

struct Inflater::Stream {
  z_stream z = {};
  bool isReady = false, hasEnded = false;
};

Inflater::Inflater(Compression compression)
    : compression(compression), stream(std::make_unique<Stream>()),
      input(roomBytes, '\0') {
  constexpr int gzipHeader = 16;
  int windowBits =
      MAX_WBITS + (compression == Compression::Gzip ? gzipHeader : 0);
  stream->isReady = inflateInit2(&stream->z, windowBits) == Z_OK;
}

Inflater::~Inflater() {
  if (stream->isReady)
    inflateEnd(&stream->z);
}

void Inflater::take(size_t count) {
  stream->z.next_in = reinterpret_cast<Bytef *>(input.data());
  stream->z.avail_in = static_cast<uInt>(count);
}

StatusOr<Inflater::State> Inflater::inflate(char *to, size_t &size) {
  z_stream &z = stream->z;
  if (!stream->isReady)
    return resourceExhaustedError("OOM when allocating a stream of zlib");
  z.next_out = reinterpret_cast<Bytef *>(to);
  z.avail_out = static_cast<uInt>(size);
  const size_t room = size;
  size = 0;
  if (stream->hasEnded) {
    if (compression != Compression::Gzip)
      return State::Ended;
    if (z.avail_in == 0)
      return State::NeedsMore;
    inflateReset(&z); // another member of the file
    stream->hasEnded = false;
  }
  int code = ::inflate(&z, Z_NO_FLUSH);
  if (code != Z_OK && code != Z_STREAM_END && code != Z_BUF_ERROR)
    return Status(StatusCode::DataLoss,
                  strCat("inflate() failed with error ", code,
                         z.msg ? strCat(": ", z.msg) : ""));
  size = room - z.avail_out;
  stream->hasEnded = code == Z_STREAM_END;
  return stream->hasEnded && compression != Compression::Gzip
             ? State::Ended
             : State::NeedsMore;
}

StatusOr<std::string> inflateString(std::string_view bytes,
                                    Compression compression) {
  Inflater inflater(compression);
  std::string piece(Inflater::roomBytes, '\0'), result;
  for (;;) {
    size_t size = piece.size();
    KILN_ASSIGN_OR_RETURN(Inflater::State state,
                          inflater.inflate(piece.data(), size));
    if (result.size() + size > static_cast<size_t>(InputFile::maxStringBytes))
      return resourceExhaustedError(strCat("a string has more than ",
                                           InputFile::maxStringBytes,
                                           " bytes when it is inflated"));
    result.append(piece, 0, size);
    if (size > 0)
      continue;
    if (state == Inflater::State::Ended || bytes.empty())
      return result;
    std::string_view next = bytes.substr(0, Inflater::roomBytes);
    std::ranges::copy(next, inflater.room());
    inflater.take(next.size());
    bytes.remove_prefix(next.size());
  }
}

} // namespace kiln::io
