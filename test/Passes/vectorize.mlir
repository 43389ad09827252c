// RUN: kiln-opt %s --split-input-file --kiln-vectorize --canonicalize --cse | FileCheck %s
// One step of a linear model over rows of 9: the weights are loaded once, each row is loaded once and used for the
// product and for the gradient, rows go in blocks of 32, the update follows the loop.
// CHECK-LABEL: func.func @linear_model_step
// CHECK-DAG: %[[W:.*]] = kiln.buffer variable 0
// CHECK-DAG: %[[X:.*]] = kiln.buffer feed 0
// CHECK: vector.maskedload %[[W]]
// CHECK: scf.for
// CHECK: scf.for %{{.*}} iter_args(%{{.*}}) -> (vector<16xf32>)
// CHECK: vector.maskedload %[[X]]
// CHECK-NOT: %[[X]]
// CHECK: scf.while
// CHECK: vector.maskedstore %[[W]]
module attributes {kiln.buffer_counts = array<i64: 2, 0, 1, 0>, kiln.temporaries = [{bytes = 4 : i64, first = 1 : i64, last = 2 : i64, node = "", symbols = array<i64: -1>, values = array<i64: 9>}]} {
  kiln.variable @w index 0 : tensor<9xf32>
  func.func @linear_model_step() {
    %0 = kiln.buffer feed 0 : memref<?xf32>
    %1 = kiln.buffer variable 0 : memref<?xf32>
    %2 = kiln.buffer feed 1 : memref<?xf32>
    %3 = kiln.buffer temporary 0 : memref<?xf32>
    %4 = kiln.buffer initialized 0 : memref<?xi8>
    kiln.fusion (%arg0: tensor<?x9xf32, #kiln.sym<0>> = %0 : memref<?xf32>, %arg1: tensor<9xf32> = %1 : memref<?xf32>, %arg2: tensor<?xf32, #kiln.sym<0>> = %2 : memref<?xf32>) outs(%3 : memref<?xf32>) {
      %5 = kiln.broadcast %arg1 map [1] : tensor<9xf32> -> tensor<?x9xf32, #kiln.sym<0>>
      %6 = kiln.mul %arg0, %5 : tensor<?x9xf32, #kiln.sym<0>>
      %7 = kiln.reduce sum %6 axes [1] : tensor<?x9xf32, #kiln.sym<0>> -> tensor<?xf32, #kiln.sym<0>>
      %8 = kiln.sub %7, %arg2 : tensor<?xf32, #kiln.sym<0>>
      %9 = kiln.broadcast %8 map [0] : tensor<?xf32, #kiln.sym<0>> -> tensor<?x9xf32, #kiln.sym<0>>
      %10 = kiln.mul %arg0, %9 : tensor<?x9xf32, #kiln.sym<0>>
      %11 = kiln.reduce sum %10 axes [0] : tensor<?x9xf32, #kiln.sym<0>> -> tensor<9xf32>
      %12 = kiln.sub %arg1, %11 : tensor<9xf32>
      kiln.yield %12 : tensor<9xf32>
    }
    kiln.begin_writes
    kiln.fusion (%arg0: tensor<9xf32> = %3 : memref<?xf32>) outs(%1 : memref<?xf32>) {
      kiln.yield %arg0 : tensor<9xf32>
    }
    %c0 = arith.constant 0 : index
    %c1_i8 = arith.constant 1 : i8
    memref.store %c1_i8, %4[%c0] : memref<?xi8>
    return
  }
}

// -----

// Elementwise over any number of elements: chunks, an unmasked loop of four registers, a masked tail.
// CHECK-LABEL: func.func @elementwise
// CHECK: scf.for
// CHECK: scf.for
// CHECK-COUNT-4: vector.load
// CHECK-COUNT-4: vector.store
// CHECK: scf.for
// CHECK: vector.create_mask
// CHECK: vector.maskedload
// CHECK: vector.maskedstore
// CHECK: kiln.parallel
module attributes {kiln.buffer_counts = array<i64: 1, 0, 0, 1>, kiln.temporaries = []} {
  func.func @elementwise() {
    %0 = kiln.buffer feed 0 : memref<?xf32>
    %1 = kiln.buffer result 0 : memref<?xf32>
    kiln.fusion (%arg0: tensor<?xf32, #kiln.sym<0>> = %0 : memref<?xf32>) outs(%1 : memref<?xf32>) {
      %2 = kiln.sqrt %arg0 : tensor<?xf32, #kiln.sym<0>>
      kiln.yield %2 : tensor<?xf32, #kiln.sym<0>>
    }
    return
  }
}

// -----

// Elementary functions hide their own latency: one register a step. Where the elements fill their registers, no tail.
// CHECK-LABEL: func.func @elementary_functions
// CHECK: scf.for
// CHECK: scf.for
// CHECK-COUNT-1: vector.load
// CHECK-NOT: vector.load
// CHECK-NOT: vector.maskedload
// CHECK: vector.store
// CHECK-NOT: vector.store
// CHECK-NOT: vector.maskedstore
// CHECK: kiln.parallel
module attributes {kiln.buffer_counts = array<i64: 1, 0, 0, 1>, kiln.temporaries = []} {
  func.func @elementary_functions() {
    %0 = kiln.buffer feed 0 : memref<?xf32>
    %1 = kiln.buffer result 0 : memref<?xf32>
    kiln.fusion (%arg0: tensor<160000xf32> = %0 : memref<?xf32>) outs(%1 : memref<?xf32>) {
      %2 = kiln.exp %arg0 : tensor<160000xf32>
      kiln.yield %2 : tensor<160000xf32>
    }
    return
  }
}

// -----

// A long sum: blocks of 256 one after the other, the last masked, then the lanes by halves.
// CHECK-LABEL: func.func @long_sum
// CHECK: memref.alloca() {alignment = 64 : i64} : memref<48xvector<16xf32>>
// CHECK: scf.for
// CHECK: scf.for %{{.*}} iter_args(%{{.*}} = %{{.*}}) -> (vector<16xf32>)
// CHECK-COUNT-1: vector.load
// CHECK-NOT: vector.load
// CHECK: } {kiln.most_iterations = 16 : index}
// CHECK: scf.if %{{.*}} -> (vector<16xf32>)
// CHECK: vector.maskedload
// CHECK: scf.while
// CHECK: vector.shuffle {{.*}} [8, 9, 10, 11, 12, 13, 14, 15]
// CHECK: memref.store
module attributes {kiln.buffer_counts = array<i64: 1, 0, 0, 1>, kiln.temporaries = []} {
  func.func @long_sum() {
    %0 = kiln.buffer feed 0 : memref<?xf32>
    %1 = kiln.buffer result 0 : memref<?xf32>
    kiln.fusion (%arg0: tensor<?xf32, #kiln.sym<0>> = %0 : memref<?xf32>) outs(%1 : memref<?xf32>) {
      %2 = kiln.reduce sum %arg0 axes [0] : tensor<?xf32, #kiln.sym<0>> -> tensor<f32>
      kiln.yield %2 : tensor<f32>
    }
    return
  }
}

// -----

// An integer division is checked, and divides by nothing that traps.
// CHECK-LABEL: func.func @checked_division
// CHECK: %[[ZERO:.*]] = arith.cmpi eq, %[[Y:.*]], %{{.*}} : i32
// CHECK: scf.if %[[ZERO]]
// CHECK-NEXT: kiln.report_error
// CHECK: arith.divsi
module attributes {kiln.buffer_counts = array<i64: 2, 0, 0, 1>, kiln.temporaries = []} {
  func.func @checked_division() {
    %0 = kiln.buffer feed 0 : memref<?xi32>
    %1 = kiln.buffer feed 1 : memref<?xi32>
    %2 = kiln.buffer result 0 : memref<?xi32>
    kiln.fusion (%arg0: tensor<i32> = %0 : memref<?xi32>, %arg1: tensor<i32> = %1 : memref<?xi32>) outs(%2 : memref<?xi32>) {
      %3 = kiln.div %arg0, %arg1 : tensor<i32>
      kiln.yield %3 : tensor<i32>
    }
    kiln.poll
    return
  }
}

// -----

// A dimension that is 1 or the result's extent when the code runs is walked with stride 0 or its own.
// CHECK-LABEL: func.func @dimension_that_may_be_one
// CHECK: %[[N:.*]] = kiln.symbol 1
// CHECK: arith.cmpi eq, %[[N]], %{{.*}} : index
// CHECK: arith.select
module attributes {kiln.buffer_counts = array<i64: 2, 0, 0, 1>, kiln.temporaries = []} {
  func.func @dimension_that_may_be_one() {
    %0 = kiln.buffer feed 0 : memref<?xf32>
    %1 = kiln.buffer feed 1 : memref<?xf32>
    %2 = kiln.buffer result 0 : memref<?xf32>
    kiln.fusion (%arg0: tensor<?xf32, #kiln.sym<0>> = %0 : memref<?xf32>, %arg1: tensor<?xf32, #kiln.sym<1>> = %1 : memref<?xf32>) outs(%2 : memref<?xf32>) {
      %3 = kiln.broadcast %arg1 map [0] : tensor<?xf32, #kiln.sym<1>> -> tensor<?xf32, #kiln.sym<0>>
      %4 = kiln.add %arg0, %3 : tensor<?xf32, #kiln.sym<0>>
      kiln.yield %4 : tensor<?xf32, #kiln.sym<0>>
    }
    return
  }
}

// -----

// A dimension of extent 1 changes nothing about where a value lies: both uses of the weights share one load.
// CHECK-LABEL: func.func @unit_dimension
// CHECK-DAG: %[[W:.*]] = kiln.buffer variable 0
// CHECK: vector.maskedload %[[W]]
// CHECK-NOT: vector.maskedload %[[W]]
// CHECK: vector.maskedstore %[[W]]
module attributes {kiln.buffer_counts = array<i64: 1, 0, 1, 0>, kiln.temporaries = [{bytes = 4 : i64, first = 1 : i64, last = 2 : i64, node = "", symbols = array<i64: -1, -1>, values = array<i64: 9, 1>}]} {
  kiln.variable @w index 0 : tensor<9x1xf32>
  func.func @unit_dimension() {
    %0 = kiln.buffer feed 0 : memref<?xf32>
    %1 = kiln.buffer variable 0 : memref<?xf32>
    %2 = kiln.buffer temporary 0 : memref<?xf32>
    %3 = kiln.buffer initialized 0 : memref<?xi8>
    kiln.fusion (%arg0: tensor<?x9xf32, #kiln.sym<0>> = %0 : memref<?xf32>, %arg1: tensor<9x1xf32> = %1 : memref<?xf32>) outs(%2 : memref<?xf32>) {
      %4 = kiln.reshape %arg1 : tensor<9x1xf32> -> tensor<9xf32>
      %5 = kiln.broadcast %4 map [1] : tensor<9xf32> -> tensor<?x9xf32, #kiln.sym<0>>
      %6 = kiln.mul %arg0, %5 : tensor<?x9xf32, #kiln.sym<0>>
      %7 = kiln.reduce sum %6 axes [1] : tensor<?x9xf32, #kiln.sym<0>> -> tensor<?xf32, #kiln.sym<0>>
      %8 = kiln.broadcast %7 map [0] : tensor<?xf32, #kiln.sym<0>> -> tensor<?x9xf32, #kiln.sym<0>>
      %9 = kiln.mul %arg0, %8 : tensor<?x9xf32, #kiln.sym<0>>
      %10 = kiln.reduce sum %9 axes [0] : tensor<?x9xf32, #kiln.sym<0>> -> tensor<9xf32>
      %11 = kiln.reshape %10 : tensor<9xf32> -> tensor<9x1xf32>
      %12 = kiln.sub %arg1, %11 : tensor<9x1xf32>
      kiln.yield %12 : tensor<9x1xf32>
    }
    kiln.begin_writes
    kiln.fusion (%arg0: tensor<9x1xf32> = %2 : memref<?xf32>) outs(%1 : memref<?xf32>) {
      kiln.yield %arg0 : tensor<9x1xf32>
    }
    %c0 = arith.constant 0 : index
    %c1_i8 = arith.constant 1 : i8
    memref.store %c1_i8, %3[%c0] : memref<?xi8>
    return
  }
}
