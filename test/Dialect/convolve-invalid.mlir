// Errors of convolutions.
// RUN: kiln-opt %s -split-input-file -verify-diagnostics

func.func @convolve_c1(%x: tensor<4x9x3xf32>, %w: tensor<3x3x8xf32>) {
  // expected-error @+1 {{expected tensors of one rank of at least 3, with a positive stride and a dilation other than 0 for each dimension between the first and the last}}
  %0 = kiln.convolve %x, %w strides [0] dilations [1] : tensor<4x9x3xf32>, tensor<3x3x8xf32> -> tensor<4x4x8xf32>
  return
}

// -----

func.func @convolve_c2(%x: tensor<4x9x3xf32>, %w: tensor<3x2x8xf32>) {
  // expected-error @+1 {{expected places and filters of [4, 9, 3], got [4, 4, 8] and [3, 2, 8]}}
  %0 = kiln.convolve %x, %w strides [2] dilations [1] : tensor<4x9x3xf32>, tensor<3x2x8xf32> -> tensor<4x4x8xf32>
  return
}

// -----

func.func @convolve_c3(%x: tensor<4x9x3xf32>, %w: tensor<3x3x8xf32>) {
  // expected-error @+1 {{expected windows that lie in dimension 1 of 9}}
  %0 = kiln.convolve %x, %w strides [2] dilations [1] : tensor<4x9x3xf32>, tensor<3x3x8xf32> -> tensor<4x5x8xf32>
  return
}

// -----

func.func @convolve_c4(%x: tensor<4x9x3xf32>, %w: tensor<3x3x8xf64>) {
  // expected-error @+1 {{expected one element type}}
  %0 = kiln.convolve %x, %w strides [2] dilations [1] : tensor<4x9x3xf32>, tensor<3x3x8xf64> -> tensor<4x4x8xf32>
  return
}

// -----

func.func @convolve_c5_rank(%x: tensor<4x9x3xf32>, %w: tensor<3x3x8xf32>) {
  // expected-error @+1 {{expected two numbers of at least 0 as what is padded, or four where transposed, of tensors of a rank of at least 4}}
  %0 = kiln.convolve %x, %w strides [2] dilations [1] padded [1, 1] : tensor<4x9x3xf32>, tensor<3x3x8xf32> -> tensor<4x4x8xf32>
  return
}

// -----

func.func @convolve_c5_negative(%x: tensor<4x9x9x3xf32>, %w: tensor<3x3x3x8xf32>) {
  // expected-error @+1 {{expected two numbers of at least 0 as what is padded, or four where transposed, of tensors of a rank of at least 4}}
  %0 = kiln.convolve %x, %w strides [2, 2] dilations [1, 1] padded [1, -1] : tensor<4x9x9x3xf32>, tensor<3x3x3x8xf32> -> tensor<4x4x4x8xf32>
  return
}

// -----

func.func @convolve_c5_columns(%x: tensor<4x9x9x3xf32>, %w: tensor<3x3x3x8xf32>) {
  // expected-error @+1 {{expected two numbers of at least 0 as what is padded, or four where transposed, of tensors of a rank of at least 4}}
  %0 = kiln.convolve %x, %w strides [2, 2] dilations [1, 1] padded [1, 1, 1, 1] : tensor<4x9x9x3xf32>, tensor<3x3x3x8xf32> -> tensor<4x4x4x8xf32>
  return
}
