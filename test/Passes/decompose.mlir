// Products with a vector, and reductions over one run of axes.
// RUN: kiln-opt %s --kiln-decompose | FileCheck %s

!m = tensor<?x9xf32, #kiln.sym<0>>
!c = tensor<?x1xf32, #kiln.sym<0>>

// K is the matrix's last dimension: its rows are summed.
// CHECK-LABEL: @matrix_vector
// CHECK-SAME: (%[[X:[^:]*]]: tensor{{.*}}, %[[W:[^:]*]]: tensor
func.func @matrix_vector(%x: !m, %w: tensor<9x1xf32>) -> !c {
  // CHECK: %[[V:.*]] = kiln.reshape %[[W]] : tensor<9x1xf32> -> tensor<9xf32>
  // CHECK: %[[B:.*]] = kiln.broadcast %[[V]] map [1]
  // CHECK: %[[P:.*]] = kiln.mul %[[X]], %[[B]]
  // CHECK: %[[S:.*]] = kiln.reduce sum %[[P]] axes [1] : tensor<?x9xf32, #kiln.sym<0>> -> tensor<?xf32, #kiln.sym<0>>
  // CHECK: kiln.reshape %[[S]] : tensor<?xf32, #kiln.sym<0>> -> tensor<?x1xf32, #kiln.sym<0>>
  %0 = kiln.matmul %x, %w : !m, tensor<9x1xf32> -> !c
  return %0 : !c
}

// K is its first one: the columns are summed, and nothing is transposed.
// CHECK-LABEL: @transposed_matrix_vector
// CHECK-SAME: (%[[X:[^:]*]]: tensor{{.*}}, %[[E:[^:]*]]: tensor
func.func @transposed_matrix_vector(%x: !m, %e: !c) -> tensor<9x1xf32> {
  // CHECK-NOT: kiln.transpose
  // CHECK: %[[V:.*]] = kiln.reshape %[[E]]
  // CHECK: %[[B:.*]] = kiln.broadcast %[[V]] map [0]
  // CHECK: %[[P:.*]] = kiln.mul %[[X]], %[[B]]
  // CHECK: kiln.reduce sum %[[P]] axes [0]
  %0 = kiln.matmul %x transposed, %e : !m, !c -> tensor<9x1xf32>
  return %0 : tensor<9x1xf32>
}

// The vector on the left, of a batch; the matrix's K stands first, then last.
// CHECK-LABEL: @vector_matrix
func.func @vector_matrix(%x: tensor<4x1x3xf32>, %y: tensor<4x3x5xf32>, %z: tensor<4x5x3xf32>) -> (tensor<4x1x5xf32>, tensor<4x1x5xf32>) {
  // CHECK: %[[V:.*]] = kiln.reshape %{{.*}} : tensor<4x1x3xf32> -> tensor<4x3xf32>
  // CHECK: kiln.broadcast %[[V]] map [0, 1] : tensor<4x3xf32> -> tensor<4x3x5xf32>
  // CHECK: kiln.reduce sum %{{.*}} axes [1] : tensor<4x3x5xf32> -> tensor<4x5xf32>
  %0 = kiln.matmul %x, %y : tensor<4x1x3xf32>, tensor<4x3x5xf32> -> tensor<4x1x5xf32>
  // CHECK: kiln.broadcast %{{.*}} map [0, 2] : tensor<4x3xf32> -> tensor<4x5x3xf32>
  // CHECK: kiln.reduce sum %{{.*}} axes [2] : tensor<4x5x3xf32> -> tensor<4x5xf32>
  %1 = kiln.matmul %x, %z transposed : tensor<4x1x3xf32>, tensor<4x5x3xf32> -> tensor<4x1x5xf32>
  return %0, %1 : tensor<4x1x5xf32>, tensor<4x1x5xf32>
}

// CHECK-LABEL: @dot
func.func @dot(%x: tensor<1x9xf32>, %y: tensor<9x1xf32>) -> tensor<1x1xf32> {
  // CHECK-NOT: kiln.broadcast
  // CHECK: %[[P:.*]] = kiln.mul %{{.*}}, %{{.*}} : tensor<9xf32>
  // CHECK: %[[S:.*]] = kiln.reduce sum %[[P]] axes [0] : tensor<9xf32> -> tensor<f32>
  // CHECK: kiln.reshape %[[S]] : tensor<f32> -> tensor<1x1xf32>
  %0 = kiln.matmul %x, %y : tensor<1x9xf32>, tensor<9x1xf32> -> tensor<1x1xf32>
  return %0 : tensor<1x1xf32>
}

// CHECK-LABEL: @outer_product
func.func @outer_product(%x: !c, %y: tensor<1x9xf32>) -> !m {
  // CHECK-DAG: %[[X:.*]] = kiln.broadcast %{{.*}} map [0] : tensor<?xf32, #kiln.sym<0>> -> tensor<?x9xf32, #kiln.sym<0>>
  // CHECK-DAG: %[[Y:.*]] = kiln.broadcast %{{.*}} map [1] : tensor<9xf32> -> tensor<?x9xf32, #kiln.sym<0>>
  // CHECK: kiln.mul %[[X]], %[[Y]]
  %0 = kiln.matmul %x, %y : !c, tensor<1x9xf32> -> !m
  return %0 : !m
}

// Twin: no dimension is statically 1.
// CHECK-LABEL: @matrices
func.func @matrices(%x: !m, %y: tensor<9x?xf32, #kiln.sym<1>>) -> tensor<?x?xf32, #kiln.sym<0, 1>> {
  // CHECK: kiln.matmul
  %0 = kiln.matmul %x, %y : !m, tensor<9x?xf32, #kiln.sym<1>> -> tensor<?x?xf32, #kiln.sym<0, 1>>
  return %0 : tensor<?x?xf32, #kiln.sym<0, 1>>
}

// The last dimension is among the axes: they go to the end, in their order.
// CHECK-LABEL: @parted_axes_with_last
func.func @parted_axes_with_last(%x: tensor<2x3x4x5xf32>) -> tensor<3xf32> {
  // CHECK: %[[T:.*]] = kiln.transpose %{{.*}} permutation [1, 0, 2, 3]
  // CHECK: kiln.reduce sum %[[T]] axes [1, 2, 3] : tensor<3x2x4x5xf32> -> tensor<3xf32>
  %0 = kiln.reduce sum %x axes [0, 2, 3] : tensor<2x3x4x5xf32> -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// It is not: they go to the front, so that the sum keeps its one lane.
// CHECK-LABEL: @parted_axes_without_last
func.func @parted_axes_without_last(%x: tensor<2x3x4x5xf32>) -> tensor<3x5xf32> {
  // CHECK: %[[T:.*]] = kiln.transpose %{{.*}} permutation [0, 2, 1, 3]
  // CHECK: kiln.reduce sum %[[T]] axes [0, 1] : tensor<2x4x3x5xf32> -> tensor<3x5xf32>
  %0 = kiln.reduce sum %x axes [0, 2] : tensor<2x3x4x5xf32> -> tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}

// Twin: one run of axes in the middle, or at the end, stays.
// CHECK-LABEL: @one_run
func.func @one_run(%x: tensor<2x3x4x5xf32>) -> (tensor<2x5xf32>, tensor<2x3xf32>) {
  // CHECK-NOT: kiln.transpose
  // CHECK: kiln.reduce sum %{{.*}} axes [1, 2]
  %0 = kiln.reduce sum %x axes [1, 2] : tensor<2x3x4x5xf32> -> tensor<2x5xf32>
  // CHECK: kiln.reduce sum %{{.*}} axes [2, 3]
  %1 = kiln.reduce sum %x axes [2, 3] : tensor<2x3x4x5xf32> -> tensor<2x3xf32>
  return %0, %1 : tensor<2x5xf32>, tensor<2x3xf32>
}

// A column is summed as the row that it is in memory.
// CHECK-LABEL: @column
func.func @column(%x: !c) -> tensor<1xf32> {
  // CHECK: %[[V:.*]] = kiln.reshape %{{.*}} -> tensor<?xf32, #kiln.sym<0>>
  // CHECK: kiln.reduce sum %[[V]] axes [0] : tensor<?xf32, #kiln.sym<0>> -> tensor<f32>
  %0 = kiln.reduce sum %x axes [0] : !c -> tensor<1xf32>
  return %0 : tensor<1xf32>
}
