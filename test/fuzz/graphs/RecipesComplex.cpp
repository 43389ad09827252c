// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parts of complex numbers, and Fourier transforms.
#include "test/fuzz/graphs/Recipes.h"

#include <algorithm>

namespace kiln::fuzz {
namespace {

/// One precision for parts and wholes, whichever attributes name them.
void choosePrecision(Call &call) {
  const bool isDouble = call.random.chance(30);
  const DType part = isDouble ? DType::Float64 : DType::Float32,
              whole = isDouble ? DType::Complex128 : DType::Complex64;
  for (const AttrDef &attr : call.def.attrs)
    call.setIf(attr.name,
               std::ranges::count(attr.allowedTypes, whole) ? whole : part);
}

bool complexUnary(Call &call) {
  choosePrecision(call);
  call.any();
  return call.done();
}

bool complexOfParts(Call &call) {
  choosePrecision(call);
  Value x = call.any();
  call.in(call.maker.broadcastable(call.next(), x.dims));
  return call.done();
}

int transformedRank(const Call &call) {
  const std::string &name = call.def.name;
  return name.ends_with("3D") ? 3 : name.ends_with("2D") ? 2 : 1;
}

Extents transformedDims(Call &call) {
  const int rank = transformedRank(call);
  return call.maker.randomDims(rank, rank + 1);
}
/// Lengths are asked of an input that has some.
Extents realDims(Call &call) {
  Extents dims = transformedDims(call);
  for (Extent &dim : dims)
    if (dim.least() == 0)
      dim = 2;
  return dims;
}

bool transform(Call &call) {
  choosePrecision(call);
  call.fresh(transformedDims(call), between(-4, 4));
  return call.done();
}

/// All of the numbers, or fewer.
bool realTransform(Call &call) {
  choosePrecision(call);
  Extents dims = realDims(call);
  const bool isInverse = call.def.name.starts_with("I");
  call.fresh(dims, between(-4, 4));
  Extents lengths(dims.end() - transformedRank(call), dims.end());
  if (isInverse)
    lengths.back() = lengths.back() + lengths.back() - 1;
  if (call.random.chance(30))
    lengths.front() = 1;
  call.integers(lengths);
  return call.done();
}

constexpr Recipe recipes[] = {
    {"Real Imag Conj ComplexAbs Angle", complexUnary},
    {"Complex", complexOfParts},
    {"FFT FFT2D FFT3D IFFT IFFT2D IFFT3D", transform},
    {"RFFT RFFT2D RFFT3D IRFFT IRFFT2D IRFFT3D", realTransform},
};

} // namespace

std::span<const Recipe> complexRecipes() { return recipes; }

} // namespace kiln::fuzz
