// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sounds as WAV files of 16-bit samples.
#ifndef KILN_LIB_IO_WAV_H
#define KILN_LIB_IO_WAV_H

#include "kiln/Status.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace kiln::io {

/// Makes a WAV file of samples from -1 to 1, frame by frame; others are
/// clamped, and NaN is silent. The sizes have to fit into a header.
std::string encodeWav(std::span<const float> samples, uint32_t rate,
                      uint16_t channels);

/// A sound in a file, as bytes of it.
struct Wav {
  int64_t frames, channels;
  uint32_t rate;
  std::string_view bytes;

  /// The sample of a frame, from -1 to 1.
  float sample(int64_t frame, int64_t channel) const;
};

/// Finds the sound in a WAV file, which it borrows. **Errors**: TensorFlow's.
StatusOr<Wav> readWav(std::string_view file);

} // namespace kiln::io

#endif // KILN_LIB_IO_WAV_H
