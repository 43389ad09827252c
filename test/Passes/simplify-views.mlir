// Chains of ops that only move elements.
// RUN: kiln-opt %s --kiln-simplify | FileCheck %s

!v = tensor<?xf32, #kiln.sym<0>>
!m = tensor<?x9xf32, #kiln.sym<0>>
!t = tensor<9x?xf32, #kiln.sym<0>>

// Splats of one value are one op, whatever shape their attribute came in.
// CHECK-LABEL: @splats
func.func @splats() -> (tensor<2x2xf32>, tensor<2x2xf32>, !m) {
  // CHECK-DAG: %[[A:.*]] = kiln.constant dense<1.000000e+00> : tensor<f32> : tensor<2x2xf32>
  // CHECK-DAG: %[[B:.*]] = kiln.constant dense<1.000000e+00> : tensor<f32> : tensor<?x9xf32, #kiln.sym<0>>
  %0 = kiln.constant dense<1.0> : tensor<2x2xf32> : tensor<2x2xf32>
  %1 = kiln.constant dense<1.0> : tensor<4xf32> : tensor<4xf32>
  %2 = kiln.reshape %1 : tensor<4xf32> -> tensor<2x2xf32>
  %3 = kiln.constant dense<1.0> : tensor<f32> : !t
  %4 = kiln.transpose %3 permutation [1, 0] : !t -> !m
  // CHECK: return %[[A]], %[[A]], %[[B]]
  return %0, %2, %4 : tensor<2x2xf32>, tensor<2x2xf32>, !m
}

// CHECK-LABEL: @broadcast_of_broadcast
func.func @broadcast_of_broadcast(%x: tensor<9xf32>) -> tensor<4x?x9xf32, #kiln.sym<0>> {
  %0 = kiln.broadcast %x map [1] : tensor<9xf32> -> !m
  // CHECK: kiln.broadcast %{{.*}} map [2] : tensor<9xf32> -> tensor<4x?x9xf32, #kiln.sym<0>>
  %1 = kiln.broadcast %0 map [1, 2] : !m -> tensor<4x?x9xf32, #kiln.sym<0>>
  return %1 : tensor<4x?x9xf32, #kiln.sym<0>>
}

// A dimension of 1 is no dimension of the operand.
// CHECK-LABEL: @broadcast_column
func.func @broadcast_column(%x: tensor<?x1xf32, #kiln.sym<0>>) -> !m {
  // CHECK: %[[V:.*]] = kiln.reshape %{{.*}} -> tensor<?xf32, #kiln.sym<0>>
  // CHECK: kiln.broadcast %[[V]] map [0]
  %0 = kiln.broadcast %x map [0, 1] : tensor<?x1xf32, #kiln.sym<0>> -> !m
  return %0 : !m
}

// CHECK-LABEL: @broadcast_that_repeats_nothing
func.func @broadcast_that_repeats_nothing(%x: !v) -> tensor<?x1xf32, #kiln.sym<0>> {
  // CHECK: kiln.reshape
  // CHECK-NOT: kiln.broadcast
  %0 = kiln.broadcast %x map [0] : !v -> tensor<?x1xf32, #kiln.sym<0>>
  return %0 : tensor<?x1xf32, #kiln.sym<0>>
}

// Twin: another symbol may be 1 when the code runs.
// CHECK-LABEL: @broadcast_that_may_repeat
func.func @broadcast_that_may_repeat(%x: tensor<?xf32, #kiln.sym<1>>) -> tensor<?x1xf32, #kiln.sym<0>> {
  // CHECK: kiln.broadcast
  %0 = kiln.broadcast %x map [0] : tensor<?xf32, #kiln.sym<1>> -> tensor<?x1xf32, #kiln.sym<0>>
  return %0 : tensor<?x1xf32, #kiln.sym<0>>
}

// CHECK-LABEL: @reshape_of_broadcast
func.func @reshape_of_broadcast(%x: tensor<9xf32>) -> tensor<1x?x1x9xf32, #kiln.sym<0>> {
  %0 = kiln.broadcast %x map [1] : tensor<9xf32> -> !m
  // CHECK: kiln.broadcast %{{.*}} map [3] : tensor<9xf32> -> tensor<1x?x1x9xf32, #kiln.sym<0>>
  %1 = kiln.reshape %0 : !m -> tensor<1x?x1x9xf32, #kiln.sym<0>>
  return %1 : tensor<1x?x1x9xf32, #kiln.sym<0>>
}

// Twin: the repeated rows are no dimension any more.
// CHECK-LABEL: @flat_broadcast
func.func @flat_broadcast(%x: tensor<9xf32>) -> tensor<36xf32> {
  // CHECK: kiln.broadcast
  %0 = kiln.broadcast %x map [1] : tensor<9xf32> -> tensor<4x9xf32>
  // CHECK: kiln.reshape
  %1 = kiln.reshape %0 : tensor<4x9xf32> -> tensor<36xf32>
  return %1 : tensor<36xf32>
}

// CHECK-LABEL: @transposes
// CHECK-SAME: (%[[X:[^:]*]]: tensor{{.*}}, %[[Y:[^:]*]]: tensor
func.func @transposes(%x: !m, %y: tensor<2x3x4xf32>) -> (!m, tensor<4x2x3xf32>) {
  %0 = kiln.transpose %x permutation [1, 0] : !m -> !t
  %1 = kiln.transpose %0 permutation [1, 0] : !t -> !m
  %2 = kiln.transpose %y permutation [1, 2, 0] : tensor<2x3x4xf32> -> tensor<3x4x2xf32>
  // CHECK: %[[T:.*]] = kiln.transpose %[[Y]] permutation [2, 0, 1]
  %3 = kiln.transpose %2 permutation [1, 2, 0] : tensor<3x4x2xf32> -> tensor<4x2x3xf32>
  // CHECK: return %[[X]], %[[T]]
  return %1, %3 : !m, tensor<4x2x3xf32>
}

// CHECK-LABEL: @transpose_of_units
func.func @transpose_of_units(%x: tensor<?x1x9xf32, #kiln.sym<0>>) -> tensor<1x?x9xf32, #kiln.sym<0>> {
  // CHECK: kiln.reshape
  // CHECK-NOT: kiln.transpose
  %0 = kiln.transpose %x permutation [1, 0, 2] : tensor<?x1x9xf32, #kiln.sym<0>> -> tensor<1x?x9xf32, #kiln.sym<0>>
  return %0 : tensor<1x?x9xf32, #kiln.sym<0>>
}

// CHECK-LABEL: @transpose_of_broadcast
func.func @transpose_of_broadcast(%x: tensor<9xf32>) -> !t {
  %0 = kiln.broadcast %x map [1] : tensor<9xf32> -> !m
  // CHECK: kiln.broadcast %{{.*}} map [0] : tensor<9xf32> -> tensor<9x?xf32, #kiln.sym<0>>
  // CHECK-NOT: kiln.transpose
  %1 = kiln.transpose %0 permutation [1, 0] : !m -> !t
  return %1 : !t
}

// CHECK-LABEL: @slices
func.func @slices(%x: tensor<20xf32>) -> tensor<3xf32> {
  %0 = kiln.slice %x starts [2] strides [3] : tensor<20xf32> -> tensor<6xf32>
  // CHECK: kiln.slice %{{.*}} starts [17] strides [-6]
  %1 = kiln.slice %0 starts [5] strides [-2] : tensor<6xf32> -> tensor<3xf32>
  return %1 : tensor<3xf32>
}

// No run comes to four elements of one: a guard before them says so.
// CHECK-LABEL: @slices_of_what_is_not_there
// CHECK-COUNT-2: kiln.slice
func.func @slices_of_what_is_not_there(%x: tensor<1xf32>) -> tensor<4xf32> {
  %0 = kiln.slice %x starts [0] strides [1] : tensor<1xf32> -> tensor<?xf32, #kiln.sym<0>>
  %1 = kiln.slice %0 starts [1] strides [1] : tensor<?xf32, #kiln.sym<0>> -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// Slices of what is padded are windows of what is not: nobody stores the rim.
// CHECK-LABEL: @windows
// CHECK-NOT: kiln.pad
// CHECK: kiln.window %{{.*}}, %{{.*}} starts [-1, 0] strides [2, 1]
// CHECK: kiln.window %{{.*}}, %{{.*}} starts [0, 0] strides [2, 1]
func.func @windows(%x: tensor<4x8xf32>, %p: tensor<f32>) -> tensor<2x8xf32> {
  %0 = kiln.pad %x, %p low [1, 0] : tensor<4x8xf32>, tensor<f32> -> tensor<6x8xf32>
  %1 = kiln.slice %0 starts [0, 0] strides [2, 1] : tensor<6x8xf32> -> tensor<2x8xf32>
  %2 = kiln.slice %0 starts [1, 0] strides [2, 1] : tensor<6x8xf32> -> tensor<2x8xf32>
  %3 = kiln.max %1, %2 : tensor<2x8xf32>
  return %3 : tensor<2x8xf32>
}

// A rim along the rows, or one that is given out, stays.
// CHECK-LABEL: @rims
// CHECK-COUNT-2: kiln.pad
// CHECK-NOT: kiln.window
func.func @rims(%x: tensor<4x8xf32>, %p: tensor<f32>) -> (tensor<4x8xf32>, tensor<2x8xf32>, tensor<6x8xf32>) {
  %0 = kiln.pad %x, %p low [0, 1] : tensor<4x8xf32>, tensor<f32> -> tensor<4x10xf32>
  %1 = kiln.slice %0 starts [0, 2] strides [1, 1] : tensor<4x10xf32> -> tensor<4x8xf32>
  %2 = kiln.pad %x, %p low [1, 0] : tensor<4x8xf32>, tensor<f32> -> tensor<6x8xf32>
  %3 = kiln.slice %2 starts [1, 0] strides [2, 1] : tensor<6x8xf32> -> tensor<2x8xf32>
  return %1, %3, %2 : tensor<4x8xf32>, tensor<2x8xf32>, tensor<6x8xf32>
}

// CHECK-LABEL: @joins
// CHECK-SAME: (%[[X:[^:]*]]: tensor
func.func @joins(%x: !v, %empty: tensor<0xf32>, %p: tensor<f32>) -> (!v, !v) {
  %0 = kiln.concat %empty, %x axis 0 : tensor<0xf32>, !v -> !v
  %1 = kiln.pad %x, %p low [0] : !v, tensor<f32> -> !v
  // CHECK: return %[[X]], %[[X]]
  return %0, %1 : !v, !v
}
