// RUN: kiln-opt %s --split-input-file --kiln-vectorize="min-streamed-bytes=4096 unroll=1" --canonicalize --cse | FileCheck %s --enable-var-scope

// What is as large as the cache is stored past it, in whole lines, and fenced.
// CHECK-LABEL: func.func @large_result
// CHECK-NOT: scf.if
// CHECK: vector.store {{.*}} {alignment = 64 : i64, nontemporal = true}
// CHECK: llvm.fence seq_cst
module attributes {kiln.buffer_counts = array<i64: 1, 0, 0, 1>, kiln.temporaries = []} {
  func.func @large_result() {
    %0 = kiln.buffer feed 0 : memref<?xf32>
    %1 = kiln.buffer result 0 : memref<?xf32>
    kiln.fusion (%arg0: tensor<64x32xf32> = %0 : memref<?xf32>) outs(%1 : memref<?xf32>) {
      %2 = kiln.exp %arg0 : tensor<64x32xf32>
      kiln.yield %2 : tensor<64x32xf32>
    }
    return
  }
}

// -----

// Less is not.
// CHECK-LABEL: func.func @small_result
// CHECK-NOT: nontemporal
// CHECK: vector.store
// CHECK-NOT: llvm.fence
module attributes {kiln.buffer_counts = array<i64: 1, 0, 0, 1>, kiln.temporaries = []} {
  func.func @small_result() {
    %0 = kiln.buffer feed 0 : memref<?xf32>
    %1 = kiln.buffer result 0 : memref<?xf32>
    kiln.fusion (%arg0: tensor<31x32xf32> = %0 : memref<?xf32>) outs(%1 : memref<?xf32>) {
      %2 = kiln.exp %arg0 : tensor<31x32xf32>
      kiln.yield %2 : tensor<31x32xf32>
    }
    return
  }
}

// -----

// Where the run knows, both loops are there. 16 elements of two bytes are half a line.
// CHECK-LABEL: func.func @result_of_unknown_size
// CHECK-DAG: %[[N:.*]] = kiln.symbol 0
// CHECK-DAG: %[[BYTES:.*]] = arith.muli %[[N]], %c64
// CHECK: %[[LARGE:.*]] = arith.cmpi uge, %[[BYTES]], %c4096
// CHECK: scf.if %[[LARGE]]
// CHECK: vector.store {{.*}} {alignment = 32 : i64, nontemporal = true}
// CHECK: llvm.fence seq_cst
// CHECK: } else {
// CHECK-NOT: nontemporal
// CHECK: vector.store
// CHECK-NOT: llvm.fence
module attributes {kiln.buffer_counts = array<i64: 1, 0, 0, 1>, kiln.sizes = array<i64: 9>, kiln.temporaries = []} {
  func.func @result_of_unknown_size() {
    %0 = kiln.buffer feed 0 : memref<?xi16>
    %1 = kiln.buffer result 0 : memref<?xi16>
    kiln.fusion (%arg0: tensor<?x32xi16, #kiln.sym<0>> = %0 : memref<?xi16>) outs(%1 : memref<?xi16>) {
      %2 = kiln.neg %arg0 : tensor<?x32xi16, #kiln.sym<0>>
      kiln.yield %2 : tensor<?x32xi16, #kiln.sym<0>>
    }
    return
  }
}

// -----

// Not in code for a run that is far smaller.
// CHECK-LABEL: func.func @small_run
// CHECK-NOT: nontemporal
// CHECK: vector.store
// CHECK-NOT: nontemporal
module attributes {kiln.buffer_counts = array<i64: 1, 0, 0, 1>, kiln.sizes = array<i64: 3>, kiln.temporaries = []} {
  func.func @small_run() {
    %0 = kiln.buffer feed 0 : memref<?xf32>
    %1 = kiln.buffer result 0 : memref<?xf32>
    kiln.fusion (%arg0: tensor<?x32xf32, #kiln.sym<0>> = %0 : memref<?xf32>) outs(%1 : memref<?xf32>) {
      %2 = kiln.neg %arg0 : tensor<?x32xf32, #kiln.sym<0>>
      kiln.yield %2 : tensor<?x32xf32, #kiln.sym<0>>
    }
    return
  }
}

// -----

// A transpose streams rows of a length that only the run knows where it is a multiple of 16: by rows of the operand.
// CHECK-LABEL: func.func @transpose
// CHECK-DAG: %[[N:.*]] = kiln.symbol 0
// CHECK: %[[REST:.*]] = arith.remui %[[N]], %c16
// CHECK: %[[WHOLE:.*]] = arith.cmpi eq, %[[REST]], %c0
// CHECK: %[[STREAMED:.*]] = arith.andi %{{.*}}, %[[WHOLE]]
// CHECK: scf.if %[[STREAMED]]
// CHECK-COUNT-16: nontemporal
// CHECK: } else {
// CHECK-NOT: nontemporal
module attributes {kiln.buffer_counts = array<i64: 1, 0, 0, 1>, kiln.sizes = array<i64: 9>, kiln.temporaries = []} {
  func.func @transpose() {
    %0 = kiln.buffer feed 0 : memref<?xf32>
    %1 = kiln.buffer result 0 : memref<?xf32>
    kiln.fusion (%arg0: tensor<?x64xf32, #kiln.sym<0>> = %0 : memref<?xf32>) outs(%1 : memref<?xf32>) {
      %2 = kiln.transpose %arg0 permutation [1, 0] : tensor<?x64xf32, #kiln.sym<0>> -> tensor<64x?xf32, #kiln.sym<0>>
      kiln.yield %2 : tensor<64x?xf32, #kiln.sym<0>>
    }
    return
  }
}

// -----

// Rows of 33 elements begin anywhere: theirs are plain stores.
// CHECK-LABEL: func.func @unaligned_rows
// CHECK-NOT: nontemporal
// CHECK: vector.store
// CHECK-NOT: nontemporal
module attributes {kiln.buffer_counts = array<i64: 2, 0, 0, 1>, kiln.temporaries = []} {
  func.func @unaligned_rows() {
    %0 = kiln.buffer feed 0 : memref<?xf32>
    %1 = kiln.buffer feed 1 : memref<?xf32>
    %2 = kiln.buffer result 0 : memref<?xf32>
    kiln.fusion (%arg0: tensor<64x32xf32> = %0 : memref<?xf32>, %arg1: tensor<64x1xf32> = %1 : memref<?xf32>) outs(%2 : memref<?xf32>) {
      %3 = kiln.concat %arg0, %arg1 axis 1 : tensor<64x32xf32>, tensor<64x1xf32> -> tensor<64x33xf32>
      kiln.yield %3 : tensor<64x33xf32>
    }
    return
  }
}

// -----

// A concat's runs may begin lines.
// CHECK-LABEL: func.func @concat
// CHECK-COUNT-2: vector.store {{.*}} {alignment = 64 : i64, nontemporal = true}
module attributes {kiln.buffer_counts = array<i64: 2, 0, 0, 1>, kiln.temporaries = []} {
  func.func @concat() {
    %0 = kiln.buffer feed 0 : memref<?xf32>
    %1 = kiln.buffer feed 1 : memref<?xf32>
    %2 = kiln.buffer result 0 : memref<?xf32>
    kiln.fusion (%arg0: tensor<64x32xf32> = %0 : memref<?xf32>, %arg1: tensor<64x16xf32> = %1 : memref<?xf32>) outs(%2 : memref<?xf32>) {
      %3 = kiln.concat %arg0, %arg1 axis 1 : tensor<64x32xf32>, tensor<64x16xf32> -> tensor<64x48xf32>
      kiln.yield %3 : tensor<64x48xf32>
    }
    return
  }
}

// -----

// What is written where it was read is in the cache.
// CHECK-LABEL: func.func @written_where_it_was_read
// CHECK-NOT: nontemporal
// CHECK: vector.store
// CHECK-NOT: nontemporal
module attributes {kiln.buffer_counts = array<i64: 0, 0, 1, 0>, kiln.temporaries = []} {
  kiln.variable @v index 0 : tensor<64x32xf32>
  func.func @written_where_it_was_read() {
    %0 = kiln.buffer variable 0 : memref<?xf32>
    %1 = kiln.buffer initialized 0 : memref<?xi8>
    kiln.begin_writes
    kiln.fusion (%arg0: tensor<64x32xf32> = %0 : memref<?xf32>) outs(%0 : memref<?xf32>) {
      %2 = kiln.neg %arg0 : tensor<64x32xf32>
      kiln.yield %2 : tensor<64x32xf32>
    }
    %c0 = arith.constant 0 : index
    %c1_i8 = arith.constant 1 : i8
    memref.store %c1_i8, %1[%c0] : memref<?xi8>
    return
  }
}

// -----

// A product adds to what it stored.
// CHECK-LABEL: func.func @contraction
// CHECK-NOT: nontemporal
// CHECK: vector.store
// CHECK-NOT: nontemporal
module attributes {kiln.buffer_counts = array<i64: 2, 0, 0, 1>, kiln.temporaries = []} {
  func.func @contraction() {
    %0 = kiln.buffer feed 0 : memref<?xf32>
    %1 = kiln.buffer feed 1 : memref<?xf32>
    %2 = kiln.buffer result 0 : memref<?xf32>
    kiln.fusion (%arg0: tensor<64x64xf32> = %0 : memref<?xf32>, %arg1: tensor<64x64xf32> = %1 : memref<?xf32>) outs(%2 : memref<?xf32>) {
      %3 = kiln.matmul %arg0, %arg1 : tensor<64x64xf32>, tensor<64x64xf32> -> tensor<64x64xf32>
      kiln.yield %3 : tensor<64x64xf32>
    }
    return
  }
}
