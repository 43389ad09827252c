// RUN: kiln-opt %s --split-input-file --kiln-bufferize --kiln-vectorize --canonicalize --cse | FileCheck %s

// Threads share the blocks of rows where no axis is parallel: each adds up chunks of them in the order of the counter.
// CHECK-LABEL: func.func @run
// CHECK-DAG: %[[SUMS:.*]] = memref.alloca() : memref<64xvector<16xf32>>
// CHECK: scf.for %[[CHUNK:.*]] = %{{.*}} to %{{.*}} step %{{.*}} {
// CHECK: memref.store %{{.*}}, %[[SUMS]][%[[CHUNK]]]
// CHECK: } {kiln.parallel}
// CHECK: memref.load %[[SUMS]]
!rows = tensor<?x9xf32, #kiln.sym<0>>
module {
  func.func @run(%x: !rows) -> tensor<9xf32> {
    %s = kiln.fusion (%a: !rows = %x : !rows) -> tensor<9xf32> {
      %r = kiln.reduce sum %a axes [0] : !rows -> tensor<9xf32>
      kiln.yield %r : tensor<9xf32>
    }
    return %s : tensor<9xf32>
  }
}

// -----

// A few rows are no work to share.
// CHECK-LABEL: func.func @run
// CHECK-NOT: kiln.parallel
!few = tensor<100x9xf32>
module {
  func.func @run(%x: !few) -> tensor<9xf32> {
    %s = kiln.fusion (%a: !few = %x : !few) -> tensor<9xf32> {
      %r = kiln.reduce sum %a axes [0] : !few -> tensor<9xf32>
      kiln.yield %r : tensor<9xf32>
    }
    return %s : tensor<9xf32>
  }
}
