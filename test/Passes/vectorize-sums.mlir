// RUN: kiln-opt %s --split-input-file --kiln-vectorize --canonicalize --cse | FileCheck %s

// Threads share the blocks of rows where no axis is parallel: each adds up chunks of them in the order of the counter.
// CHECK-LABEL: func.func @shared_blocks
// CHECK-DAG: %[[SUMS:.*]] = memref.alloca() {alignment = 64 : i64} : memref<64xvector<16xf32>>
// CHECK: scf.for %[[CHUNK:.*]] = %{{.*}} to %{{.*}} step %{{.*}} {
// CHECK: memref.store %{{.*}}, %[[SUMS]][%[[CHUNK]]]
// CHECK: } {kiln.parallel}
// CHECK: memref.load %[[SUMS]]
module attributes {kiln.buffer_counts = array<i64: 1, 0, 0, 1>, kiln.temporaries = []} {
  func.func @shared_blocks() {
    %0 = kiln.buffer feed 0 : memref<?xf32>
    %1 = kiln.buffer result 0 : memref<?xf32>
    kiln.fusion (%arg0: tensor<?x9xf32, #kiln.sym<0>> = %0 : memref<?xf32>) outs(%1 : memref<?xf32>) {
      %2 = kiln.reduce sum %arg0 axes [0] : tensor<?x9xf32, #kiln.sym<0>> -> tensor<9xf32>
      kiln.yield %2 : tensor<9xf32>
    }
    return
  }
}

// -----

// A few rows are no work to share.
// CHECK-LABEL: func.func @few_rows
// CHECK-NOT: kiln.parallel
module attributes {kiln.buffer_counts = array<i64: 1, 0, 0, 1>, kiln.temporaries = []} {
  func.func @few_rows() {
    %0 = kiln.buffer feed 0 : memref<?xf32>
    %1 = kiln.buffer result 0 : memref<?xf32>
    kiln.fusion (%arg0: tensor<100x9xf32> = %0 : memref<?xf32>) outs(%1 : memref<?xf32>) {
      %2 = kiln.reduce sum %arg0 axes [0] : tensor<100x9xf32> -> tensor<9xf32>
      kiln.yield %2 : tensor<9xf32>
    }
    return
  }
}
