// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The schemas of Spectral: Fourier transforms.
#include "lib/Ops/Families.h"
#include "lib/Ops/Spectral/Shape.h"

namespace kiln {
namespace {

using namespace shapes;

constexpr char numbers[] = "Tcomplex: {complex64, complex128} = complex64";
constexpr char fromReal[] = "Treal: {float32, float64} = float32; Tcomplex: "
                            "{complex64, complex128} = complex64";

#define KILN_PLAIN(Name, infer, doc)                                           \
  {Name,  "input: Tcomplex", "output: Tcomplex", numbers, doc,                 \
   infer, takesComplex}
#define KILN_TO_COMPLEX(Name, infer, doc)                                      \
  {Name,                                                                       \
   "input: Treal, fft_length: int32",                                          \
   "output: Tcomplex",                                                         \
   fromReal,                                                                   \
   doc,                                                                        \
   infer,                                                                      \
   takesComplex}
#define KILN_TO_REAL(Name, infer, doc)                                         \
  {Name,                                                                       \
   "input: Tcomplex, fft_length: int32",                                       \
   "output: Treal",                                                            \
   fromReal,                                                                   \
   doc,                                                                        \
   infer,                                                                      \
   takesComplex}

constexpr OpRecord records[] = {
    KILN_PLAIN("FFT", inferTransform<1>,
               "The Fourier transform along the last dimension."),
    KILN_PLAIN("IFFT", inferTransform<1>,
               "The inverse Fourier transform along the last dimension."),
    KILN_PLAIN("FFT2D", inferTransform<2>,
               "The Fourier transform along the last two dimensions."),
    KILN_PLAIN("IFFT2D", inferTransform<2>,
               "The inverse Fourier transform along the last two dimensions."),
    KILN_PLAIN("FFT3D", inferTransform<3>,
               "The Fourier transform along the last three dimensions."),
    KILN_PLAIN(
        "IFFT3D", inferTransform<3>,
        "The inverse Fourier transform along the last three dimensions."),
    KILN_TO_COMPLEX("RFFT", inferRealTransform<1>,
                    "FFT of real numbers: the half that is not the conjugate "
                    "of the other, of the first fft_length of them."),
    KILN_TO_COMPLEX("RFFT2D", inferRealTransform<2>,
                    "The same along the last two dimensions."),
    KILN_TO_COMPLEX("RFFT3D", inferRealTransform<3>,
                    "The same along the last three dimensions."),
    KILN_TO_REAL("IRFFT", inferInverseRealTransform<1>,
                 "The inverse of RFFT, of fft_length numbers."),
    KILN_TO_REAL("IRFFT2D", inferInverseRealTransform<2>,
                 "The inverse of RFFT2D."),
    KILN_TO_REAL("IRFFT3D", inferInverseRealTransform<3>,
                 "The inverse of RFFT3D."),
};

} // namespace

OpFamily spectralFamily() {
  return {"Spectral", "Fourier transforms", records};
}

} // namespace kiln
