// Errors of reductions, contractions and random generators.
// RUN: kiln-opt %s -split-input-file -verify-diagnostics

func.func @reduce_c1(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{expected strictly increasing axes below 2}}
  %0 = kiln.reduce sum %x axes [1, 0] : tensor<2x3xf32> -> tensor<f32>
  return
}

// -----

func.func @reduce_c2(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{expected a result of shape [3]}}
  %0 = kiln.reduce sum %x axes [0] : tensor<2x3xf32> -> tensor<2xf32>
  return
}

// -----

func.func @reduce_c3(%x: tensor<2xf32>) {
  // expected-error @+1 {{expected bool elements for all and any, numbers otherwise}}
  %0 = kiln.reduce all %x axes [0] : tensor<2xf32> -> tensor<f32>
  return
}

// -----

func.func @arg_reduce_c1(%x: tensor<2xf32>) {
  // expected-error @+1 {{expected an axis below 1, got 1}}
  %0 = kiln.arg_reduce %x axis 1 {smallest = false} : tensor<2xf32> -> tensor<i64>
  return
}

// -----

func.func @arg_reduce_c2(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{expected a result of shape [2]}}
  %0 = kiln.arg_reduce %x axis 1 {smallest = false} : tensor<2x3xf32> -> tensor<3xi64>
  return
}

// -----

func.func @matmul_c1(%x: tensor<2xf32>) {
  // expected-error @+1 {{expected operands and a result of one rank of at least 2}}
  %0 = kiln.matmul %x, %x : tensor<2xf32>, tensor<2xf32> -> tensor<2xf32>
  return
}

// -----

func.func @matmul_c2(%x: tensor<5x2x2xf32>, %y: tensor<4x2x2xf32>) {
  // expected-error @+1 {{expected equal batch dimensions}}
  %0 = kiln.matmul %x, %y : tensor<5x2x2xf32>, tensor<4x2x2xf32> -> tensor<5x2x2xf32>
  return
}

// -----

func.func @matmul_c3(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{expected equal inner dimensions, got [2, 3] and [2, 3]}}
  %0 = kiln.matmul %x, %x : tensor<2x3xf32>, tensor<2x3xf32> -> tensor<2x3xf32>
  return
}

// -----

func.func @matmul_c3_symbols(%x: tensor<2x?xf32, #kiln.sym<0>>, %y: tensor<?x2xf32, #kiln.sym<1>>) {
  // expected-error @+1 {{expected equal inner dimensions, got [2, s0] and [s1, 2]}}
  %0 = kiln.matmul %x, %y : tensor<2x?xf32, #kiln.sym<0>>, tensor<?x2xf32, #kiln.sym<1>> -> tensor<2x2xf32>
  return
}

// -----

func.func @matmul_c4(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{expected the outer dimensions of [2, 3] and [3, 2], got [2, 3]}}
  %0 = kiln.matmul %x, %x transposed : tensor<2x3xf32>, tensor<2x3xf32> -> tensor<2x3xf32>
  return
}

// -----

func.func @matmul_c5(%x: tensor<2x2xf32>, %y: tensor<2x2xf64>) {
  // expected-error @+1 {{expected one element type}}
  %0 = kiln.matmul %x, %y : tensor<2x2xf32>, tensor<2x2xf64> -> tensor<2x2xf32>
  return
}

// -----

func.func @random_reserve_c1() {
  // expected-error @+1 {{expected a result of 6 words}}
  %0 = kiln.random_reserve 0 [4] : tensor<4xi32>
  return
}

// -----

func.func @random_reserve_c2() {
  // expected-error @+1 {{expected as many symbols as values, got 1 and 2}}
  %0 = "kiln.random_reserve"() {stream = 0 : i64, symbols = array<i64: 0>, values = array<i64: 0, 1>} : () -> tensor<6xi32>
  return
}

// -----

func.func @random_reserve_c2_of_a_buffer(%b: memref<?xi32>) {
  // expected-error @+1 {{expected as many symbols as values, got 1 and 2}}
  "kiln.reserve_stream"(%b) {stream = 0 : i64, symbols = array<i64: 0>, values = array<i64: 0, 1>} : (memref<?xi32>) -> ()
  return
}

// -----

func.func @random_c1(%s: tensor<4xi32>) {
  // expected-error @+1 {{expected a state of 6 words}}
  %0 = kiln.random uniform %s : tensor<4xi32> -> tensor<9xf32>
  return
}

// -----

func.func @random_int_c1(%s: tensor<4xi32>, %b: tensor<i32>) {
  // expected-error @+1 {{expected a state of 6 words}}
  %0 = kiln.random_int %s, %b, %b : tensor<4xi32>, tensor<i32> -> tensor<9xi32>
  return
}

// -----

func.func @random_int_c2(%s: tensor<6xi32>, %b: tensor<i32>) {
  // expected-error @+1 {{expected scalars of the result's element type as bounds}}
  %0 = kiln.random_int %s, %b, %b : tensor<6xi32>, tensor<i32> -> tensor<9xi64>
  return
}

// -----

func.func @scatter_c1(%x: tensor<3xf32>, %i: tensor<2xi64>, %u: tensor<2xf32>) {
  // expected-error @+1 {{expected a base of type 'tensor<4xf32>', or a scalar of its elements, got 'tensor<3xf32>'}}
  %0 = kiln.scatter add %x, %i, %u : tensor<3xf32>, tensor<2xi64>, tensor<2xf32> -> tensor<4xf32>
  return
}

// -----

func.func @scatter_c2(%x: tensor<3xf32>, %i: tensor<2x1xi64>, %u: tensor<2xf32>) {
  // expected-error @+1 {{expected a vector of indices, got 'tensor<2x1xi64>'}}
  %0 = kiln.scatter add %x, %i, %u : tensor<3xf32>, tensor<2x1xi64>, tensor<2xf32> -> tensor<3xf32>
  return
}

// -----

func.func @scatter_c3(%x: tensor<3x4xf32>, %i: tensor<2xi64>, %u: tensor<2x5xf32>) {
  // expected-error @+1 {{expected updates of type 'tensor<2x4xf32>', got 'tensor<2x5xf32>'}}
  %0 = kiln.scatter add %x, %i, %u : tensor<3x4xf32>, tensor<2xi64>, tensor<2x5xf32> -> tensor<3x4xf32>
  return
}

// -----

func.func @scatter_c4(%x: tensor<3xi1>, %i: tensor<2xi64>, %u: tensor<2xi1>) {
  // expected-error @+1 {{expected elements to compute with, got 'i1'}}
  %0 = kiln.scatter add %x, %i, %u : tensor<3xi1>, tensor<2xi64>, tensor<2xi1> -> tensor<3xi1>
  return
}
