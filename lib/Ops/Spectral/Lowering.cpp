// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowers Fourier transforms to calls of their kernel.
#include "lib/Import/LoweringRegistry.h"
#include "lib/Support/Strings.h"

namespace kiln {
namespace {

template <int rank, bool isInverse>
Status lowerTransform(LoweringContext &ctx) {
  const DType from = ctx.inputDType(0), to = ctx.outputDType();
  if (partType(from) != partType(to))
    return ctx.invalid(strCat("No OpKernel was registered to support Op '",
                              ctx.node().op(), "' with these attrs: from ",
                              dtypeTfName(from), " to ", dtypeTfName(to)));
  ctx.callKernel("FourierTransform", ctx.allInputs(), {rank, isInverse});
  return okStatus();
}

} // namespace

void registerSpectralLowerings(LoweringRegistry &registry) {
  registry.addMoves({{"FFT", lowerTransform<1, false>},
                     {"FFT2D", lowerTransform<2, false>},
                     {"FFT3D", lowerTransform<3, false>},
                     {"IFFT", lowerTransform<1, true>},
                     {"IFFT2D", lowerTransform<2, true>},
                     {"IFFT3D", lowerTransform<3, true>},
                     {"RFFT", lowerTransform<1, false>},
                     {"RFFT2D", lowerTransform<2, false>},
                     {"RFFT3D", lowerTransform<3, false>},
                     {"IRFFT", lowerTransform<1, true>},
                     {"IRFFT2D", lowerTransform<2, true>},
                     {"IRFFT3D", lowerTransform<3, true>}});
}

} // namespace kiln
