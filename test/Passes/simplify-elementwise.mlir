// Elementwise ops above broadcasts and below views.
// RUN: kiln-opt %s --kiln-simplify | FileCheck %s

!c = tensor<?x1xf32, #kiln.sym<0>>
!m = tensor<?x9xf32, #kiln.sym<0>>
!t = tensor<9x?xf32, #kiln.sym<0>>

// The gradient of a mean: ones, tiled, by a count becomes one division.
// CHECK-LABEL: @mean_gradient
func.func @mean_gradient() -> !c {
  // CHECK: %[[ONE:.*]] = kiln.constant dense<1.000000e+00> : tensor<f32> : tensor<f32>
  %one = kiln.constant dense<1.0> : tensor<f32> : tensor<f32>
  %0 = kiln.reshape %one : tensor<f32> -> tensor<1x1xf32>
  %tile = kiln.broadcast %0 map [0, 1] : tensor<1x1xf32> -> !c
  // CHECK: %[[N:.*]] = kiln.dims [s0] : tensor<i32>
  %shape = kiln.dims [s0, 1] : tensor<2xi32>
  %n = kiln.slice %shape starts [0] strides [1] : tensor<2xi32> -> tensor<1xi32>
  %n0 = kiln.reshape %n : tensor<1xi32> -> tensor<i32>
  // CHECK: %[[F:.*]] = kiln.cast %[[N]]
  %f = kiln.cast %n0 : tensor<i32> -> tensor<f32>
  %b = kiln.broadcast %f map [] : tensor<f32> -> !c
  // CHECK: %[[Q:.*]] = kiln.div %[[ONE]], %[[F]] : tensor<f32>
  // CHECK: %[[R:.*]] = kiln.broadcast %[[Q]] map [] : tensor<f32> -> tensor<?x1xf32, #kiln.sym<0>>
  %r = kiln.div %tile, %b : !c
  // CHECK: return %[[R]]
  return %r : !c
}

// A row and a splat.
// CHECK-LABEL: @rows
// CHECK-SAME: (%[[X:[^:]*]]: tensor<9xf32>, %[[Y:[^:]*]]: tensor<9xf32>
func.func @rows(%x: tensor<9xf32>, %y: tensor<9xf32>) -> !m {
  %0 = kiln.broadcast %x map [1] : tensor<9xf32> -> !m
  %1 = kiln.broadcast %y map [1] : tensor<9xf32> -> !m
  // CHECK: %[[C:.*]] = kiln.constant dense<3.000000e+00> : tensor<f32> : tensor<9xf32>
  %c = kiln.constant dense<3.0> : tensor<f32> : !m
  // CHECK: %[[A:.*]] = kiln.add %[[X]], %[[Y]] : tensor<9xf32>
  %2 = kiln.add %0, %1 : !m
  // CHECK: %[[M:.*]] = kiln.mul %[[A]], %[[C]] : tensor<9xf32>
  %3 = kiln.mul %2, %c : !m
  // CHECK: kiln.broadcast %[[M]] map [1]
  return %3 : !m
}

// The comparison's result has other elements than its operands.
// CHECK-LABEL: @compare_scalars
func.func @compare_scalars(%x: tensor<f32>, %y: tensor<f32>) -> tensor<4xi1> {
  %0 = kiln.broadcast %x map [] : tensor<f32> -> tensor<4xf32>
  %1 = kiln.broadcast %y map [] : tensor<f32> -> tensor<4xf32>
  // CHECK: %[[C:.*]] = kiln.compare ge %{{.*}}, %{{.*}} : tensor<f32> -> tensor<i1>
  // CHECK: kiln.broadcast %[[C]] map [] : tensor<i1> -> tensor<4xi1>
  %2 = kiln.compare ge %0, %1 : tensor<4xf32> -> tensor<4xi1>
  return %2 : tensor<4xi1>
}

// Twin: a row and a column.
// CHECK-LABEL: @row_and_column
func.func @row_and_column(%x: tensor<9xf32>, %y: tensor<?xf32, #kiln.sym<0>>) -> !m {
  %0 = kiln.broadcast %x map [1] : tensor<9xf32> -> !m
  %1 = kiln.broadcast %y map [0] : tensor<?xf32, #kiln.sym<0>> -> !m
  // CHECK: kiln.add %{{.*}}, %{{.*}} : tensor<?x9xf32, #kiln.sym<0>>
  %2 = kiln.add %0, %1 : !m
  return %2 : !m
}

// Twin: with s0 = 0 nothing is divided.
// CHECK-LABEL: @division_that_may_fail
func.func @division_that_may_fail(%x: tensor<i32>, %y: tensor<i32>) -> tensor<?xi32, #kiln.sym<0>> {
  %0 = kiln.broadcast %x map [] : tensor<i32> -> tensor<?xi32, #kiln.sym<0>>
  %1 = kiln.broadcast %y map [] : tensor<i32> -> tensor<?xi32, #kiln.sym<0>>
  // CHECK: kiln.div %{{.*}}, %{{.*}} : tensor<?xi32, #kiln.sym<0>>
  %2 = kiln.div %0, %1 : tensor<?xi32, #kiln.sym<0>>
  return %2 : tensor<?xi32, #kiln.sym<0>>
}

// Two reshapes of one shape become one, after the op.
// CHECK-LABEL: @reshapes
// CHECK-SAME: (%[[X:[^:]*]]: tensor{{.*}}, %[[Y:[^:]*]]: tensor
func.func @reshapes(%x: !m, %y: !m) -> tensor<?x3x3xf32, #kiln.sym<0>> {
  %0 = kiln.reshape %x : !m -> tensor<?x3x3xf32, #kiln.sym<0>>
  %1 = kiln.reshape %y : !m -> tensor<?x3x3xf32, #kiln.sym<0>>
  // CHECK: %[[S:.*]] = kiln.add %[[X]], %[[Y]]
  // CHECK: kiln.reshape %[[S]]
  %2 = kiln.add %0, %1 : tensor<?x3x3xf32, #kiln.sym<0>>
  return %2 : tensor<?x3x3xf32, #kiln.sym<0>>
}

// Twin: the reshape stays for another user.
// CHECK-LABEL: @shared_reshape
func.func @shared_reshape(%x: !m, %y: tensor<?x3x3xf32, #kiln.sym<0>>) -> (tensor<?x3x3xf32, #kiln.sym<0>>, tensor<?x3x3xf32, #kiln.sym<0>>) {
  // CHECK: %[[R:.*]] = kiln.reshape
  %0 = kiln.reshape %x : !m -> tensor<?x3x3xf32, #kiln.sym<0>>
  // CHECK: kiln.exp %[[R]]
  %1 = kiln.exp %0 : tensor<?x3x3xf32, #kiln.sym<0>>
  %2 = kiln.add %0, %y : tensor<?x3x3xf32, #kiln.sym<0>>
  return %1, %2 : tensor<?x3x3xf32, #kiln.sym<0>>, tensor<?x3x3xf32, #kiln.sym<0>>
}

// A transpose sinks until a product takes it.
// CHECK-LABEL: @transpose_into_matmul
// CHECK-SAME: (%[[X:[^:]*]]: tensor{{.*}}, %[[Y:[^:]*]]: tensor
func.func @transpose_into_matmul(%x: !m, %y: tensor<?x4xf32, #kiln.sym<0>>) -> tensor<9x4xf32> {
  %0 = kiln.transpose %x permutation [1, 0] : !m -> !t
  // CHECK: %[[E:.*]] = kiln.exp %[[X]]
  %1 = kiln.exp %0 : !t
  // CHECK: kiln.matmul %[[E]] transposed, %[[Y]]
  %2 = kiln.matmul %1, %y : !t, tensor<?x4xf32, #kiln.sym<0>> -> tensor<9x4xf32>
  return %2 : tensor<9x4xf32>
}
