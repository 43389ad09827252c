// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sounds out of WAV files, and such files of them.
#include "lib/IO/Wav.h"
#include "lib/Ops/Media/Host.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <algorithm>
#include <limits>

namespace kiln::host {

Status decodeWav(const HostCall &call) {
  const Tensor &contents = call.inputs[0];
  if (contents.rank() != 0)
    return invalidArgumentError(strCat("contents must be scalar, got shape ",
                                       contents.shape().toString()));
  std::string_view file = contents.data<String>()[0].view();
  if (file.size() > std::numeric_limits<int32_t>::max())
    return invalidArgumentError(
        strCat("WAV contents are too large for int: ", file.size()));
  KILN_ASSIGN_OR_RETURN(const io::Wav sound, io::readWav(file));
  const auto wantedFrames = call.node.attrOr<int64_t>("desired_samples", -1),
             wantedChannels = call.node.attrOr<int64_t>("desired_channels", -1);
  const int64_t frames = wantedFrames == -1 ? sound.frames : wantedFrames,
                channels =
                    wantedChannels == -1 ? sound.channels : wantedChannels;
  KILN_ASSIGN_OR_RETURN(
      call.outputs[0],
      Tensor::zeros(DType::Float32, Shape({frames, channels})));
  float *to = call.outputs[0].mutableData<float>().data();
  // Channels that the file lacks are its last one, frames silence.
  for (int64_t frame = 0; frame < std::min(frames, sound.frames); ++frame)
    for (int64_t channel = 0; channel < channels; ++channel)
      *to++ = sound.sample(frame, std::min(channel, sound.channels - 1));
  call.outputs[1] = Tensor::scalar(static_cast<int32_t>(sound.rate));
  return okStatus();
}

Status encodeWav(const HostCall &call) {
  const Tensor &sound = call.inputs[0], &rates = call.inputs[1];
  if (sound.rank() != 2)
    return invalidArgumentError(
        strCat("audio must be 2-dimensional", sound.shape().toString()));
  if (rates.rank() != 0)
    return invalidArgumentError(
        strCat("Input sample_rate should be a scalar tensor, got ",
               rates.shape().toString(), " instead."));
  if (sound.numElements() >= std::numeric_limits<int32_t>::max())
    return invalidArgumentError(
        "Cannot encode audio with >= max int32 elements");
  const int64_t channels = sound.dim(1);
  const int32_t rate = rates.data<int32_t>()[0];
  if (rate <= 0)
    return invalidArgumentError(
        strCat("sample_rate must be in (0, 2^32), got: ",
               static_cast<uint64_t>(int64_t{rate})));
  if (channels <= 0 || channels > std::numeric_limits<uint16_t>::max())
    return invalidArgumentError(
        strCat("num_channels must be in (0, 2^16), got: ", channels));
  // The header counts bytes, its own among them, in 32 bits.
  if (sound.numElements() > (std::numeric_limits<uint32_t>::max() - 44) / 2)
    return invalidArgumentError("Cannot make wav file larger than 4GB");
  call.outputs[0] = Tensor::scalar(
      io::encodeWav(sound.data<float>(), static_cast<uint32_t>(rate),
                    static_cast<uint16_t>(channels)));
  return okStatus();
}

} // namespace kiln::host
