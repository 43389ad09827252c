// RUN: kiln-opt %s -split-input-file -verify-diagnostics

func.func @window_c1_padding(%x: tensor<2xf32>) {
  // expected-error @+1 {{expected a scalar padding of the operand's element type}}
  %0 = kiln.window %x, %x starts [0] strides [1] : tensor<2xf32>, tensor<2xf32> -> tensor<3xf32>
  return
}

// -----

func.func @window_c1_result(%x: tensor<2xf32>, %p: tensor<f32>) {
  // expected-error @+1 {{expected one element type}}
  %0 = kiln.window %x, %p starts [0] strides [1] : tensor<2xf32>, tensor<f32> -> tensor<3xi32>
  return
}

// -----

func.func @window_c2_rank(%x: tensor<2xf32>, %p: tensor<f32>) {
  // expected-error @+1 {{expected a start and a stride for each of 1 dimensions}}
  %0 = kiln.window %x, %p starts [0, 1] strides [1] : tensor<2xf32>, tensor<f32> -> tensor<3xf32>
  return
}

// -----

func.func @window_c2_strides(%x: tensor<2xf32>, %p: tensor<f32>) {
  // expected-error @+1 {{expected strides of at least 1}}
  %0 = kiln.window %x, %p starts [0] strides [0] : tensor<2xf32>, tensor<f32> -> tensor<3xf32>
  return
}
