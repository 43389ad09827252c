// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The schemas of Complex: what makes complex numbers, and what takes them
// apart. Arithmetic on them is that of the other families.
#include "lib/Ops/Families.h"
#include "lib/Ops/Math/Shape.h"

namespace kiln {
namespace {

using namespace shapes;

constexpr char toReal[] = "T: {complex64, complex128} = complex64; Tout: "
                          "{float32, float64} = float32";

constexpr OpRecord records[] = {
    {"Complex", "real: T, imag: T", "out: Tout",
     "T: {float32, float64} = float32; Tout: {complex64, complex128} = "
     "complex64",
     "The complex numbers of real and imaginary parts, with broadcasting.",
     inferBinary, takesComplex},
    {"Real", "input: T", "output: Tout", toReal,
     "The real parts of complex numbers.", inferSame, takesComplex},
    {"Imag", "input: T", "output: Tout", toReal,
     "The imaginary parts of complex numbers.", inferSame, takesComplex},
    {"Conj", "input: T", "output: T",
     "T: {complex64, complex128, variant} = complex64",
     "Complex numbers with their imaginary parts negated.", inferSame,
     takesComplex},
    {"ComplexAbs", "x: T", "y: Tout", toReal,
     "The distances of complex numbers from 0.", inferSame, takesComplex},
    {"Angle", "input: T", "output: Tout", toReal,
     "The arguments of complex numbers, between -pi and pi.", inferSame,
     takesComplex},
};

} // namespace

OpFamily complexFamily() {
  return {"Complex", "real and imaginary parts of complex numbers", records};
}

} // namespace kiln
