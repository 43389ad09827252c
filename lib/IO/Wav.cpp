// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The header of a WAV file, and the samples behind it, the lowest byte first.
#include "lib/IO/Wav.h"

#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

namespace kiln::io {
namespace {

constexpr uint16_t pcm = 1, bitsPerSample = 16;

int16_t toSample(float value) {
  float scaled = std::round(value * 32768.0f);
  if (std::isnan(scaled))
    return 0;
  return static_cast<int16_t>(std::clamp(scaled, -32768.0f, 32767.0f));
}

template <class T> void appendNumber(std::string &bytes, T number) {
  bytes.append(reinterpret_cast<const char *>(&number), sizeof number);
}

/// What is left of a file.
class Rest {
public:
  explicit Rest(std::string_view bytes) : bytes(bytes) {}

  StatusOr<std::string_view> take(size_t count) {
    if (count > bytes.size())
      return invalidArgumentError("Data too short when trying to read string");
    std::string_view taken = bytes.substr(0, count);
    bytes.remove_prefix(count);
    return taken;
  }

  template <class T> Status read(T &number) {
    KILN_ASSIGN_OR_RETURN(std::string_view from, take(sizeof number));
    std::memcpy(&number, from.data(), sizeof number);
    return okStatus();
  }

  Status expect(std::string_view text) {
    KILN_ASSIGN_OR_RETURN(std::string_view found, take(text.size()));
    return found == text
               ? okStatus()
               : invalidArgumentError(strCat("Header mismatch: Expected ", text,
                                             " but found ", found));
  }

  void skip(size_t count) {
    bytes.remove_prefix(std::min(count, bytes.size()));
  }
  bool isEmpty() const { return bytes.empty(); }

private:
  std::string_view bytes;
};

/// Reads what stands before the part "fmt ".
Status readBeginning(Rest &rest) {
  constexpr std::array<std::string_view, 8> passedOver = {
      "JUNK", "bext", "iXML", "qlty", "mext", "levl", "link", "axml"};
  uint32_t size = 0;
  KILN_RETURN_IF_ERROR(rest.expect("RIFF"));
  KILN_RETURN_IF_ERROR(rest.read(size));
  KILN_RETURN_IF_ERROR(rest.expect("WAVE"));
  for (;;) {
    KILN_ASSIGN_OR_RETURN(std::string_view name, rest.take(4));
    if (name == "fmt ")
      return okStatus();
    if (std::find(passedOver.begin(), passedOver.end(), name) ==
        passedOver.end())
      return invalidArgumentError(strCat("Unexpected field ", name));
    KILN_RETURN_IF_ERROR(rest.read(size));
    KILN_RETURN_IF_ERROR(rest.take(size).status());
  }
}

/// Reads the part "fmt ".
Status readFormat(Rest &rest, Wav &sound) {
  uint32_t size = 0, bytesPerSecond = 0;
  uint16_t format = 0, channels = 0, bytesPerFrame = 0, bits = 0;
  KILN_RETURN_IF_ERROR(rest.read(size));
  if (size != 16 && size != 18)
    return invalidArgumentError(strCat(
        "Bad format chunk size for WAV: Expected 16 or 18, but got ", size));
  KILN_RETURN_IF_ERROR(rest.read(format));
  if (format != pcm)
    return invalidArgumentError(
        strCat("Bad audio format for WAV: Expected 1 (PCM), but got ", format));
  KILN_RETURN_IF_ERROR(rest.read(channels));
  if (channels < 1)
    return invalidArgumentError("Bad number of channels for WAV: Expected at "
                                "least 1, but got 0");
  KILN_RETURN_IF_ERROR(rest.read(sound.rate));
  KILN_RETURN_IF_ERROR(rest.read(bytesPerSecond));
  KILN_RETURN_IF_ERROR(rest.read(bytesPerFrame));
  KILN_RETURN_IF_ERROR(rest.read(bits));
  if (bits != bitsPerSample)
    return invalidArgumentError(
        strCat("Can only read 16-bit WAV files, but received ", bits));
  const uint32_t expectedBytes = channels * uint32_t{bitsPerSample / 8};
  if (bytesPerFrame != expectedBytes)
    return invalidArgumentError(
        strCat("Bad bytes per sample in WAV header: Expected ", expectedBytes,
               " but got ", bytesPerFrame));
  const uint64_t expectedRate = uint64_t{bytesPerFrame} * sound.rate;
  if (bytesPerSecond != expectedRate)
    return invalidArgumentError(
        strCat("Bad bytes per second in WAV header: Expected ", expectedRate,
               " but got ", bytesPerSecond, " (sample_rate=", sound.rate,
               ", bytes_per_sample=", bytesPerFrame, ")"));
  sound.channels = channels;
  rest.skip(size - 16);
  return okStatus();
}

} // namespace

std::string encodeWav(std::span<const float> samples, uint32_t rate,
                      uint16_t channels) {
  constexpr uint32_t headerSize = 44, formatSize = 16;
  constexpr uint16_t bytesPerSample = bitsPerSample / 8;
  const auto dataSize = static_cast<uint32_t>(samples.size() * bytesPerSample);
  std::string bytes = "RIFF";
  appendNumber(bytes, headerSize - 8 + dataSize);
  bytes += "WAVEfmt ";
  appendNumber(bytes, formatSize);
  appendNumber(bytes, pcm);
  appendNumber(bytes, channels);
  appendNumber(bytes, rate);
  appendNumber(bytes, rate * channels * bytesPerSample);
  appendNumber(bytes, static_cast<uint16_t>(channels * bytesPerSample));
  appendNumber(bytes, bitsPerSample);
  bytes += "data";
  appendNumber(bytes, dataSize);
  for (float sample : samples)
    appendNumber(bytes, toSample(sample));
  return bytes;
}

float Wav::sample(int64_t frame, int64_t channel) const {
  int16_t number = 0;
  std::memcpy(&number,
              bytes.data() + (frame * channels + channel) *
                                 static_cast<int64_t>(sizeof number),
              sizeof number);
  return static_cast<float>(number) * (1.0f / 32768);
}

StatusOr<Wav> readWav(std::string_view file) {
  Rest rest(file);
  Wav sound = {};
  KILN_RETURN_IF_ERROR(readBeginning(rest));
  KILN_RETURN_IF_ERROR(readFormat(rest, sound));
  const int64_t bytesPerFrame = sound.channels * bitsPerSample / 8;
  bool isFound = false;
  while (!rest.isEmpty()) {
    uint32_t size = 0;
    KILN_ASSIGN_OR_RETURN(std::string_view name, rest.take(4));
    KILN_RETURN_IF_ERROR(rest.read(size));
    constexpr uint32_t most = std::numeric_limits<int32_t>::max();
    if (size > most)
      return invalidArgumentError(strCat("WAV data chunk '", name,
                                         "' is too large: ", size,
                                         " bytes, but the limit is ", most));
    if (name != "data") {
      rest.skip(size);
      continue;
    }
    if (std::exchange(isFound, true))
      return invalidArgumentError("More than one data chunk found in WAV");
    sound.frames = size / bytesPerFrame;
    KILN_ASSIGN_OR_RETURN(sound.bytes, rest.take(static_cast<size_t>(
                                           sound.frames * bytesPerFrame)));
  }
  if (!isFound)
    return invalidArgumentError("No data chunk found in WAV");
  return sound;
}

} // namespace kiln::io
