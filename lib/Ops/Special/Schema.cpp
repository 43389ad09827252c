// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The schemas of Special: functions of mathematics that are integrals or
// series, and neighbours of numbers.
#include "lib/Ops/Families.h"
#include "lib/Ops/Math/Shape.h"
#include "lib/Ops/Special/Shape.h"

namespace kiln {
namespace {

using namespace shapes;

constexpr OpRecord records[] = {
    {"Dawsn", "x: T", "y: T", "T: floats",
     "Dawson's integral: exp(-x * x) times the integral of exp(t * t) from "
     "0 to x.",
     inferSame},
    {"Expint", "x: T", "y: T", "T: floats",
     "The exponential integral Ei of a number that is not negative; NaN "
     "for others.",
     inferSame},
    {"FresnelCos", "x: T", "y: T", "T: floats",
     "The integral of cos(pi / 2 * t * t) from 0 to x.", inferSame},
    {"FresnelSin", "x: T", "y: T", "T: floats",
     "The integral of sin(pi / 2 * t * t) from 0 to x.", inferSame},
    {"Spence", "x: T", "y: T", "T: floats",
     "Spence's integral: that of log(t) / (1 - t) from 1 to x.", inferSame},
    {"BesselJ0", "x: T", "y: T", "T: floats",
     "The Bessel function of the first kind, of order 0.", inferSame},
    {"BesselJ1", "x: T", "y: T", "T: floats",
     "The Bessel function of the first kind, of order 1.", inferSame},
    {"BesselY0", "x: T", "y: T", "T: floats",
     "The Bessel function of the second kind, of order 0.", inferSame},
    {"BesselY1", "x: T", "y: T", "T: floats",
     "The Bessel function of the second kind, of order 1.", inferSame},
    {"BesselK0", "x: T", "y: T", "T: floats",
     "The modified Bessel function of the second kind, of order 0.", inferSame},
    {"BesselK0e", "x: T", "y: T", "T: floats", "BesselK0 times exp(x).",
     inferSame},
    {"BesselK1", "x: T", "y: T", "T: floats",
     "The modified Bessel function of the second kind, of order 1.", inferSame},
    {"BesselK1e", "x: T", "y: T", "T: floats", "BesselK1 times exp(x).",
     inferSame},
    {"Betainc", "a: T, b: T, x: T", "z: T", "T: {float32, float64}",
     "The regularized incomplete beta function; scalars are broadcast.",
     inferBetainc},
    {"IgammaGradA", "a: T, x: T", "z: T", "T: {float32, float64}",
     "The derivative of Igamma with regard to a, with broadcasting.",
     inferBinary},
    {"RandomGammaGrad", "alpha: T, sample: T", "output: T",
     "T: {float32, float64}",
     "The derivative of a number of the gamma distribution with regard to "
     "alpha, with broadcasting.",
     inferBinary},
    {"NextAfter", "x1: T, x2: T", "output: T",
     "T: {float64, float32} = float32",
     "The number next to x1 in the direction of x2, with broadcasting.",
     inferBinary},
};

} // namespace

OpFamily specialFamily() {
  return {"Special", "functions that are integrals or series", records};
}

} // namespace kiln
