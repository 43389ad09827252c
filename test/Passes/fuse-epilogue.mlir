// What follows a contraction element by element is computed by its kernel.
// RUN: kiln-opt %s --kiln-fuse | FileCheck %s

!x = tensor<?x32xf32, #kiln.sym<0>>
!y = tensor<?x64xf32, #kiln.sym<0>>

// CHECK-LABEL: @dense
// CHECK: kiln.fusion
// CHECK: kiln.matmul
// CHECK: kiln.add
// CHECK: kiln.max
// CHECK-NOT: kiln.fusion
func.func @dense(%x: !x, %w: tensor<32x64xf32>, %b: tensor<64xf32>) -> !y {
  %zero = kiln.constant dense<0.0> : tensor<f32> : !y
  %bb = kiln.broadcast %b map [1] : tensor<64xf32> -> !y
  %y = kiln.matmul %x, %w : !x, tensor<32x64xf32> -> !y
  %z = kiln.add %y, %bb : !y
  %r = kiln.max %z, %zero : !y
  return %r : !y
}

// An element of another tensor, and a value that two ops of the epilogue use.
// CHECK-LABEL: @residual
// CHECK: kiln.fusion
// CHECK: kiln.matmul
// CHECK: kiln.add
// CHECK: kiln.compare
// CHECK: kiln.select
// CHECK-NOT: kiln.fusion
func.func @residual(%x: !x, %w: tensor<32x64xf32>, %other: !y) -> !y {
  %six = kiln.constant dense<6.0> : tensor<f32> : !y
  %y = kiln.matmul %x, %w : !x, tensor<32x64xf32> -> !y
  %z = kiln.add %y, %other : !y
  %c = kiln.compare ge %z, %six : !y -> tensor<?x64xi1, #kiln.sym<0>>
  %r = kiln.select %c, %six, %z : tensor<?x64xi1, #kiln.sym<0>>, !y
  return %r : !y
}

// Rows by another number are the same rows.
// CHECK-LABEL: @renumbered
// CHECK: kiln.fusion
// CHECK: kiln.matmul
// CHECK: kiln.reshape
// CHECK: kiln.tanh
// CHECK: kiln.mul
// CHECK-NOT: kiln.fusion
func.func @renumbered(%x: tensor<?x32xf32, #kiln.sym<1>>, %w: tensor<32x64xf32>, %other: tensor<?x8x64xf32, #kiln.sym<0>>) -> tensor<?x8x64xf32, #kiln.sym<0>> {
  %y = kiln.matmul %x, %w : tensor<?x32xf32, #kiln.sym<1>>, tensor<32x64xf32> -> tensor<?x64xf32, #kiln.sym<1>>
  %z = kiln.reshape %y : tensor<?x64xf32, #kiln.sym<1>> -> tensor<?x8x64xf32, #kiln.sym<0>>
  %t = kiln.tanh %z : tensor<?x8x64xf32, #kiln.sym<0>>
  %r = kiln.mul %t, %z : tensor<?x8x64xf32, #kiln.sym<0>>
  %s = kiln.add %r, %other : tensor<?x8x64xf32, #kiln.sym<0>>
  return %s : tensor<?x8x64xf32, #kiln.sym<0>>
}

// Twin: other rows.
// CHECK-LABEL: @other_rows
// CHECK: kiln.fusion
// CHECK: kiln.matmul
// CHECK: kiln.yield
// CHECK: kiln.fusion
// CHECK: kiln.tanh
func.func @other_rows(%x: tensor<?x32xf32, #kiln.sym<1>>, %w: tensor<32x64xf32>) -> tensor<?x2x32xf32, #kiln.sym<1>> {
  %y = kiln.matmul %x, %w : tensor<?x32xf32, #kiln.sym<1>>, tensor<32x64xf32> -> tensor<?x64xf32, #kiln.sym<1>>
  %z = kiln.reshape %y : tensor<?x64xf32, #kiln.sym<1>> -> tensor<?x2x32xf32, #kiln.sym<1>>
  %r = kiln.tanh %z : tensor<?x2x32xf32, #kiln.sym<1>>
  return %r : tensor<?x2x32xf32, #kiln.sym<1>>
}

// Twin: a training step needs the product itself.
// CHECK-LABEL: @needed
// CHECK: kiln.fusion
// CHECK: kiln.matmul
// CHECK: kiln.yield
// CHECK: kiln.fusion
// CHECK: kiln.tanh
func.func @needed(%x: !x, %w: tensor<32x64xf32>) -> (!y, !y) {
  %y = kiln.matmul %x, %w : !x, tensor<32x64xf32> -> !y
  %r = kiln.tanh %y : !y
  return %y, %r : !y, !y
}

// Twin: one number for each row is not at hand where columns are walked.
// CHECK-LABEL: @of_rows
// CHECK: kiln.fusion
// CHECK: kiln.matmul
// CHECK: kiln.yield
// CHECK: kiln.fusion
// CHECK: kiln.mul
func.func @of_rows(%x: !x, %w: tensor<32x64xf32>, %s: tensor<?xf32, #kiln.sym<0>>) -> !y {
  %y = kiln.matmul %x, %w : !x, tensor<32x64xf32> -> !y
  %sb = kiln.broadcast %s map [0] : tensor<?xf32, #kiln.sym<0>> -> !y
  %r = kiln.mul %y, %sb : !y
  return %r : !y
}

// Twin: sums need whole rows.
// CHECK-LABEL: @reduced
// CHECK: kiln.fusion
// CHECK: kiln.matmul
// CHECK: kiln.yield
// CHECK: kiln.fusion
// CHECK: kiln.reduce
func.func @reduced(%x: !x, %w: tensor<32x64xf32>) -> tensor<?xf32, #kiln.sym<0>> {
  %y = kiln.matmul %x, %w : !x, tensor<32x64xf32> -> !y
  %r = kiln.reduce sum %y axes [1] : !y -> tensor<?xf32, #kiln.sym<0>>
  return %r : tensor<?xf32, #kiln.sym<0>>
}
