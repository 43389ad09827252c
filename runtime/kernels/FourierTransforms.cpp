// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fourier transforms along the last dimensions of tensors: of complex numbers,
// and between real numbers and the half of a spectrum that tells the other. Two
// sequences of real numbers are transformed as the parts of one.
#include "lib/Support/DataMemory.h"
#include "lib/Support/Strings.h"
#include "runtime/fourier/Butterflies.h"
#include "runtime/kernels/KernelCall.h"
#include "runtime/kernels/Kernels.h"
#include "runtime/threads/ThreadPool.h"

#include <algorithm>
#include <array>

namespace kiln {
namespace {

using fourier::loops;
using fourier::Plan;
using fourier::Split;

constexpr size_t maxRank = 3;
/// Plans have roots of unity for all of it, and lengths are multiplied.
constexpr int64_t longestTransform = int64_t(1) << 28;
/// Columns that are transformed at once.
constexpr int64_t tileColumns = 16;
/// Rows of as many bytes a part are faster so: of 65,536 complex64 in rows of
/// 16 in 79 us, not 239, in rows of 128 in 103, not 119, and of 256 slower
/// (busy Sapphire Rapids, 30 November 2026).
constexpr int64_t mostShortBytes = 512;
/// What a thread takes at once, in numbers.
constexpr int64_t numbersPerChunk = int64_t(1) << 14;

/// Memory for one transform of `lanes` sequences; false without memory.
template <class T> class Scratch {
public:
  Scratch(const Plan<T> &plan, int64_t lanes) {
    const int64_t own = plan.length() * lanes, more = plan.scratchSize(lanes);
    bytes = static_cast<size_t>(2 * (own + more)) * sizeof(T);
    data = static_cast<T *>(allocateData(64, bytes));
    x = {data, data + own};
    rest = {data + 2 * own, data + 2 * own + more};
  }
  ~Scratch() {
    if (data)
      freeData(data);
  }
  Scratch(const Scratch &) = delete;
  Scratch &operator=(const Scratch &) = delete;
  explicit operator bool() const { return data != nullptr; }

  size_t bytes;
  Split<T> x, rest;

private:
  T *data;
};

template <class T> Split<T> exchanged(Split<T> x) { return {x.imag, x.real}; }

template <class T> class Transform {
public:
  explicit Transform(const KernelCall &call)
      : call(call), rank(static_cast<size_t>(call.number(0))),
        isInverse(call.number(1) != 0) {}

  /// As a kernel returns.
  int32_t run(bool fromReal, bool toReal) {
    if (!takeLengths(fromReal, toReal))
      return 1;
    if (call.outputElements(0) == 0)
      return 0;
    if (call.inputElements(0) == 0) {
      // TensorFlow gives what is in memory.
      std::fill_n(call.output<T>(0), call.outputElements(0) * (toReal ? 1 : 2),
                  T(0));
      return 0;
    }
    for (size_t k = 0; k < rank; ++k)
      if (!(plans[k] = Plan<T>::of(lengths[k])))
        return !call.fail(ErrorKind::OutOfMemory,
                          lengths[k] * int64_t(sizeof(T)));
    if (fromReal)
      return forward();
    return toReal ? backward()
                  : both(call.input<T>(0), call.output<T>(0),
                         lastExtent(call.outputDims(0)), rank);
  }

private:
  static int64_t lastExtent(std::span<const int64_t> dims) {
    return dims.back();
  }

  /// The lengths of the transforms, and how many there are. Errors are the
  /// kernel's.
  bool takeLengths(bool fromReal, bool toReal) {
    std::span<const int64_t> in = call.inputDims(0), out = call.outputDims(0);
    const size_t first = in.size() - rank;
    batches = 1;
    for (size_t i = 0; i < first; ++i)
      batches *= in[i];
    for (size_t k = 0; k < rank; ++k) {
      lengths[k] = fromReal ? call.input<int32_t>(1)[k] : out[first + k];
      const bool isHalved = toReal && k + 1 == rank;
      const int64_t needed =
          isHalved && lengths[k] > 0 ? lengths[k] / 2 + 1 : lengths[k];
      if (lengths[k] < 0)
        return call.fail(invalidArgumentError(
            strCat("fft_length[", k, "] must >= 0, but got: ", lengths[k])));
      if (in[first + k] != 0 && in[first + k] < needed)
        return call.fail(invalidArgumentError(strCat(
            "Input dimension ", first + k, " must have length of at least ",
            needed, " but got: ", in[first + k])));
      if (lengths[k] > longestTransform)
        return call.fail(invalidArgumentError(
            strCat("expected a transform of at most ", longestTransform,
                   " numbers, got ", lengths[k])));
    }
    return true;
  }

  T scale() const {
    double product = 1;
    for (size_t k = 0; k < rank; ++k)
      product *= static_cast<double>(lengths[k]);
    return isInverse ? static_cast<T>(1 / product) : T(1);
  }

  /// Calls body(begin, end) for parts of [0, count), of which each is `size`
  /// numbers.
  template <class Body>
  bool inParallel(int64_t count, int64_t size, Body body) {
    struct Context {
      Body &body;
    } context{body};
    const int64_t grain =
        std::max<int64_t>(1, numbersPerChunk / std::max<int64_t>(size, 1));
    return ThreadPool::process().parallelFor(
        [](void *raw, int64_t begin, int64_t end) {
          static_cast<Context *>(raw)->body(begin, end);
        },
        &context, count, grain, call.state(), call.context().maxThreads);
  }

  bool outOfMemory(const Scratch<T> &scratch) const {
    return call.fail(ErrorKind::OutOfMemory,
                     static_cast<int64_t>(scratch.bytes));
  }

  /// Rows of few numbers, some at once: transposed, they are columns.
  bool alongShortRows(const Plan<T> &plan, const T *in, T *out, int64_t rows,
                      T factor) {
    const int64_t n = plan.length();
    const int64_t tiles = (rows + tileColumns - 1) / tileColumns;
    return inParallel(tiles, n * tileColumns, [&](int64_t begin, int64_t end) {
      Scratch<T> scratch(plan, tileColumns);
      if (!scratch)
        return void(outOfMemory(scratch));
      for (int64_t tile = begin; tile < end; ++tile) {
        const int64_t row = tile * tileColumns;
        const int64_t count = std::min(tileColumns, rows - row);
        loops<T>().split(in + 2 * row * n,
                         isInverse ? exchanged(scratch.rest) : scratch.rest,
                         count * n);
        loops<T>().transpose(scratch.rest, scratch.x, count, n);
        Split<T> made = plan.run(scratch.x, scratch.rest, count);
        Split<T> other = made.real == scratch.x.real ? scratch.rest : scratch.x;
        loops<T>().transpose(made, other, n, count);
        loops<T>().join(isInverse ? exchanged(other) : other, out + 2 * row * n,
                        count * n, factor);
      }
    });
  }

  /// Rows of one sequence each, from `in` to `out`, which may be the same.
  bool alongRows(const Plan<T> &plan, const T *in, T *out, int64_t rows,
                 T factor) {
    const int64_t n = plan.length();
    if (n * static_cast<int64_t>(sizeof(T)) <= mostShortBytes && rows > 1)
      return alongShortRows(plan, in, out, rows, factor);
    return inParallel(rows, n, [&](int64_t begin, int64_t end) {
      Scratch<T> scratch(plan, 1);
      if (!scratch)
        return void(outOfMemory(scratch));
      Split<T> x = isInverse ? exchanged(scratch.x) : scratch.x;
      for (int64_t row = begin; row < end; ++row) {
        loops<T>().split(in + 2 * row * n, x, n);
        Split<T> made = plan.run(scratch.x, scratch.rest, 1);
        loops<T>().join(isInverse ? exchanged(made) : made, out + 2 * row * n,
                        n, factor);
      }
    });
  }

  /// Columns of [outer, length, inner], some at once.
  bool alongColumns(const Plan<T> &plan, const T *in, T *out, int64_t outer,
                    int64_t inner, T factor) {
    const int64_t n = plan.length();
    const int64_t tiles = (inner + tileColumns - 1) / tileColumns;
    return inParallel(
        outer * tiles, n * tileColumns, [&](int64_t begin, int64_t end) {
          Scratch<T> scratch(plan, tileColumns);
          if (!scratch)
            return void(outOfMemory(scratch));
          for (int64_t tile = begin; tile < end; ++tile) {
            const int64_t column = tile % tiles * tileColumns;
            const int64_t width = std::min(tileColumns, inner - column);
            const int64_t at = 2 * (tile / tiles * n * inner + column);
            Split<T> x = isInverse ? exchanged(scratch.x) : scratch.x;
            for (int64_t k = 0; k < n; ++k)
              loops<T>().split(in + at + 2 * k * inner,
                               {x.real + k * width, x.imag + k * width}, width);
            Split<T> made = plan.run(scratch.x, scratch.rest, width);
            if (isInverse)
              made = exchanged(made);
            for (int64_t k = 0; k < n; ++k)
              loops<T>().join({made.real + k * width, made.imag + k * width},
                              out + at + 2 * k * inner, width, factor);
          }
        });
  }

  /// Of complex numbers, along the first `axes` of the transformed dimensions,
  /// the last of which has `last` numbers.
  int32_t both(const T *in, T *out, int64_t last, size_t axes) {
    T factor = scale();
    for (size_t k = axes; k-- > 0;) {
      int64_t outer = batches, inner = k + 1 < rank ? last : 1;
      for (size_t i = 0; i < k; ++i)
        outer *= lengths[i];
      for (size_t i = k + 1; i + 1 < rank; ++i)
        inner *= lengths[i];
      const bool done =
          inner == 1 ? alongRows(*plans[k], in, out, outer, factor)
                     : alongColumns(*plans[k], in, out, outer, inner, factor);
      if (!done || mustStop(call.state()))
        return 1;
      in = out;
      factor = 1;
    }
    return 0;
  }

  /// Where row `row` of what is transformed begins among the rows of the input,
  /// of which the transformed dimensions may be longer.
  int64_t inputRow(int64_t row) const {
    std::span<const int64_t> dims = call.inputDims(0);
    const size_t first = dims.size() - rank;
    int64_t place = 0, stride = 1;
    for (size_t k = rank - 1; k-- > 0;) {
      place += row % lengths[k] * stride;
      row /= lengths[k];
      stride *= dims[first + k];
    }
    return place + row * stride;
  }

  int64_t numRows() const {
    int64_t rows = batches;
    for (size_t k = 0; k + 1 < rank; ++k)
      rows *= lengths[k];
    return rows;
  }

  int32_t forward() {
    const T *in = call.input<T>(0);
    T *out = call.output<T>(0);
    const Plan<T> &plan = *plans[rank - 1];
    const int64_t n = plan.length(), half = n / 2 + 1, rows = numRows(),
                  extent = call.inputDims(0).back();
    const bool done =
        inParallel((rows + 1) / 2, 2 * n, [&](int64_t begin, int64_t end) {
          Scratch<T> scratch(plan, 1);
          if (!scratch)
            return void(outOfMemory(scratch));
          for (int64_t pair = begin; pair < end; ++pair) {
            const bool isAlone = 2 * pair + 1 == rows;
            std::copy_n(in + inputRow(2 * pair) * extent, n, scratch.x.real);
            if (isAlone)
              std::fill_n(scratch.x.imag, n, T(0));
            else
              std::copy_n(in + inputRow(2 * pair + 1) * extent, n,
                          scratch.x.imag);
            Split<T> z = plan.run(scratch.x, scratch.rest, 1);
            T *first = out + 4 * pair * half;
            separate(z, n, first, isAlone ? nullptr : first + 2 * half);
          }
        });
    if (!done || mustStop(call.state()))
      return 1;
    return both(out, out, half, rank - 1);
  }

  /// The spectra of the real and the imaginary parts that z is that of.
  static void separate(const Split<T> &z, int64_t n, T *first, T *second) {
    for (int64_t k = 0; k < n / 2 + 1; ++k) {
      const int64_t other = k == 0 ? 0 : n - k;
      first[2 * k] = (z.real[k] + z.real[other]) / 2;
      first[2 * k + 1] = (z.imag[k] - z.imag[other]) / 2;
      if (!second)
        continue;
      second[2 * k] = (z.imag[k] + z.imag[other]) / 2;
      second[2 * k + 1] = (z.real[other] - z.real[k]) / 2;
    }
  }

  int32_t backward() {
    const int64_t half = lengths[rank - 1] / 2 + 1, rows = numRows();
    if (rank == 1)
      return toRealRows(call.input<T>(0), call.inputDims(0).back());
    // What is needed of the spectrum, transformed along the other dimensions.
    const T *in = call.input<T>(0);
    const int64_t extent = call.inputDims(0).back();
    const auto bytes = static_cast<size_t>(2 * rows * half) * sizeof(T);
    T *spectrum = static_cast<T *>(allocateData(64, bytes));
    if (!spectrum)
      return !call.fail(ErrorKind::OutOfMemory, static_cast<int64_t>(bytes));
    for (int64_t row = 0; row < rows; ++row)
      std::copy_n(in + 2 * inputRow(row) * extent, 2 * half,
                  spectrum + 2 * row * half);
    int32_t result = both(spectrum, spectrum, half, rank - 1);
    if (result == 0)
      result = toRealRows(spectrum, half);
    freeData(spectrum);
    return result;
  }

  /// Rows of `extent` complex numbers each to real ones.
  int32_t toRealRows(const T *in, int64_t extent) {
    const Plan<T> &plan = *plans[rank - 1];
    const int64_t n = plan.length(), rows = numRows();
    T *out = call.output<T>(0);
    // The other dimensions have been scaled.
    const T factor = rank == 1 ? scale() : T(1);
    const bool done =
        inParallel((rows + 1) / 2, 2 * n, [&](int64_t begin, int64_t end) {
          Scratch<T> scratch(plan, 1);
          if (!scratch)
            return void(outOfMemory(scratch));
          for (int64_t pair = begin; pair < end; ++pair) {
            const bool isAlone = 2 * pair + 1 == rows;
            const T *first = in + 4 * pair * extent;
            joinSpectra(first, isAlone ? nullptr : first + 2 * extent, n,
                        exchanged(scratch.x));
            Split<T> z = exchanged(plan.run(scratch.x, scratch.rest, 1));
            for (int64_t i = 0; i < n; ++i)
              out[2 * pair * n + i] = z.real[i] * factor;
            for (int64_t i = 0; !isAlone && i < n; ++i)
              out[(2 * pair + 1) * n + i] = z.imag[i] * factor;
          }
        });
    return !done || mustStop(call.state());
  }

  /// The spectrum of the complex numbers of which two halves of spectra tell
  /// the parts. What has no opposite counts as real.
  static void joinSpectra(const T *first, const T *second, int64_t n,
                          const Split<T> &z) {
    for (int64_t k = 0; k < n / 2 + 1; ++k) {
      const int64_t other = k == 0 ? 0 : n - k;
      const bool isReal = other == k || k == 0;
      const T ar = first[2 * k], ai = isReal ? T(0) : first[2 * k + 1];
      const T br = second ? second[2 * k] : T(0),
              bi = second && !isReal ? second[2 * k + 1] : T(0);
      z.real[k] = ar - bi;
      z.imag[k] = ai + br;
      if (isReal)
        continue;
      z.real[other] = ar + bi;
      z.imag[other] = br - ai;
    }
  }

  const KernelCall &call;
  const size_t rank;
  const bool isInverse;
  int64_t batches = 1;
  std::array<int64_t, maxRank> lengths = {};
  std::array<std::shared_ptr<const Plan<T>>, maxRank> plans;
};

/// x [..., lengths] -> of its shape, complex numbers as integers of their size;
/// or x, lengths : i32 -> between real and complex numbers; [rank, isInverse]
int32_t fourierTransform(const KilnKernelCall *raw) noexcept {
  KernelCall call(raw);
  auto isReal = [](DType dtype) {
    return dtype == DType::Float32 || dtype == DType::Float64;
  };
  const DType from = call.inputDType(0), to = call.outputDType(0);
  const bool isSingle = from == DType::Float32 || from == DType::Int64;
  return isSingle ? Transform<float>(call).run(isReal(from), isReal(to))
                  : Transform<double>(call).run(isReal(from), isReal(to));
}

} // namespace

std::vector<Kernel> fourierTransformKernels() {
  return {{"FourierTransform", fourierTransform}};
}

} // namespace kiln
