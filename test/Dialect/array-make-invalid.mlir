// Errors of the ops that make elements, of numbers or of fewer.
// RUN: kiln-opt %s -split-input-file -verify-diagnostics

func.func @dims_c1() {
  // expected-error @+1 {{expected a static result of rank 0 or 1}}
  %0 = kiln.dims [1, 2] : tensor<1x2xi32>
  return
}

// -----

func.func @dims_c2() {
  // expected-error @+1 {{expected 2 elements, got 1}}
  %0 = kiln.dims [1] : tensor<2xi32>
  return
}

// -----

func.func @dims_c3() {
  // expected-error @+1 {{expected symbol ids, or -1 for a number}}
  %0 = "kiln.dims"() {symbols = array<i64: -2>, values = array<i64: 0>} : () -> tensor<1xi32>
  return
}

// -----

func.func @dims_name() {
  // expected-error @+1 {{expected a number or a symbol such as s0}}
  %0 = kiln.dims [x0] : tensor<1xi32>
  return
}

// -----

func.func @constant_c1() {
  // expected-error @+1 {{expected elements of type 'i32', got 'f32'}}
  %0 = kiln.constant dense<1.0> : tensor<f32> : tensor<i32>
  return
}

// -----

func.func @constant_c2() {
  // expected-error @+1 {{expected a splat or a value of the result's shape}}
  %0 = kiln.constant dense<[1, 2]> : tensor<2xi32> : tensor<1x2xi32>
  return
}

// -----

func.func @constant_c3() {
  // expected-error @+1 {{expected at most 64 elements, got 65: larger constants are kiln.constant_ref}}
  %0 = kiln.constant dense<[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63, 64]> : tensor<65xi32> : tensor<65xi32>
  return
}

// -----

func.func @constant_c4() {
  // expected-error @+1 {{expected dense elements, got sparse<}}
  %0 = kiln.constant sparse<[[0]], [1.0]> : tensor<4xf32> : tensor<4xf32>
  return
}

// -----

func.func @iota_c1(%a: tensor<i32>) {
  // expected-error @+1 {{expected an axis below 1, got 1}}
  %0 = kiln.iota %a, %a axis 1 : tensor<i32> -> tensor<4xi32>
  return
}

// -----

func.func @iota_c2(%a: tensor<i32>) {
  // expected-error @+1 {{expected scalars of the result's element type as start and step}}
  %0 = kiln.iota %a, %a axis 0 : tensor<i32> -> tensor<4xi64>
  return
}
// -----

func.func @broadcast_c1(%x: tensor<f32>) {
  // expected-error @+1 {{expected one element type}}
  %0 = kiln.broadcast %x map [] : tensor<f32> -> tensor<4xf64>
  return
}

// -----

func.func @broadcast_c2_count(%x: tensor<4xf32>) {
  // expected-error @+1 {{expected a map of 1 dimensions, got 2}}
  %0 = kiln.broadcast %x map [0, 1] : tensor<4xf32> -> tensor<4x4xf32>
  return
}

// -----

func.func @broadcast_c2_order(%x: tensor<4x4xf32>) {
  // expected-error @+1 {{expected a strictly increasing map below 2, got 0}}
  %0 = kiln.broadcast %x map [1, 0] : tensor<4x4xf32> -> tensor<4x4xf32>
  return
}

// -----

func.func @broadcast_c3(%x: tensor<3xf32>) {
  // expected-error @+1 {{expected dimension 0 to be 1 or 4, got 3}}
  %0 = kiln.broadcast %x map [0] : tensor<3xf32> -> tensor<4xf32>
  return
}
