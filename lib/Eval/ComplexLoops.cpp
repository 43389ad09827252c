// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops that take complex numbers apart and put them together.
#include "lib/Eval/ElementwiseLoops.h"

namespace kiln::eval {
namespace {

template <class Part> struct Pair {
  Part real, imaginary;
};
template <class Part> struct RealPart {
  Part operator()(const Pair<Part> &whole) const { return whole.real; }
};
template <class Part> struct ImaginaryPart {
  Part operator()(const Pair<Part> &whole) const { return whole.imaginary; }
};
template <class Part> struct MakePair {
  Pair<Part> operator()(Part real, Part imaginary) const {
    return {real, imaginary};
  }
};

template <class Part> ElementLoop partLoopOf(bool isImaginary) {
  return isImaginary ? &mapUnary<Pair<Part>, Part, ImaginaryPart<Part>>
                     : &mapUnary<Pair<Part>, Part, RealPart<Part>>;
}

} // namespace

ElementLoop partLoop(bool isImaginary, DType part) {
  return part == DType::Float32 ? partLoopOf<float>(isImaginary)
                                : partLoopOf<double>(isImaginary);
}

ElementLoop complexLoop(DType part) {
  return part == DType::Float32
             ? &mapBinary<float, Pair<float>, MakePair<float>>
             : &mapBinary<double, Pair<double>, MakePair<double>>;
}

} // namespace kiln::eval
