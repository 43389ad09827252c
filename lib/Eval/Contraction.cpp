// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Evaluates products of matrices, and of the windows of a tensor, in the
// CONTRACTION order of runtime/arithmetic/ReductionOrder.h.
//
// Columns are taken a panel at a time, packed contiguously, so that both
// layouts of an operand are one code; a tile of four rows by one panel keeps
// its sums in registers through a block of K. The tile is compiled once for
// each class of processors: without an FMA instruction the same bits come from
// libm. Rows of windows, which lie apart, are written down one tile at a time.
// Where padding is left out of the sums, the rows of a tile leave out the same.
#include "lib/Eval/ElementwiseLoops.h"
#include "lib/Eval/Interpreter.h"
#include "lib/Support/DataMemory.h"
#include "lib/Support/InlineVector.h"
#include "lib/Support/StatusMacros.h"
#include "runtime/arithmetic/CpuVariants.h"
#include "runtime/arithmetic/ReductionOrder.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <span>
#include <vector>

namespace kiln::eval {
namespace {

/// A matrix in memory: element (i, j) is data[i * rowStride + j *
/// columnStride].
template <class T> struct MatrixView {
  const T *data;
  int64_t rowStride, columnStride;
};

/// Integers multiply as unsigned numbers: they wrap.
template <class T, bool = std::is_integral_v<T>> struct Arithmetic {
  using Type = T;
};
template <class T> struct Arithmetic<T, true> {
  using Type = std::make_unsigned_t<T>;
};

template <class T> inline constexpr int64_t panelWidth = 64 / sizeof(T);
constexpr int64_t tileRows = 4;

/// Elements of K that are summed up.
struct Kept {
  int64_t begin, end;
};
using KeptList = InlineVector<Kept, 1>; // most products keep all

/// Computes `Rows` rows of one panel: target[row][column] for the first `width`
/// columns.
template <class T, int64_t Rows>
[[gnu::always_inline]] inline void
multiplyTile(const T *lhs, int64_t rowStride, int64_t depthStride,
             const T *panel, int64_t depth, std::span<const Kept> kept,
             T *target, int64_t targetStride, int64_t width) {
  using Vector = T __attribute__((vector_size(64)));
  Vector total[Rows] = {};
  auto next = kept.begin();
  for (int64_t begin = 0; begin < depth; begin += reduction::contractionBlock) {
    int64_t end = std::min(depth, begin + reduction::contractionBlock);
    Vector acc[Rows] = {};
    for (; next != kept.end() && next->begin < end; ++next) {
      int64_t first = std::max(begin, next->begin),
              behind = std::min(end, next->end);
      for (int64_t k = first; k < behind; ++k) {
        Vector right;
        __builtin_memcpy(&right, panel + k * panelWidth<T>, sizeof right);
        for (int64_t row = 0; row < Rows; ++row) {
          T element = lhs[row * rowStride + k * depthStride];
          Vector left;
          for (int64_t lane = 0; lane < panelWidth<T>; ++lane)
            left[lane] = element;
          if constexpr (std::is_floating_point_v<T>)
            acc[row] = __builtin_elementwise_fma(left, right, acc[row]);
          else
            acc[row] += left * right;
        }
      }
      if (next->end > end)
        break; // goes on in the next block
    }
    for (int64_t row = 0; row < Rows; ++row)
      total[row] = begin == 0 ? acc[row] : total[row] + acc[row];
  }
  for (int64_t row = 0; row < Rows; ++row)
    __builtin_memcpy(target + row * targetStride, &total[row],
                     static_cast<size_t>(width) * sizeof(T));
}

template <class T>
[[gnu::always_inline]] inline void
multiplyPanel(MatrixView<T> lhs, const T *panel, int64_t rows, int64_t depth,
              std::span<const Kept> kept, T *target, int64_t targetStride,
              int64_t width) {
  int64_t row = 0;
  for (; row + tileRows <= rows; row += tileRows)
    multiplyTile<T, tileRows>(lhs.data + row * lhs.rowStride, lhs.rowStride,
                              lhs.columnStride, panel, depth, kept,
                              target + row * targetStride, targetStride, width);
  for (; row < rows; ++row)
    multiplyTile<T, 1>(lhs.data + row * lhs.rowStride, lhs.rowStride,
                       lhs.columnStride, panel, depth, kept,
                       target + row * targetStride, targetStride, width);
}

#define KILN_PANEL(Variant, Target)                                            \
  struct Variant {                                                             \
    template <class T>                                                         \
    Target static void multiply(MatrixView<T> lhs, const T *panel,             \
                                int64_t rows, int64_t depth,                   \
                                std::span<const Kept> kept, T *target,         \
                                int64_t targetStride, int64_t width) {         \
      multiplyPanel(lhs, panel, rows, depth, kept, target, targetStride,       \
                    width);                                                    \
    }                                                                          \
  };
KILN_FOR_EACH_CPU_VARIANT(KILN_PANEL)
#undef KILN_PANEL

template <class T>
using PanelFunction = void (*)(MatrixView<T>, const T *, int64_t, int64_t,
                               std::span<const Kept>, T *, int64_t, int64_t);

template <class T> PanelFunction<T> panelFunction() {
  switch (cpuVariant()) {
#define KILN_SELECT(Variant, Target)                                           \
  case CpuVariant::Variant:                                                    \
    return &Variant::multiply<T>;
    KILN_FOR_EACH_CPU_VARIANT(KILN_SELECT)
#undef KILN_SELECT
  default:
    return &Plain::multiply<T>;
  }
}

/// Copies columns [begin, begin + width) as rows of panelWidth elements, the
/// rest zero.
template <class T>
void packPanel(MatrixView<T> rhs, int64_t begin, int64_t width, int64_t depth,
               T *panel) {
  for (int64_t k = 0; k < depth; ++k, panel += panelWidth<T>) {
    const T *source = rhs.data + k * rhs.rowStride + begin * rhs.columnStride;
    for (int64_t column = 0; column < width; ++column)
      panel[column] = source[column * rhs.columnStride];
    std::fill(panel + width, panel + panelWidth<T>, T(0));
  }
}

/// How the rows of a matrix, or its columns, lie in memory: numbered with the
/// index of the last loop running.
struct Walk {
  struct Loop {
    int64_t count, stride;
  };
  std::vector<Loop> loops;

  int64_t count() const {
    int64_t product = 1;
    for (const Loop &loop : loops)
      product *= loop.count;
    return product;
  }
  int64_t offsetOf(int64_t number) const {
    int64_t offset = 0;
    for (size_t i = loops.size(); i-- > 0;) {
      offset += number % loops[i].count * loops[i].stride;
      number /= loops[i].count;
    }
    return offset;
  }
  int64_t indexOf(size_t loop, int64_t number) const {
    return number / inside(loop) % loops[loop].count;
  }
  /// Elements to an index of this loop.
  int64_t inside(size_t loop) const {
    int64_t product = 1;
    for (size_t i = loop + 1; i < loops.size(); ++i)
      product *= loops[i].count;
    return product;
  }
};

/// Which products are left out: those of elements outside of [begin, end) along
/// a dimension of the image. Index i of a loop of the rows and index j of one
/// of K make first + i * rowStep + j * depthStep.
struct Padding {
  int64_t begin, end;
  int64_t first, rowStep, depthStep;
  size_t rowLoop, depthLoop;
};

/// What products are made of.
struct Factors {
  Walk rows, depth;      ///< of the left matrix
  int64_t leftBegin = 0; ///< where its first element lies
  int64_t columns = 0, batch = 1;
  bool isRightTransposed = false;
  std::vector<Padding> padding; ///< from outer to inner loops

  /// Rows that leave out the same.
  int64_t likeRows() const {
    return padding.empty() ? rows.count() : rows.inside(padding.back().rowLoop);
  }
  /// What this row does not leave out.
  KeptList keptOf(int64_t row) const {
    if (padding.empty())
      return KeptList(1, {0, depth.count()});
    auto isInside = [&](const Padding &of, int64_t index) {
      int64_t at = of.first + rows.indexOf(of.rowLoop, row) * of.rowStep +
                   index * of.depthStep;
      return at >= of.begin && at < of.end;
    };
    // The innermost loop has one stretch.
    const Padding &last = padding.back();
    const int64_t count = depth.loops[last.depthLoop].count,
                  size = depth.inside(last.depthLoop);
    int64_t low = 0, high = count;
    while (low < high && !isInside(last, low))
      ++low;
    while (low < high && !isInside(last, high - 1))
      --high;
    KeptList kept;
    for (int64_t i = 0, all = depth.count(); i < all; i += count * size) {
      bool isKept = low < high;
      for (size_t outer = 0; outer + 1 < padding.size(); ++outer)
        isKept &= isInside(padding[outer],
                           depth.indexOf(padding[outer].depthLoop, i));
      if (!isKept)
        continue;
      if (!kept.empty() && kept.back().end == i + low * size)
        kept.back().end = i + high * size;
      else
        kept.push_back({i + low * size, i + high * size});
    }
    return kept;
  }
};

/// The products of a batch, cut into parts that threads share: some rows of a
/// panel of one product.
template <class T> class Products {
public:
  Products(const Factors &factors, const Tensor &lhs, const Tensor &rhs,
           Tensor &result)
      : left(static_cast<const T *>(lhs.rawData()) + factors.leftBegin),
        right(static_cast<const T *>(rhs.rawData())),
        target(static_cast<T *>(result.mutableRawData())), factors(factors),
        rows(factors.rows.count()), columns(factors.columns),
        depth(factors.depth.count()), batch(factors.batch),
        isMatrix(factors.rows.loops.size() == 1 &&
                 factors.depth.loops.size() == 1) {
    for (int64_t i = 0; i < depth && !isMatrix; ++i)
      depthOffsets.push_back(factors.depth.offsetOf(i));
    panels = (columns + panelWidth<T> - 1) / panelWidth<T>;
    int64_t perRow = panelWidth<T> * std::max<int64_t>(depth, 1);
    int64_t wanted =
        std::max<int64_t>(leastParts / std::max<int64_t>(batch * panels, 1), 1);
    rowsOfPart = std::min((rows + wanted - 1) / wanted,
                          multiplicationsBetweenPolls / perRow);
    rowsOfPart = std::max(rowsOfPart, leastMultiplications / perRow);
    rowsOfPart = std::max((rowsOfPart + tileRows - 1) / tileRows * tileRows,
                          minPartRows);
    rowParts = (rows + rowsOfPart - 1) / rowsOfPart;
  }

  int64_t numParts() const { return batch * panels * rowParts; }
  /// A chunk is worth waking a thread for.
  int64_t grain() const {
    int64_t ofPart = std::min(rowsOfPart, rows) * panelElements();
    return leastShared / std::max<int64_t>(ofPart, 1) + 1;
  }
  int64_t panelElements() const { return depth * panelWidth<T>; }
  /// For a panel, and a tile of rows where those are written down.
  int64_t scratchElements() const {
    return depth * (panelWidth<T> + (isMatrix ? 0 : tileRows));
  }

  /// Computes parts [begin, end); `panel` is scratch.
  Status multiply(int64_t begin, int64_t end, T *panel,
                  const Interpreter &interpreter) const {
    PanelFunction<T> multiplyOne = panelFunction<T>();
    int64_t packed = -1, likeRows = std::max<int64_t>(factors.likeRows(), 1);
    KeptList kept = factors.keptOf(0);
    for (int64_t part = begin; part < end; ++part) {
      KILN_RETURN_IF_ERROR(interpreter.pollCancel());
      int64_t b = part / (panels * rowParts),
              column = part / rowParts % panels * panelWidth<T>,
              row = part % rowParts * rowsOfPart;
      int64_t width = std::min(panelWidth<T>, columns - column);
      if (packed != part / rowParts) {
        MatrixView<T> rhs = {right + b * depth * columns, columns, 1};
        if (factors.isRightTransposed)
          rhs = {rhs.data, 1, depth};
        packPanel(rhs, column, width, depth, panel);
        packed = part / rowParts;
      }
      int64_t rowsHere = std::min(rowsOfPart, rows - row);
      T *place = target + (b * rows + row) * columns + column;
      if (isMatrix) {
        const Walk::Loop &ofRows = factors.rows.loops[0];
        multiplyOne({left + b * rows * depth + row * ofRows.stride,
                     ofRows.stride, factors.depth.loops[0].stride},
                    panel, rowsHere, depth, kept, place, columns, width);
        continue;
      }
      T *written = panel + panelElements();
      for (int64_t i = 0, some = 0; i < rowsHere; i += some) {
        int64_t done = (row + i) % likeRows;
        some = std::min({tileRows, rowsHere - i, likeRows - done});
        if (!factors.padding.empty() && (i == 0 || done == 0))
          kept = factors.keptOf(row + i);
        for (int64_t j = 0; j < some; ++j)
          writeRow(row + i + j, written + j * depth);
        multiplyOne({written, depth, 1}, panel, some, depth, kept,
                    place + i * columns, columns, width);
      }
    }
    return okStatus();
  }

private:
  /// About 10 ms of work.
  static constexpr int64_t multiplicationsBetweenPolls = int64_t(1) << 27;
  /// What is worth packing a panel for, and sharing.
  static constexpr int64_t leastMultiplications = int64_t(1) << 18,
                           leastShared = int64_t(1) << 20;
  static constexpr int64_t minPartRows = 16 * tileRows;
  static constexpr int64_t leastParts = 16;

  void writeRow(int64_t row, T *to) const {
    const T *from = left + factors.rows.offsetOf(row);
    for (int64_t offset : depthOffsets)
      *to++ = from[offset];
  }

  const T *left, *right;
  T *target;
  const Factors &factors;
  int64_t rows, columns, depth, batch;
  bool isMatrix;
  std::vector<int64_t> depthOffsets; ///< where it is none
  int64_t panels, rowsOfPart, rowParts;
};

/// Binds the products of the op's operands.
Status evaluateProducts(const Op &op, const Factors &factors, const Tensor &lhs,
                        const Tensor &rhs, Tensor result,
                        Interpreter &interpreter) {
  Status status =
      dispatchNumber(result.dtype(), [&]<class Element>(Element) -> Status {
        using T = typename Arithmetic<Element>::Type;
        Products<T> products(factors, lhs, rhs, result);
        auto bytes =
            static_cast<size_t>(products.scratchElements()) * sizeof(T);
        std::atomic<bool> lacksMemory = false;
        interpreter.parallelFor(
            products.numParts(), products.grain(), /*isLeftOut=*/true,
            [&](int64_t begin, int64_t end) {
              BufferRef panel = allocateBuffer(bytes);
              if (!panel)
                lacksMemory = true;
              else // a stop is found below
                (void)products.multiply(
                    begin, end, static_cast<T *>(panel->data), interpreter);
            });
        if (lacksMemory)
          return outOfMemory(result.dtype(), Shape{products.scratchElements()},
                             bytes);
        return interpreter.poll();
      });
  KILN_RETURN_IF_ERROR(std::move(status));
  interpreter.bindOwned(interpreter.resultOf(op), std::move(result));
  return okStatus();
}

} // namespace

Status evaluateOp(const Op &op, const MatmulOp &matmul,
                  Interpreter &interpreter) {
  KILN_ASSIGN_OR_RETURN(Tensor lhs,
                        interpreter.dense(interpreter.operandOf(op, 0)));
  KILN_ASSIGN_OR_RETURN(Tensor rhs,
                        interpreter.dense(interpreter.operandOf(op, 1)));
  KILN_ASSIGN_OR_RETURN(Tensor result,
                        interpreter.allocateFor(interpreter.resultOf(op)));
  int64_t rows = result.dim(-2), depth = lhs.dim(matmul.transposeLhs ? -2 : -1);
  Factors factors;
  factors.rows.loops = {{rows, matmul.transposeLhs ? 1 : depth}};
  factors.depth.loops = {{depth, matmul.transposeLhs ? rows : 1}};
  factors.columns = result.dim(-1);
  for (int i = 0; i + 2 < result.rank(); ++i)
    factors.batch *= result.dim(i);
  factors.isRightTransposed = matmul.transposeRhs;
  return evaluateProducts(op, factors, lhs, rhs, std::move(result),
                          interpreter);
}

Status evaluateOp(const Op &op, const ConvolveOp &convolve,
                  Interpreter &interpreter) {
  KILN_ASSIGN_OR_RETURN(Tensor lhs,
                        interpreter.dense(interpreter.operandOf(op, 0)));
  KILN_ASSIGN_OR_RETURN(Tensor rhs,
                        interpreter.dense(interpreter.operandOf(op, 1)));
  KILN_ASSIGN_OR_RETURN(Tensor result,
                        interpreter.allocateFor(interpreter.resultOf(op)));
  const Tensor &places = convolve.transposed ? rhs : result,
               &filter = convolve.transposed ? result : rhs;
  std::span<const int64_t> strides =
                               interpreter.program.numbersOf(convolve.strides),
                           dilations = interpreter.program.numbersOf(
                               convolve.dilations);
  Factors factors;
  factors.columns = result.dim(-1);
  factors.depth.loops = {{lhs.dim(-1), 1}};
  int64_t step = lhs.dim(-1); // from one index of the dimension to the next
  for (int i = static_cast<int>(strides.size()); i-- > 0;) {
    auto at = static_cast<size_t>(i);
    factors.rows.loops.insert(factors.rows.loops.begin(),
                              {places.dim(i + 1), step * strides[at]});
    factors.depth.loops.insert(factors.depth.loops.begin(),
                               {filter.dim(i), step * dilations[at]});
    if (dilations[at] < 0) // from its last element on
      factors.leftBegin -=
          std::max<int64_t>(filter.dim(i) - 1, 0) * step * dilations[at];
    step *= lhs.dim(i + 1);
  }
  factors.rows.loops.insert(factors.rows.loops.begin(), {lhs.dim(0), step});
  // [low, high] of the first dimension, and perhaps of the last.
  std::span<const int64_t> padded =
      interpreter.program.numbersOf(convolve.padded);
  for (size_t i = 0; i + 1 < padded.size(); i += 2) {
    const size_t dim = i == 0 ? 0 : strides.size() - 1;
    const int64_t tap = dilations[dim],
                  extent = lhs.dim(static_cast<int>(dim) + 1),
                  taps = filter.dim(static_cast<int>(dim));
    factors.padding.push_back(
        {.begin = padded[i],
         .end = extent - padded[i + 1],
         .first = tap < 0 ? -tap * std::max<int64_t>(taps - 1, 0) : 0,
         .rowStep = strides[dim],
         .depthStep = tap,
         .rowLoop = dim + 1,
         .depthLoop = dim});
  }
  if (convolve.transposed) {
    std::swap(factors.rows, factors.depth);
    for (Padding &of : factors.padding) {
      std::swap(of.rowStep, of.depthStep);
      std::swap(of.rowLoop, of.depthLoop);
    }
  }
  return evaluateProducts(op, factors, lhs, rhs, std::move(result),
                          interpreter);
}

} // namespace kiln::eval
