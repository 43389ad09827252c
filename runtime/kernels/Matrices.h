// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Batches of matrices as Eigen sees them.
#ifndef KILN_RUNTIME_KERNELS_MATRICES_H
#define KILN_RUNTIME_KERNELS_MATRICES_H

#include "runtime/kernels/KernelCall.h"

#include <Eigen/Core>

#include <complex>
#include <new>

namespace kiln {

template <class T>
using RowMatrix =
    Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
template <class T> using ConstMatrixMap = Eigen::Map<const RowMatrix<T>>;
template <class T> using MatrixMap = Eigen::Map<RowMatrix<T>>;

/// The extents of the matrices of a tensor [..., rows, columns].
struct MatrixDims {
  explicit MatrixDims(std::span<const int64_t> dims) noexcept
      : rows(dims[dims.size() - 2]), columns(dims.back()) {
    for (int64_t dim : dims.first(dims.size() - 2))
      count *= dim;
  }
  int64_t elements() const noexcept { return rows * columns; }

  int64_t count = 1, rows, columns;
};

template <class T>
ConstMatrixMap<T> inputMatrix(const KernelCall &call, int i, int64_t k) {
  const MatrixDims dims(call.inputDims(i));
  return {call.input<T>(i) + k * dims.elements(), dims.rows, dims.columns};
}
template <class T>
MatrixMap<T> outputMatrix(const KernelCall &call, int i, int64_t k) {
  const MatrixDims dims(call.outputDims(i));
  return {call.output<T>(i) + k * dims.elements(), dims.rows, dims.columns};
}

/// Calls body(k) for each matrix of input 0 until it returns false or the run
/// is to stop, which is seen between two matrices. Returns what a kernel does.
/// Eigen's temporary matrices may find no memory.
template <class Body>
int32_t forEachMatrix(const KernelCall &call, Body &&body) noexcept {
  const MatrixDims dims(call.inputDims(0));
  try {
    for (int64_t k = 0; k < dims.count; ++k)
      if (mustStop(call.state()) || !body(k))
        return 1;
  } catch (const std::bad_alloc &) {
    return !call.fail(ErrorKind::OutOfMemory,
                      dims.elements() * static_cast<int64_t>(sizeof(double)));
  }
  return mustStop(call.state());
}

/// Calls body with a value of the type of input 0: float or double, or complex
/// numbers of such, which come as integers of their size.
template <class Body>
int32_t dispatchMatrix(const KernelCall &call, Body &&body) {
  switch (call.inputDType(0)) {
  case DType::Float32:
    return body(float());
  case DType::Int64:
    return body(std::complex<float>());
  case DType::Complex128:
    return body(std::complex<double>());
  default:
    return body(double());
  }
}

/// The same of float and double alone.
template <class Body>
int32_t dispatchReal(const KernelCall &call, Body &&body) {
  return call.inputDType(0) == DType::Float32 ? body(float()) : body(double());
}

} // namespace kiln

#endif // KILN_RUNTIME_KERNELS_MATRICES_H
