// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks, diagonals, rolls: moves of elements with a rule of their own.
#include "test/fuzz/graphs/Recipes.h"

#include <algorithm>

namespace kiln::fuzz {
namespace {

/// [batch, block * h, block * w, depth], as the data format has them.
bool spaceToDepth(Call &call) {
  int64_t block = call.random.between(2, 3);
  bool isInverse = call.def.name == "DepthToSpace";
  bool isFirst = call.random.chance(20);
  call.set("block_size", block);
  call.set("data_format", isFirst ? "NCHW" : "NHWC");
  Extent h = call.random.between(1, 3), w = call.random.between(1, 3),
         depth = call.random.between(1, 3), batch = call.maker.randomExtent();
  if (isInverse)
    depth = depth * Extent(block * block);
  else {
    h = h * Extent(block);
    w = w * Extent(block);
  }
  call.like(isFirst ? Extents{batch, depth, h, w}
                    : Extents{batch, h, w, depth});
  return call.done();
}

bool spaceToBatch(Call &call) {
  bool isInverse = call.def.name.starts_with("BatchToSpace");
  bool isNd = call.def.name.ends_with("ND");
  int spatial = isNd ? 1 + call.random.below(2) : 2;
  int64_t block = call.random.between(isNd ? 1 : 2, 3);
  Extents dims = {call.random.between(1, 2)}, blocks, paddings;
  int64_t product = 1;
  for (int i = 0; i < spatial; ++i) {
    int64_t before = call.random.below(2), after = call.random.below(2);
    int64_t size = call.random.between(1, 3);
    blocks.push_back(block);
    product *= block;
    if (isInverse) {
      dims.push_back(size + 1);
      before = std::min<int64_t>(before, block - 1);
      after = 0;
    } else {
      int64_t whole = block * (size + 1);
      dims.push_back(whole - before - after);
    }
    paddings.push_back(before);
    paddings.push_back(after);
  }
  if (isInverse)
    dims[0] = dims[0] * Extent(product);
  if (!isNd || call.random.chance(50))
    dims.push_back(call.maker.randomExtent());
  if (isNd && dims.size() < 3)
    dims.push_back(2);
  call.setIf("block_size", block);
  call.like(dims);
  if (isNd)
    call.integers(blocks);
  call.fresh({int64_t(spatial), 2}, exactly(paddings));
  return call.done();
}

bool roll(Call &call) {
  Value x = call.any(1, 4);
  int64_t number = call.random.between(1, 2);
  Extents shifts, axes;
  for (int64_t i = 0; i < number; ++i) {
    shifts.push_back(call.random.between(-5, 9));
    axes.push_back(call.random.between(-x.rank(), x.rank() - 1));
  }
  if (number == 1 && call.random.chance(50)) {
    call.scalar(shifts[0]);
    call.scalar(axes[0]);
  } else {
    call.integers(shifts);
    call.integers(axes);
  }
  return call.done();
}

bool bandPart(Call &call) {
  Value x = call.any(2, 4);
  for (int i = 0; i < 2; ++i) {
    int64_t extent = x.dims[size_t(x.rank() - 2 + i)].least();
    call.scalar(call.random.between(-1, std::max<int64_t>(extent - 1, 0)));
  }
  return call.done();
}

bool diag(Call &call) {
  call.any(1, 2);
  return call.done();
}

bool diagPart(Call &call) {
  Extents dims = call.maker.randomDims(1, 2), twice = dims;
  twice.insert(twice.end(), dims.begin(), dims.end());
  call.like(twice);
  return call.done();
}

bool matrixDiag(Call &call) {
  call.any(1, 3);
  return call.done();
}

bool matrixDiagPart(Call &call) {
  call.any(2, 4);
  return call.done();
}

bool matrixSetDiag(Call &call) {
  Value x = call.any(2, 4);
  Extents dims(x.dims.begin(), x.dims.end() - 2);
  dims.push_back(each([](int64_t a, int64_t b) { return std::min(a, b); },
                      x.dims[x.dims.size() - 2], x.dims.back()));
  call.like(dims);
  return call.done();
}

/// A range of diagonals of a matrix of that size, and their shape.
struct Band {
  int64_t low, high;
  Extents shape;
};

Band chooseBand(Call &call, int64_t rows, int64_t columns) {
  Band band;
  band.low = call.random.between(-rows + 1, columns - 1);
  band.high = call.random.chance(50)
                  ? band.low
                  : call.random.between(band.low, columns - 1);
  int64_t longest = std::min(rows + std::min<int64_t>(band.high, 0),
                             columns - std::max<int64_t>(band.low, 0));
  if (band.low != band.high)
    band.shape.push_back(band.high - band.low + 1);
  band.shape.push_back(longest);
  return band;
}

void addBand(Call &call, const Band &band) {
  if (band.low == band.high && call.random.chance(60))
    call.scalar(band.low);
  else
    call.integers({band.low, band.high});
}

bool diagsPart(Call &call) {
  int64_t rows = call.random.between(1, 5), columns = call.random.between(1, 5);
  call.setIf("align", call.random.among({"LEFT_RIGHT", "RIGHT_LEFT",
                                         "LEFT_LEFT", "RIGHT_RIGHT"}));
  Extents dims = call.maker.randomDims(0, 1);
  dims.insert(dims.end(), {rows, columns});
  call.like(dims);
  addBand(call, chooseBand(call, rows, columns));
  call.like({});
  return call.done();
}

bool setDiags(Call &call) {
  int64_t rows = call.random.between(1, 5), columns = call.random.between(1, 5);
  call.setIf("align", call.random.among({"LEFT_RIGHT", "RIGHT_LEFT",
                                         "LEFT_LEFT", "RIGHT_RIGHT"}));
  Band band = chooseBand(call, rows, columns);
  Extents batch = call.maker.randomDims(0, 1), dims = batch, diagonal = batch;
  dims.insert(dims.end(), {rows, columns});
  diagonal.insert(diagonal.end(), band.shape.begin(), band.shape.end());
  call.like(dims);
  call.like(diagonal);
  addBand(call, band);
  return call.done();
}

bool diags(Call &call) {
  int64_t rows = call.random.between(1, 5), columns = call.random.between(1, 5);
  call.setIf("align", call.random.among({"LEFT_RIGHT", "RIGHT_LEFT",
                                         "LEFT_LEFT", "RIGHT_RIGHT"}));
  Band band = chooseBand(call, rows, columns);
  Extents dims = call.maker.randomDims(0, 1);
  dims.insert(dims.end(), band.shape.begin(), band.shape.end());
  call.like(dims);
  addBand(call, band);
  call.scalar(rows);
  call.scalar(columns);
  call.like({});
  return call.done();
}

bool formatDims(Call &call) {
  call.indices(call.maker.randomDims(0, 2), 4);
  return call.done();
}

bool formatVector(Call &call) {
  call.like(call.random.chance(50) ? Extents{4} : Extents{4, 2});
  return call.done();
}

constexpr Recipe recipes[] = {
    {"DataFormatDimMap", formatDims},
    {"DataFormatVecPermute", formatVector},
    {"SpaceToDepth DepthToSpace", spaceToDepth},
    {"SpaceToBatch SpaceToBatchND BatchToSpace BatchToSpaceND", spaceToBatch},
    {"Roll", roll},
    {"MatrixBandPart BatchMatrixBandPart", bandPart},
    {"Diag", diag},
    {"DiagPart", diagPart},
    {"MatrixDiag BatchMatrixDiag", matrixDiag},
    {"MatrixDiagPart BatchMatrixDiagPart", matrixDiagPart},
    {"MatrixSetDiag BatchMatrixSetDiag", matrixSetDiag},
    {"MatrixDiagPartV2 MatrixDiagPartV3", diagsPart},
    {"MatrixSetDiagV2 MatrixSetDiagV3", setDiags},
    {"MatrixDiagV2 MatrixDiagV3", diags},
};

} // namespace

std::span<const Recipe> layoutRecipes() { return recipes; }

} // namespace kiln::fuzz
