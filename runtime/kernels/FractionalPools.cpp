// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pools whose windows are of two sizes, in a random order, and what flows back
// through them.
#include "lib/Support/DTypeDispatch.h"
#include "lib/Support/Strings.h"
#include "runtime/kernels/KernelCall.h"
#include "runtime/kernels/Kernels.h"
#include "runtime/kernels/WordSource.h"
#include "runtime/random/Philox.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <new>
#include <optional>
#include <type_traits>
#include <vector>

namespace kiln {
namespace {

/// The numbers that a pool is called with.
enum Number {
  stream, ///< below 0 where the seeds tell all
  seed,
  seed2,
  isPseudoRandom,
  overlaps,
  takesLargest,
  rowRatio, ///< the bits of a float, as the next
  columnRatio,
  findsSizes, ///< the outputs' sizes, which are bound then
};

/// The random numbers of one call, in the order in which TensorFlow takes them.
class Draws {
public:
  explicit Draws(const KernelCall &call)
      : call(call),
        state(random::initPhilox(static_cast<uint64_t>(call.number(seed)),
                                 static_cast<uint64_t>(call.number(seed2)))) {}

  WordSource take(int64_t count) {
    const int64_t samples = (count + 3) / 4;
    if (call.number(stream) >= 0)
      return WordSource::take(call, samples);
    const WordSource words(state);
    random::skip(state, static_cast<uint64_t>(samples));
    return words;
  }

private:
  const KernelCall &call;
  random::PhiloxState state;
};

/// The sizes of `count` windows of a dimension.
std::vector<int64_t> windowSizes(int64_t extent, int64_t count, bool isPseudo,
                                 Draws &draws) {
  const int64_t least = extent / count;
  std::vector<int64_t> sizes(static_cast<size_t>(count), least);
  if (!isPseudo) {
    std::fill_n(sizes.begin(), extent % count, least + 1);
    WordSource words = draws.take(count);
    for (size_t i = 0; i + 1 < sizes.size(); ++i)
      std::swap(
          sizes[i],
          sizes[i + words.below(static_cast<uint32_t>(sizes.size() - i))]);
    return sizes;
  }
  const double alpha = static_cast<double>(extent) / static_cast<double>(count);
  const double most = std::min(static_cast<double>(least + 2) / alpha - 1,
                               static_cast<double>(extent + 1 - least) / alpha -
                                   static_cast<double>(count - 1));
  const double u = draws.take(2).unitDouble() * most;
  int64_t from = 1;
  for (int64_t i = 0; i < count; ++i) {
    const int64_t to = i + 1 == count
                           ? extent + 1
                           : static_cast<int64_t>(std::ceil(
                                 alpha * (static_cast<double>(i + 1) + u)));
    sizes[static_cast<size_t>(i)] = to - from;
    from = to;
  }
  return sizes;
}

/// Where the windows begin, and where the last one ends.
void writeBegins(const std::vector<int64_t> &sizes, int64_t *begins) {
  *begins = 0;
  for (int64_t size : sizes) {
    begins[1] = begins[0] + size;
    ++begins;
  }
}

/// Images [batch, rows, columns, depth] and the windows of their pool.
struct Windows {
  int64_t batch, rows, columns, depth;
  int64_t outRows, outColumns;
  const int64_t *rowBegins, *columnBegins;
  bool overlaps;

  /// Behind the last place of window i.
  int64_t end(const int64_t *begins, int64_t i, int64_t extent) const {
    return std::min(begins[i + 1] + overlaps, extent);
  }
  /// Calls use(window, from, to, left, right) for each window of an image.
  template <class Use> void forEach(Use use) const {
    for (int64_t i = 0; i < outRows; ++i)
      for (int64_t j = 0; j < outColumns; ++j)
        use(i * outColumns + j, rowBegins[i], end(rowBegins, i, rows),
            columnBegins[j], end(columnBegins, j, columns));
  }
  int64_t imageSize() const { return rows * columns * depth; }
  int64_t pooledSize() const { return outRows * outColumns * depth; }
};

template <class T>
void poolImage(const Windows &w, const T *image, T *out, bool takesLargest) {
  w.forEach([&](int64_t window, int64_t from, int64_t to, int64_t left,
                int64_t right) {
    T *to0 = out + window * w.depth;
    for (int64_t d = 0; d < w.depth; ++d) {
      bool isFirst = true;
      T result = T(0);
      for (int64_t y = from; y < to; ++y)
        for (int64_t x = left; x < right; ++x) {
          const T value = image[(y * w.columns + x) * w.depth + d];
          if (!takesLargest)
            result = T(result + value);
          else if (isFirst || result < value)
            result = value;
          isFirst = false;
        }
      const int64_t count = (to - from) * (right - left);
      to0[d] =
          takesLargest ? result : T(result / T(std::max<int64_t>(count, 1)));
    }
  });
}

int64_t pooledExtent(int64_t extent, int64_t bits) {
  const auto ratio = std::bit_cast<float>(static_cast<uint32_t>(bits));
  return static_cast<int64_t>(std::floor(static_cast<float>(extent) / ratio));
}

template <class T> int32_t pool(const KernelCall &call) {
  const auto dims = call.inputDims(0);
  Windows w{.batch = dims[0],
            .rows = dims[1],
            .columns = dims[2],
            .depth = dims[3],
            .outRows = pooledExtent(dims[1], call.number(rowRatio)),
            .outColumns = pooledExtent(dims[2], call.number(columnRatio)),
            .rowBegins = nullptr,
            .columnBegins = nullptr,
            .overlaps = call.number(overlaps) != 0};
  for (size_t i = 0; i < 4; ++i) {
    const bool isOuter = i == 0 || i == 3;
    const float ratio =
        isOuter ? 1
                : std::bit_cast<float>(static_cast<uint32_t>(
                      call.number(i == 1 ? rowRatio : columnRatio)));
    if (static_cast<float>(dims[i]) < ratio)
      return !call.fail(invalidArgumentError(strCat(
          "Pooling ratio is higher than input dimension size for dimension ", i,
          ". Input dim size: ", dims[i], " pooling ratio: ", ratio)));
  }
  if (call.number(findsSizes) != 0) {
    call.bind(0, w.outRows);
    call.bind(1, w.outColumns);
    call.bind(2, w.outRows + 1);
    call.bind(3, w.outColumns + 1);
    for (int i = 0; i < 3; ++i)
      if (!call.allocate(i))
        return 1;
  }
  Draws draws(call);
  const bool isPseudo = call.number(isPseudoRandom) != 0;
  writeBegins(windowSizes(w.rows, w.outRows, isPseudo, draws),
              call.output<int64_t>(1));
  writeBegins(windowSizes(w.columns, w.outColumns, isPseudo, draws),
              call.output<int64_t>(2));
  w.rowBegins = call.output<int64_t>(1);
  w.columnBegins = call.output<int64_t>(2);
  return call.forEach(w.batch, [&](int64_t b) {
    poolImage(w, call.input<T>(0) + b * w.imageSize(),
              call.output<T>(0) + b * w.pooledSize(),
              call.number(takesLargest) != 0);
    return !mustStop(call.state());
  });
}

/// What a pool or its gradient of each dtype does; OutOfMemory where a list
/// finds none.
template <class Body>
int32_t dispatch(const KernelCall &call, DType dtype, Body &&body) noexcept {
  try {
    switch (dtype) {
    case DType::Float32:
      return body(float());
    case DType::Float64:
      return body(double());
    case DType::Int32:
      return body(int32_t());
    default:
      return body(int64_t());
    }
  } catch (const std::bad_alloc &) {
    return !call.fail(ErrorKind::OutOfMemory, 0);
  }
}

/// images -> their pool, where its windows begin in the rows and columns; the
/// numbers of Number
int32_t fractionalPool(const KilnKernelCall *raw) noexcept {
  KernelCall call(raw);
  return dispatch(call, call.inputDType(0),
                  [&]<class T>(T) { return pool<T>(call); });
}

/// A sum as an element; an integer that is out of range is the smallest one.
template <class T> T elementOf(double sum) {
  if constexpr (std::is_integral_v<T>) {
    constexpr auto low = static_cast<double>(std::numeric_limits<T>::min());
    return sum >= low && sum < -low ? static_cast<T>(sum)
                                    : std::numeric_limits<T>::min();
  } else {
    return static_cast<T>(sum);
  }
}

/// Whether a sequence says where so many windows of a dimension begin.
bool checkBegins(const KernelCall &call, int input, int64_t count,
                 int64_t extent, std::string_view name) {
  const auto *begins = call.input<int64_t>(input);
  const int64_t length = call.inputElements(input);
  if (length <= count)
    return call.fail(invalidArgumentError(
        strCat("Given out_backprop of ", count, " ", name, ", ", name,
               "_pooling_sequence must have at least ", count + 1,
               " elements, but got ", length)));
  for (int64_t i = 0; i <= count; ++i)
    if (begins[i] < 0 || begins[i] > extent ||
        (i > 0 && begins[i] < begins[i - 1]))
      return call.fail(invalidArgumentError(
          strCat("expected ", name, "_pooling_sequence to rise within [0, ",
                 extent, "], got ", begins[i], " at place ", i)));
  return true;
}

/// Images of these dims, and the windows that inputs `first` and the one
/// behind it say.
std::optional<Windows> windowsBack(const KernelCall &call,
                                   std::span<const int64_t> dims,
                                   std::span<const int64_t> pooled, int first) {
  if (!checkBegins(call, first, pooled[1], dims[1], "row") ||
      !checkBegins(call, first + 1, pooled[2], dims[2], "col"))
    return std::nullopt;
  return Windows{.batch = dims[0],
                 .rows = dims[1],
                 .columns = dims[2],
                 .depth = dims[3],
                 .outRows = pooled[1],
                 .outColumns = pooled[2],
                 .rowBegins = call.input<int64_t>(first),
                 .columnBegins = call.input<int64_t>(first + 1),
                 .overlaps = call.number(0) != 0};
}

template <class T>
bool maxBack(const KernelCall &call, const Windows &w, const T *image,
             const T *pooled, const T *grad, T *out) {
  bool isSame = true;
  w.forEach([&](int64_t window, int64_t from, int64_t to, int64_t left,
                int64_t right) {
    for (int64_t d = 0; d < w.depth; ++d) {
      int64_t best = -1;
      for (int64_t y = from; y < to; ++y)
        for (int64_t x = left; x < right; ++x) {
          const int64_t at = (y * w.columns + x) * w.depth + d;
          if (best < 0 || image[best] < image[at])
            best = at;
        }
      if (best < 0)
        continue;
      isSame &= image[best] == pooled[window * w.depth + d];
      out[best] = T(out[best] + grad[window * w.depth + d]);
    }
  });
  return isSame || call.fail(invalidArgumentError(
                       "tensor_out_dup is not the same as tensor_out"));
}

/// images, their pool, its gradient, where windows begin -> what flows back, to
/// the first largest element of each window; [whether windows overlap]
int32_t fractionalMaxPoolGrad(const KilnKernelCall *raw) noexcept {
  KernelCall call(raw);
  return dispatch(call, call.inputDType(0), [&]<class T>(T) -> int32_t {
    const auto w =
        windowsBack(call, call.inputDims(0), call.inputDims(2), /*first=*/3);
    if (!w)
      return 1;
    T *out = call.output<T>(0);
    std::fill_n(out, w->batch * w->imageSize(), T(0));
    return call.forEach(w->batch, [&](int64_t b) {
      const int64_t image = b * w->imageSize(), pooled = b * w->pooledSize();
      return maxBack(call, *w, call.input<T>(0) + image,
                     call.input<T>(1) + pooled, call.input<T>(2) + pooled,
                     out + image) &&
             !mustStop(call.state());
    });
  });
}

/// The gradient of a pool, where windows begin -> what flows back, in equal
/// parts; [whether windows overlap]
int32_t fractionalAvgPoolGrad(const KilnKernelCall *raw) noexcept {
  KernelCall call(raw);
  return dispatch(call, call.inputDType(0), [&]<class T>(T) -> int32_t {
    const auto w =
        windowsBack(call, call.outputDims(0), call.inputDims(0), /*first=*/1);
    if (!w)
      return 1;
    // Integers, too, are added up in parts of one.
    std::vector<double> image(static_cast<size_t>(w->imageSize()));
    return call.forEach(w->batch, [&](int64_t b) {
      const T *grad = call.input<T>(0) + b * w->pooledSize();
      std::ranges::fill(image, 0.0);
      w->forEach([&](int64_t window, int64_t from, int64_t to, int64_t left,
                     int64_t right) {
        const int64_t count = (to - from) * (right - left);
        for (int64_t y = from; y < to; ++y)
          for (int64_t x = left; x < right; ++x)
            for (int64_t d = 0; d < w->depth; ++d) {
              const int64_t at = (y * w->columns + x) * w->depth + d;
              image[static_cast<size_t>(at)] +=
                  static_cast<double>(grad[window * w->depth + d]) /
                  static_cast<double>(count);
            }
      });
      std::ranges::transform(image, call.output<T>(0) + b * w->imageSize(),
                             [](double sum) { return elementOf<T>(sum); });
      return !mustStop(call.state());
    });
  });
}

} // namespace

std::vector<Kernel> fractionalPoolKernels() {
  // A run that begins again draws the same numbers again.
  return {{"FractionalPool", fractionalPool, /*hasEffects=*/true,
           /*mayFail=*/true, /*effectsEndWithRun=*/true},
          {"FractionalAvgPoolGrad", fractionalAvgPoolGrad},
          {"FractionalMaxPoolGrad", fractionalMaxPoolGrad}};
}

} // namespace kiln
