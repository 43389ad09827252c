// Products, reductions, and what is read from variables.
// RUN: kiln-opt %s --kiln-simplify | FileCheck %s

!b = tensor<2x3x4xf32>

kiln.variable @w index 0 : tensor<4xf32>

// CHECK-LABEL: @transposed_product
// CHECK-SAME: (%[[X:[^:]*]]: tensor{{.*}}, %[[Y:[^:]*]]: tensor
func.func @transposed_product(%x: tensor<3x4xf32>, %y: tensor<4x5xf32>) -> tensor<5x3xf32> {
  %0 = kiln.matmul %x, %y : tensor<3x4xf32>, tensor<4x5xf32> -> tensor<3x5xf32>
  // CHECK: kiln.matmul %[[Y]] transposed, %[[X]] transposed
  // CHECK-NOT: kiln.transpose
  %1 = kiln.transpose %0 permutation [1, 0] : tensor<3x5xf32> -> tensor<5x3xf32>
  return %1 : tensor<5x3xf32>
}

// CHECK-LABEL: @batched
func.func @batched(%x: !b) -> tensor<2x3x3xf32> {
  %0 = kiln.transpose %x permutation [0, 2, 1] : !b -> tensor<2x4x3xf32>
  // CHECK: kiln.matmul %[[X:.*]], %[[X]] transposed
  %1 = kiln.matmul %x, %0 : !b, tensor<2x4x3xf32> -> tensor<2x3x3xf32>
  return %1 : tensor<2x3x3xf32>
}

// Twin: a batch dimension moves.
// CHECK-LABEL: @batch_moves
func.func @batch_moves(%x: !b, %y: tensor<3x4x5xf32>) -> tensor<3x2x5xf32> {
  // CHECK: kiln.transpose
  %0 = kiln.transpose %x permutation [1, 0, 2] : !b -> tensor<3x2x4xf32>
  // CHECK: kiln.matmul %{{[^ ]*}}, %{{[^ ]*}} :
  %1 = kiln.matmul %0, %y : tensor<3x2x4xf32>, tensor<3x4x5xf32> -> tensor<3x2x5xf32>
  return %1 : tensor<3x2x5xf32>
}

// CHECK-LABEL: @reduce_nothing
// CHECK-SAME: (%[[X:[^:]*]]: tensor
func.func @reduce_nothing(%x: !b) -> !b {
  %0 = kiln.reduce sum %x axes [] : !b -> !b
  // CHECK: return %[[X]]
  return %0 : !b
}

// CHECK-LABEL: @reduce_of_units
func.func @reduce_of_units(%x: tensor<?x1xf32, #kiln.sym<0>>) -> tensor<?xf32, #kiln.sym<0>> {
  // CHECK: %[[V:.*]] = kiln.reshape
  // CHECK: return %[[V]]
  %0 = kiln.reduce max %x axes [1] : tensor<?x1xf32, #kiln.sym<0>> -> tensor<?xf32, #kiln.sym<0>>
  return %0 : tensor<?xf32, #kiln.sym<0>>
}

// A sum of -0 alone is 0.
// CHECK-LABEL: @sum_of_units
func.func @sum_of_units(%x: tensor<?x1xf32, #kiln.sym<0>>) -> tensor<?xf32, #kiln.sym<0>> {
  // CHECK: %[[ZERO:.*]] = kiln.constant dense<0.000000e+00>
  // CHECK: %[[V:.*]] = kiln.reshape
  // CHECK: kiln.add %[[V]], %[[ZERO]]
  %0 = kiln.reduce sum %x axes [1] : tensor<?x1xf32, #kiln.sym<0>> -> tensor<?xf32, #kiln.sym<0>>
  return %0 : tensor<?xf32, #kiln.sym<0>>
}

// Two reads are one, but not across a write; what nobody uses goes.
// CHECK-LABEL: @reads
func.func @reads(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  // CHECK: %[[OLD:.*]] = kiln.var_read @w
  %0 = kiln.var_read @w : tensor<4xf32>
  %1 = kiln.var_read @w : tensor<4xf32>
  // CHECK-NOT: kiln.exp
  %dead = kiln.exp %0 : tensor<4xf32>
  // CHECK-NEXT: kiln.var_write
  kiln.var_write @w, %x : tensor<4xf32>
  // CHECK: %[[NEW:.*]] = kiln.var_read @w
  %2 = kiln.var_read @w : tensor<4xf32>
  // CHECK: return %[[OLD]], %[[OLD]], %[[NEW]]
  return %0, %1, %2 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// Each stretch of a stream is its own.
// CHECK-LABEL: @streams
func.func @streams() -> (tensor<4xf32>, tensor<4xf32>) {
  // CHECK-COUNT-2: kiln.random_reserve
  %0 = kiln.random_reserve 0 [4] : tensor<6xi32>
  %1 = kiln.random uniform %0 : tensor<6xi32> -> tensor<4xf32>
  %2 = kiln.random_reserve 0 [4] : tensor<6xi32>
  %3 = kiln.random uniform %2 : tensor<6xi32> -> tensor<4xf32>
  return %1, %3 : tensor<4xf32>, tensor<4xf32>
}
