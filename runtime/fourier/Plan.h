// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Discrete Fourier transforms of one length.
//
// Numbers lie in two arrays, real and imaginary parts, so that all loops are
// over contiguous numbers of one kind. Several sequences are transformed at
// once, element k of sequence j at [k * lanes + j]. A long sequence on its own
// is a matrix of about as many rows as columns: its columns are transformed at
// once, turned by powers of a root of unity, and then what were its rows.
#ifndef KILN_RUNTIME_FOURIER_PLAN_H
#define KILN_RUNTIME_FOURIER_PLAN_H

#include <complex>
#include <cstdint>
#include <memory>
#include <vector>

namespace kiln::fourier {

/// Real and imaginary parts.
template <class T> struct Split {
  T *real, *imag;
};

/// The factors and roots of unity of one length, at most 2^30. **Thread
/// safety**: constant once made.
template <class T> class Plan {
public:
  /// The plan of a length of at least 1. **Ownership**: shared with a cache of
  /// the process, of a bounded number of them. **Cost**: on first use, roots of
  /// unity for each element. Null where there is no memory.
  static std::shared_ptr<const Plan> of(int64_t length) noexcept;

  explicit Plan(int64_t length);

  int64_t length() const { return size; }
  /// How many numbers each part of `scratch` has, for so many lanes.
  int64_t scratchSize(int64_t lanes) const;

  /// Sums x[k] exp(-2 pi i j k / length) for each j, without a factor, and
  /// returns which of x and scratch has them; both are overwritten. With the
  /// parts of x exchanged the exponent is positive, and those of the result are
  /// exchanged.
  Split<T> run(Split<T> x, Split<T> scratch, int64_t lanes) const;

private:
  Split<T> runStages(Split<T> x, Split<T> scratch, int64_t lanes) const;
  Split<T> runMatrix(Split<T> x, Split<T> scratch) const;
  Split<T> runConvolution(Split<T> x, Split<T> scratch, int64_t lanes) const;
  void makeStages(const std::vector<int> &factors);
  void makeMatrix(int64_t height);
  void makeConvolution();

  /// One factor of the length: where there are `rows` times it left.
  struct Stage {
    int factor = 1;
    int64_t rows = 1;
    /// Powers 1 to factor - 1 of the root of each row; of a factor that has no
    /// formula of its own, also all its roots.
    std::vector<T> real, imag, rootsReal, rootsImag;
  };

  int64_t size;
  std::vector<Stage> stages;
  // Of a long sequence: the plans of its columns and rows, and their turns.
  std::shared_ptr<const Plan> columns, rows;
  std::vector<T> turnsReal, turnsImag;
  // Of a length with a large prime factor: the convolution's length, what is
  // multiplied before and after, and the transform of what is convolved with.
  std::shared_ptr<const Plan> convolution;
  std::vector<T> chirpReal, chirpImag, kernelReal, kernelImag;
};

} // namespace kiln::fourier

#endif // KILN_RUNTIME_FOURIER_PLAN_H
