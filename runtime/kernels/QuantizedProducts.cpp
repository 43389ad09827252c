// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products of bytes with sums of 32 bits, of the windows of images and of
// filters that lie in panels.
//
// A panel is what 16 columns of a filter have, four rows at a time, columns
// side by side: [rows / 4, 16, 4], the rows and columns that fill it up 0. It
// is what one instruction multiplies where the processor has one for that
// (VNNI), and what two halves of one do elsewhere. Sums wrap, so that all
// orders give the same bits.
#include "runtime/abi/Symbols.h"
#include "runtime/arithmetic/CpuVariants.h"
#include "runtime/kernels/KernelCall.h"
#include "runtime/kernels/Kernels.h"
#include "runtime/memory/Memory.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <memory>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace kiln {
namespace {

constexpr int64_t panelColumns = 16, stepRows = 4,
                  stepBytes = panelColumns * stepRows;

/// Some rows of bytes times some panels, all that a tile needs.
struct Tile {
  std::array<const uint8_t *, 8> rows;
  std::array<int32_t, 8> rowTerms;
  const int8_t *panels;
  int64_t steps;              ///< of stepRows rows of the filter
  const int32_t *columnTerms; ///< as many as there are columns
  int32_t *out;
  int64_t stride; ///< from one row of `out` to the next
  int64_t columns;
};

using TileFn = void (*)(const Tile &);

//===--- One tile ---------------------------------------------------------===//

template <int numRows, int numPanels> void plainTile(const Tile &tile) {
  for (int r = 0; r < numRows; ++r)
    for (int64_t n = 0; n < tile.columns; ++n) {
      const int8_t *panel = tile.panels +
                            n / panelColumns * tile.steps * stepBytes +
                            n % panelColumns * stepRows;
      uint32_t sum = static_cast<uint32_t>(tile.rowTerms[r]) +
                     static_cast<uint32_t>(tile.columnTerms[n]);
      for (int64_t k = 0; k < tile.steps; ++k)
        for (int64_t i = 0; i < stepRows; ++i)
          sum += static_cast<uint32_t>(tile.rows[r][k * stepRows + i] *
                                       panel[k * stepBytes + i]);
      tile.out[r * tile.stride + n] = static_cast<int32_t>(sum);
    }
}

#if defined(__x86_64__)
/// Adds what the row and its columns have and writes those columns that are.
template <int numPanels>
KILN_TARGET_AVX2 void storeRow(const Tile &tile, int row, const int32_t *sums) {
  int32_t *out = tile.out + row * tile.stride;
  const auto own = static_cast<uint32_t>(tile.rowTerms[row]);
  for (int64_t n = 0; n < std::min(tile.columns, numPanels * panelColumns); ++n)
    out[n] = static_cast<int32_t>(static_cast<uint32_t>(sums[n]) + own +
                                  static_cast<uint32_t>(tile.columnTerms[n]));
}

/// Bytes widened to 16 bits, products added in pairs: exact, which the
/// instruction for bytes of this class of processors, that saturates, is not.
template <int numRows, int numPanels>
KILN_TARGET_AVX2 void wideTile(const Tile &tile) {
  static_assert(numPanels == 1);
  __m256i sums[numRows][4];
  for (auto &row : sums)
    for (__m256i &sum : row)
      sum = _mm256_setzero_si256();
  const int8_t *panel = tile.panels;
  for (int64_t k = 0; k < tile.steps; ++k, panel += stepBytes) {
    __m256i x[numRows];
    for (int r = 0; r < numRows; ++r) {
      int32_t four;
      std::memcpy(&four, tile.rows[r] + k * stepRows, sizeof four);
      x[r] =
          _mm256_broadcastq_epi64(_mm_cvtepu8_epi16(_mm_cvtsi32_si128(four)));
    }
    for (int part = 0; part < 4; ++part) {
      const __m256i filter = _mm256_cvtepi8_epi16(_mm_loadu_si128(
          reinterpret_cast<const __m128i *>(panel + 16 * part)));
      for (int r = 0; r < numRows; ++r)
        sums[r][part] =
            _mm256_add_epi32(sums[r][part], _mm256_madd_epi16(x[r], filter));
    }
  }
  for (int r = 0; r < numRows; ++r) {
    alignas(32) int32_t all[panelColumns];
    for (int half = 0; half < 2; ++half)
      _mm256_store_si256(
          reinterpret_cast<__m256i *>(all + 8 * half),
          _mm256_permute4x64_epi64(
              _mm256_hadd_epi32(sums[r][2 * half], sums[r][2 * half + 1]),
              0xD8));
    storeRow<numPanels>(tile, r, all);
  }
}

template <int numRows, int numPanels>
KILN_TARGET_VNNI void vnniTile(const Tile &tile) {
  __m512i sums[numRows][numPanels];
  for (auto &row : sums)
    for (__m512i &sum : row)
      sum = _mm512_setzero_si512();
  const int64_t panelBytes = tile.steps * stepBytes;
  const int8_t *panel = tile.panels;
  for (int64_t k = 0; k < tile.steps; ++k, panel += stepBytes) {
    __m512i filter[numPanels];
    for (int p = 0; p < numPanels; ++p)
      filter[p] = _mm512_loadu_si512(panel + p * panelBytes);
    for (int r = 0; r < numRows; ++r) {
      int32_t four;
      std::memcpy(&four, tile.rows[r] + k * stepRows, sizeof four);
      const __m512i x = _mm512_set1_epi32(four);
      for (int p = 0; p < numPanels; ++p)
        sums[r][p] = _mm512_dpbusd_epi32(sums[r][p], x, filter[p]);
    }
  }
  for (int p = 0; p < numPanels; ++p) {
    const int64_t left =
        std::min(tile.columns - p * panelColumns, panelColumns);
    const auto mask = static_cast<__mmask16>((1u << left) - 1);
    const int64_t at = p * panelColumns;
    const __m512i terms = _mm512_maskz_loadu_epi32(mask, tile.columnTerms + at);
    for (int r = 0; r < numRows; ++r)
      _mm512_mask_storeu_epi32(
          tile.out + r * tile.stride + at, mask,
          _mm512_add_epi32(
              sums[r][p],
              _mm512_add_epi32(terms, _mm512_set1_epi32(tile.rowTerms[r]))));
  }
}
#endif

/// The tiles of one class of processors: as many rows and panels as its
/// registers hold, and fewer.
struct Tiles {
  int64_t rows = 1, panels = 1;
  /// [rows - 1][panels - 1]
  std::array<std::array<TileFn, 4>, 6> functions = {};
};

#define KILN_TILES_OF(function, rows)                                          \
  {function<rows, 1>, function<rows, 2>, function<rows, 3>, function<rows, 4>}

const Tiles &tilesOfThisCpu() {
  static const Tiles tiles = [] {
    Tiles chosen;
#if defined(__x86_64__)
    if (isVnniCpu()) {
      chosen.rows = 6;
      chosen.panels = 4;
      chosen.functions = {
          {KILN_TILES_OF(vnniTile, 1), KILN_TILES_OF(vnniTile, 2),
           KILN_TILES_OF(vnniTile, 3), KILN_TILES_OF(vnniTile, 4),
           KILN_TILES_OF(vnniTile, 5), KILN_TILES_OF(vnniTile, 6)}};
      return chosen;
    }
    if (isWideCpu()) {
      chosen.rows = 3;
      chosen.functions[0][0] = wideTile<1, 1>;
      chosen.functions[1][0] = wideTile<2, 1>;
      chosen.functions[2][0] = wideTile<3, 1>;
      return chosen;
    }
#endif
    chosen.functions[0][0] = plainTile<1, 1>;
    return chosen;
  }();
  return tiles;
}

//===--- Images -----------------------------------------------------------===//

/// A call: image [B, H, W, C] of bytes; panels [P, K / 4, 16, 4]; what each
/// column begins with [F]; what the sum of a row is multiplied by; what stands
/// for 0 in the image; the windows: extents, strides, padding before the image,
/// of both dimensions -> [B, O, O', F].
class Product {
public:
  explicit Product(const KernelCall &call)
      : call(call), image(call.input<uint8_t>(0)),
        panels(call.input<int8_t>(1)), columnTerms(call.input<int32_t>(2)),
        rowFactor(static_cast<uint32_t>(*call.input<int32_t>(3))),
        zero(*call.input<int32_t>(4)), window(call.input<int64_t>(5)),
        in(call.inputDims(0)), places(call.outputDims(0)),
        numRows(product(places[0], places[1], places[2])),
        numColumns(places[3]), rowBytes(product(window[0], window[1], in[3])),
        steps((rowBytes + stepRows - 1) / stepRows),
        isDirect(window[0] == 1 && window[1] == 1 && window[4] == 0 &&
                 window[5] == 0 && rowBytes % stepRows == 0 &&
                 places[1] <= (in[1] + window[2] - 1) / window[2] &&
                 places[2] <= (in[2] + window[3] - 1) / window[3]),
        block(std::clamp<int64_t>(blockBytes / std::max<int64_t>(rowBytes, 1),
                                  smallestBlock, largestBlock)) {}

  int32_t run() {
    if (numRows == 0 || numColumns == 0)
      return mustStop(call.state());
    constexpr double worthThreads = 2e6;
    const double work = static_cast<double>(numRows) *
                        static_cast<double>(numColumns) *
                        static_cast<double>(rowBytes + stepRows);
    int32_t result = 0;
    if (work < worthThreads)
      runRows(0, numRows);
    else
      result = kilnParallelFor(
          [](void *self, int64_t begin, int64_t end) {
            static_cast<Product *>(self)->runRows(begin, end);
          },
          this, numRows, block, call.state());
    if (isOutOfMemory)
      return !call.fail(ErrorKind::OutOfMemory, scratchBytes());
    return result | mustStop(call.state());
  }

private:
  static constexpr int64_t blockBytes = 1 << 16, smallestBlock = 6,
                           largestBlock = 96;

  /// Wraps: where that is no size of a tensor, there is nothing to compute.
  static int64_t product(int64_t a, int64_t b, int64_t c) {
    return static_cast<int64_t>(static_cast<uint64_t>(a) *
                                static_cast<uint64_t>(b) *
                                static_cast<uint64_t>(c));
  }

  int64_t scratchBytes() const {
    return isDirect ? 0 : block * steps * stepRows;
  }

  void runRows(int64_t begin, int64_t end) {
    std::unique_ptr<void, void (*)(void *)> scratch(
        isDirect ? nullptr
                 : allocateAligned(static_cast<size_t>(scratchBytes()) + 1),
        [](void *data) { freeAligned(data); });
    if (!isDirect && !scratch) {
      isOutOfMemory = true;
      return;
    }
    auto *rows = static_cast<uint8_t *>(scratch.get());
    for (int64_t first = begin; first < end; first += block) {
      if (mustStop(call.state()))
        return;
      runBlock(first, std::min(block, end - first), rows);
    }
  }

  void runBlock(int64_t first, int64_t count, uint8_t *scratch) {
    std::array<const uint8_t *, largestBlock> rows = {};
    std::array<int32_t, largestBlock> terms = {};
    for (int64_t i = 0; i < count; ++i) {
      const auto at = static_cast<size_t>(i);
      rows[at] = isDirect ? directRow(first + i)
                          : gather(first + i, scratch + i * steps * stepRows);
      terms[at] = rowFactor == 0 ? 0 : sumOf(rows[at]);
    }
    const Tiles &tiles = tilesOfThisCpu();
    for (int64_t n = 0; n < numColumns; n += tiles.panels * panelColumns) {
      const int64_t columns =
          std::min(numColumns - n, tiles.panels * panelColumns);
      const auto width = static_cast<size_t>((columns - 1) / panelColumns);
      for (int64_t i = 0; i < count; i += tiles.rows) {
        const int64_t height = std::min(count - i, tiles.rows);
        Tile tile = {.rows = {},
                     .rowTerms = {},
                     .panels = panels + n / panelColumns * steps * stepBytes,
                     .steps = steps,
                     .columnTerms = columnTerms + n,
                     .out =
                         call.output<int32_t>(0) + (first + i) * numColumns + n,
                     .stride = numColumns,
                     .columns = columns};
        std::copy_n(rows.begin() + i, height, tile.rows.begin());
        std::copy_n(terms.begin() + i, height, tile.rowTerms.begin());
        tiles.functions[static_cast<size_t>(height - 1)][width](tile);
      }
    }
    // What is outside of an image counts for nothing, which no byte stands for.
    if (zero < 0 && !isDirect)
      for (int64_t i = 0; i < count; ++i)
        takeBackPadding(first + i);
  }

  struct Place {
    const uint8_t *image;
    int64_t y, x; ///< of the window's first element, perhaps outside
  };
  Place placeOf(int64_t row) const {
    const int64_t x = row % places[2], rest = row / places[2];
    const int64_t y = rest % places[1], batch = rest / places[1];
    return {image + batch * in[1] * in[2] * in[3], y * window[2] - window[4],
            x * window[3] - window[5]};
  }
  const uint8_t *directRow(int64_t row) const {
    const Place at = placeOf(row);
    return at.image + (at.y * in[2] + at.x) * in[3];
  }

  /// Writes the elements of a window.
  const uint8_t *gather(int64_t row, uint8_t *to) const {
    const Place at = placeOf(row);
    const auto fill = static_cast<uint8_t>(zero);
    const int64_t lineBytes = window[1] * in[3];
    // Columns of the window that are left and right of the image.
    const int64_t left = std::clamp<int64_t>(-at.x, 0, window[1]),
                  right = std::clamp<int64_t>(at.x + window[1] - in[2], 0,
                                              window[1] - left);
    uint8_t *line = to;
    for (int64_t i = 0; i < window[0]; ++i, line += lineBytes) {
      const int64_t y = at.y + i;
      if (y < 0 || y >= in[1] || left + right == window[1]) {
        std::memset(line, fill, static_cast<size_t>(lineBytes));
        continue;
      }
      const int64_t middle = (window[1] - left - right) * in[3];
      std::memset(line, fill, static_cast<size_t>(left * in[3]));
      std::memcpy(line + left * in[3],
                  at.image + (y * in[2] + at.x + left) * in[3],
                  static_cast<size_t>(middle));
      std::memset(line + left * in[3] + middle, fill,
                  static_cast<size_t>(right * in[3]));
    }
    std::memset(to + rowBytes, 0,
                static_cast<size_t>(steps * stepRows - rowBytes));
    return to;
  }

  int32_t sumOf(const uint8_t *row) const {
    uint32_t sum = 0;
    for (int64_t k = 0; k < rowBytes; ++k)
      sum += row[k];
    return static_cast<int32_t>(sum * rowFactor);
  }

  /// A tile has counted elements of the padding as the byte that fills it.
  void takeBackPadding(int64_t row) const {
    const Place at = placeOf(row);
    const uint32_t counted = static_cast<uint32_t>(static_cast<uint8_t>(zero)) -
                             static_cast<uint32_t>(zero);
    int32_t *out = call.output<int32_t>(0) + row * numColumns;
    for (int64_t i = 0; i < window[0]; ++i)
      for (int64_t j = 0; j < window[1]; ++j) {
        const int64_t y = at.y + i, x = at.x + j;
        if (y >= 0 && y < in[1] && x >= 0 && x < in[2])
          continue;
        const int64_t k = (i * window[1] + j) * in[3];
        for (int64_t n = 0; n < numColumns; ++n)
          for (int64_t c = k; c < k + in[3]; ++c)
            out[n] = static_cast<int32_t>(static_cast<uint32_t>(out[n]) -
                                          counted * weight(c, n));
      }
  }
  /// An element of the filter, from what stands for 0 in it.
  uint32_t weight(int64_t k, int64_t n) const {
    const int8_t byte =
        panels[(n / panelColumns * steps + k / stepRows) * stepBytes +
               n % panelColumns * stepRows + k % stepRows];
    return static_cast<uint32_t>(byte) + rowFactor;
  }

  const KernelCall &call;
  const uint8_t *image;
  const int8_t *panels;
  const int32_t *columnTerms;
  uint32_t rowFactor;
  int32_t zero;
  const int64_t *window; ///< extents, strides, padding before
  std::span<const int64_t> in, places;
  int64_t numRows, numColumns, rowBytes, steps;
  /// Whether rows of bytes are those of the image as they lie.
  bool isDirect;
  int64_t block;
  std::atomic<bool> isOutOfMemory = false;
};

int32_t quantizedProduct(const KilnKernelCall *raw) noexcept {
  KernelCall call(raw);
  return Product(call).run();
}

} // namespace

std::vector<Kernel> quantizedProductKernels() {
  return {{"QuantizedProduct", quantizedProduct}};
}

} // namespace kiln
