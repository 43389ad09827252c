// Errors of the ops that move and rearrange elements.
// RUN: kiln-opt %s -split-input-file -verify-diagnostics

func.func @reshape_c1(%x: tensor<4xf32>) {
  // expected-error @+1 {{expected one element type}}
  %0 = kiln.reshape %x : tensor<4xf32> -> tensor<4xi32>
  return
}

// -----

func.func @reshape_c2(%x: tensor<4xf32>) {
  // expected-error @+1 {{expected 4 elements, got 6}}
  %0 = kiln.reshape %x : tensor<4xf32> -> tensor<2x3xf32>
  return
}

// -----

func.func @transpose_c1(%x: tensor<4xf32>) {
  // expected-error @+1 {{expected one element type}}
  %0 = kiln.transpose %x permutation [0] : tensor<4xf32> -> tensor<4xi32>
  return
}

// -----

func.func @transpose_c2_count(%x: tensor<4xf32>) {
  // expected-error @+1 {{expected a permutation of 1 dimensions}}
  %0 = kiln.transpose %x permutation [0, 1] : tensor<4xf32> -> tensor<4xf32>
  return
}

// -----

func.func @transpose_c2_twice(%x: tensor<4x4xf32>) {
  // expected-error @+1 {{expected a permutation, got 0, 0}}
  %0 = kiln.transpose %x permutation [0, 0] : tensor<4x4xf32> -> tensor<4x4xf32>
  return
}

// -----

func.func @transpose_c3(%x: tensor<4x?xf32, #kiln.sym<0>>) {
  // expected-error @+1 {{expected result [4, s0] to be the permuted [4, s0]}}
  %0 = kiln.transpose %x permutation [1, 0] : tensor<4x?xf32, #kiln.sym<0>> -> tensor<4x?xf32, #kiln.sym<0>>
  return
}

// -----

func.func @slice_c1(%x: tensor<4xf32>) {
  // expected-error @+1 {{expected one element type}}
  %0 = kiln.slice %x starts [0] strides [1] : tensor<4xf32> -> tensor<4xi32>
  return
}

// -----

func.func @slice_c2_count(%x: tensor<4xf32>) {
  // expected-error @+1 {{expected a start and a stride for each of 1 dimensions}}
  %0 = kiln.slice %x starts [0, 0] strides [1] : tensor<4xf32> -> tensor<4xf32>
  return
}

// -----

func.func @slice_c2_zero(%x: tensor<4xf32>) {
  // expected-error @+1 {{expected strides other than 0}}
  %0 = kiln.slice %x starts [0] strides [0] : tensor<4xf32> -> tensor<4xf32>
  return
}

// -----

func.func @slice_c3(%x: tensor<4xf32>, %at: tensor<2xi64>) {
  // expected-error @+1 {{expected 1 dynamic starts}}
  %0 = kiln.slice %x at %at starts [0] strides [1] : tensor<4xf32>, tensor<2xi64> -> tensor<1xf32>
  return
}

// -----

func.func @slice_c4_overflow(%x: tensor<4xf32>) {
  // expected-error @+1 {{expected elements that lie in dimension 0 of 4}}
  %0 = kiln.slice %x starts [0] strides [9223372036854775807] : tensor<4xf32> -> tensor<4xf32>
  return
}

// -----

func.func @slice_c4(%x: tensor<4xf32>) {
  // expected-error @+1 {{expected elements 2 to 4 to lie in dimension 0 of 4}}
  %0 = kiln.slice %x starts [2] strides [1] : tensor<4xf32> -> tensor<3xf32>
  return
}

// -----

func.func @concat_c1(%x: tensor<4xf32>) {
  // expected-error @+1 {{expected operands and an axis below 1}}
  %0 = kiln.concat %x axis 1 : tensor<4xf32> -> tensor<4xf32>
  return
}

// -----

func.func @concat_c2(%x: tensor<2x3xf32>, %y: tensor<2x4xf32>) {
  // expected-error @+1 {{expected [2, 4] to equal [4, 3] but for axis 0}}
  %0 = kiln.concat %x, %y axis 0 : tensor<2x3xf32>, tensor<2x4xf32> -> tensor<4x3xf32>
  return
}

// -----

func.func @concat_c3(%x: tensor<2xf32>) {
  // expected-error @+1 {{expected the axis to sum to 4, got [5]}}
  %0 = kiln.concat %x, %x axis 0 : tensor<2xf32>, tensor<2xf32> -> tensor<5xf32>
  return
}

// -----

func.func @pad_c1_padding(%x: tensor<2xf32>) {
  // expected-error @+1 {{expected a scalar padding of the operand's element type}}
  %0 = kiln.pad %x, %x low [0] : tensor<2xf32>, tensor<2xf32> -> tensor<3xf32>
  return
}

// -----

func.func @pad_c1_result(%x: tensor<2xf32>, %p: tensor<f32>) {
  // expected-error @+1 {{expected one element type}}
  %0 = kiln.pad %x, %p low [0] : tensor<2xf32>, tensor<f32> -> tensor<3xi32>
  return
}

// -----

func.func @pad_c2(%x: tensor<2xf32>, %p: tensor<f32>) {
  // expected-error @+1 {{expected a low padding for each of 1 dimensions}}
  %0 = kiln.pad %x, %p low [0, 1] : tensor<2xf32>, tensor<f32> -> tensor<3xf32>
  return
}

// -----

func.func @pad_c2_dynamic(%x: tensor<2xf32>, %p: tensor<f32>, %at: tensor<2xi64>) {
  // expected-error @+1 {{expected 1 dynamic paddings, got 'tensor<2xi64>'}}
  %0 = kiln.pad %x, %p at %at low [0] : tensor<2xf32>, tensor<f32>, tensor<2xi64> -> tensor<3xf32>
  return
}

// -----

func.func @pad_c3(%x: tensor<2xf32>, %p: tensor<f32>) {
  // expected-error @+1 {{expected the padded dimension 0 to hold the operand}}
  %0 = kiln.pad %x, %p low [2] : tensor<2xf32>, tensor<f32> -> tensor<3xf32>
  return
}

// -----

func.func @gather_c1(%x: tensor<2xf32>, %i: tensor<i32>) {
  // expected-error @+1 {{expected an axis below 1, got 1}}
  %0 = kiln.gather %x, %i axis 1 : tensor<2xf32>, tensor<i32> -> tensor<f32>
  return
}

// -----

func.func @gather_c2(%x: tensor<2x5xf32>, %i: tensor<3xi32>) {
  // expected-error @+1 {{expected a result of shape [3, 5]}}
  %0 = kiln.gather %x, %i axis 0 : tensor<2x5xf32>, tensor<3xi32> -> tensor<3xf32>
  return
}

// -----

func.func @gather_c3(%x: tensor<2x5xf32>, %i: tensor<3x4xi32>) {
  // expected-error @+1 {{expected 1 batch dimensions of both operands, got [2, 5] and [3, 4]}}
  %0 = kiln.gather %x, %i axis 1 batch 1 : tensor<2x5xf32>, tensor<3x4xi32> -> tensor<2x4xf32>
  return
}

// -----

func.func @gather_c3_beyond_the_axis(%x: tensor<2x5xf32>, %i: tensor<2x4xi32>) {
  // expected-error @+1 {{expected 1 batch dimensions of both operands}}
  %0 = kiln.gather %x, %i axis 0 batch 1 : tensor<2x5xf32>, tensor<2x4xi32> -> tensor<4x5xf32>
  return
}
