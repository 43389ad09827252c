// RUN: kiln-opt %s --split-input-file --kiln-bufferize --kiln-vectorize --canonicalize --cse | FileCheck %s

// One step of a linear model over rows of 9: the weights are loaded once, each row is loaded once and used for the
// product and for the gradient, rows go in blocks of 32, the update follows the loop.
// CHECK-LABEL: func.func @run
// CHECK-DAG: %[[W:.*]] = kiln.buffer variable 0
// CHECK-DAG: %[[X:.*]] = kiln.buffer feed 0
// CHECK: vector.maskedload %[[W]]
// CHECK: scf.for
// CHECK: scf.for %{{.*}} iter_args(%{{.*}}) -> (vector<16xf32>)
// CHECK: vector.maskedload %[[X]]
// CHECK-NOT: %[[X]]
// CHECK: scf.while
// CHECK: vector.maskedstore %[[W]]
!mat = tensor<?x9xf32, #kiln.sym<0>>
!col = tensor<?xf32, #kiln.sym<0>>
module {
  kiln.variable @w index 0 : tensor<9xf32>
  func.func @run(%x: !mat, %y: !col) {
    %w = kiln.var_read @w : tensor<9xf32>
    %n = kiln.fusion (%a: !mat = %x : !mat, %b: tensor<9xf32> = %w : tensor<9xf32>, %c: !col = %y : !col) -> tensor<9xf32> {
      %wb = kiln.broadcast %b map [1] : tensor<9xf32> -> !mat
      %xw = kiln.mul %a, %wb : !mat
      %p = kiln.reduce sum %xw axes [1] : !mat -> !col
      %e = kiln.sub %p, %c : !col
      %eb = kiln.broadcast %e map [0] : !col -> !mat
      %xe = kiln.mul %a, %eb : !mat
      %g = kiln.reduce sum %xe axes [0] : !mat -> tensor<9xf32>
      %s = kiln.sub %b, %g : tensor<9xf32>
      kiln.yield %s : tensor<9xf32>
    }
    kiln.var_write @w, %n : tensor<9xf32>
    return
  }
}

// -----

// Elementwise over any number of elements: chunks, an unmasked loop of four registers, a masked tail.
// CHECK-LABEL: func.func @run
// CHECK: scf.for
// CHECK: scf.for
// CHECK-COUNT-4: vector.load
// CHECK-COUNT-4: vector.store
// CHECK: scf.for
// CHECK: vector.create_mask
// CHECK: vector.maskedload
// CHECK: vector.maskedstore
// CHECK: kiln.parallel
!any = tensor<?xf32, #kiln.sym<0>>
func.func @run(%x: !any) -> !any {
  %r = kiln.fusion (%a: !any = %x : !any) -> !any {
    %s = kiln.sqrt %a : !any
    kiln.yield %s : !any
  }
  return %r : !any
}

// -----

// Elementary functions hide their own latency: one register a step. Where the elements fill their registers, no tail.
// CHECK-LABEL: func.func @run
// CHECK: scf.for
// CHECK: scf.for
// CHECK-COUNT-1: vector.load
// CHECK-NOT: vector.load
// CHECK-NOT: vector.maskedload
// CHECK: vector.store
// CHECK-NOT: vector.store
// CHECK-NOT: vector.maskedstore
// CHECK: kiln.parallel
func.func @run(%x: tensor<160000xf32>) -> tensor<160000xf32> {
  %r = kiln.fusion (%a: tensor<160000xf32> = %x : tensor<160000xf32>) -> tensor<160000xf32> {
    %s = kiln.exp %a : tensor<160000xf32>
    kiln.yield %s : tensor<160000xf32>
  }
  return %r : tensor<160000xf32>
}

// -----

// A long sum: blocks of 256 one after the other, the last masked, then the lanes by halves.
// CHECK-LABEL: func.func @run
// CHECK: memref.alloca() : memref<48xvector<16xf32>>
// CHECK: scf.for
// CHECK: scf.for %{{.*}} iter_args(%{{.*}} = %{{.*}}) -> (vector<16xf32>)
// CHECK-COUNT-1: vector.load
// CHECK-NOT: vector.load
// CHECK: } {kiln.most_turns = 16 : index}
// CHECK: scf.if %{{.*}} -> (vector<16xf32>)
// CHECK: vector.maskedload
// CHECK: scf.while
// CHECK: vector.shuffle {{.*}} [8, 9, 10, 11, 12, 13, 14, 15]
// CHECK: memref.store
!any = tensor<?xf32, #kiln.sym<0>>
func.func @run(%x: !any) -> tensor<f32> {
  %r = kiln.fusion (%a: !any = %x : !any) -> tensor<f32> {
    %s = kiln.reduce sum %a axes [0] : !any -> tensor<f32>
    kiln.yield %s : tensor<f32>
  }
  return %r : tensor<f32>
}

// -----

// An integer division is checked, and divides by nothing that traps.
// CHECK-LABEL: func.func @run
// CHECK: %[[ZERO:.*]] = arith.cmpi eq, %[[Y:.*]], %{{.*}} : i32
// CHECK: scf.if %[[ZERO]]
// CHECK-NEXT: kiln.report_error
// CHECK: arith.divsi
func.func @run(%x: tensor<i32>, %y: tensor<i32>) -> tensor<i32> {
  %r = kiln.fusion (%a: tensor<i32> = %x : tensor<i32>, %b: tensor<i32> = %y : tensor<i32>) -> tensor<i32> {
    %s = kiln.div %a, %b : tensor<i32>
    kiln.yield %s : tensor<i32>
  }
  return %r : tensor<i32>
}

// -----

// A dimension that is 1 or the result's extent when the code runs is walked with stride 0 or its own.
// CHECK-LABEL: func.func @run
// CHECK: %[[N:.*]] = kiln.symbol 1
// CHECK: arith.cmpi eq, %[[N]], %{{.*}} : index
// CHECK: arith.select
!a = tensor<?xf32, #kiln.sym<0>>
!b = tensor<?xf32, #kiln.sym<1>>
func.func @run(%x: !a, %y: !b) -> !a {
  %r = kiln.fusion (%c: !a = %x : !a, %d: !b = %y : !b) -> !a {
    %e = kiln.broadcast %d map [0] : !b -> !a
    %s = kiln.add %c, %e : !a
    kiln.yield %s : !a
  }
  return %r : !a
}

// -----

// A dimension of extent 1 changes nothing about where a value lies: both uses of the weights share one load.
// CHECK-LABEL: func.func @run
// CHECK-DAG: %[[W:.*]] = kiln.buffer variable 0
// CHECK: vector.maskedload %[[W]]
// CHECK-NOT: vector.maskedload %[[W]]
// CHECK: vector.maskedstore %[[W]]
!rows = tensor<?x9xf32, #kiln.sym<0>>
!column = tensor<?xf32, #kiln.sym<0>>
module {
  kiln.variable @w index 0 : tensor<9x1xf32>
  func.func @run(%x: !rows) {
    %w = kiln.var_read @w : tensor<9x1xf32>
    %n = kiln.fusion (%a: !rows = %x : !rows, %b: tensor<9x1xf32> = %w : tensor<9x1xf32>) -> tensor<9x1xf32> {
      %v = kiln.reshape %b : tensor<9x1xf32> -> tensor<9xf32>
      %vb = kiln.broadcast %v map [1] : tensor<9xf32> -> !rows
      %xw = kiln.mul %a, %vb : !rows
      %p = kiln.reduce sum %xw axes [1] : !rows -> !column
      %pb = kiln.broadcast %p map [0] : !column -> !rows
      %xp = kiln.mul %a, %pb : !rows
      %g = kiln.reduce sum %xp axes [0] : !rows -> tensor<9xf32>
      %gc = kiln.reshape %g : tensor<9xf32> -> tensor<9x1xf32>
      %s = kiln.sub %b, %gc : tensor<9x1xf32>
      kiln.yield %s : tensor<9x1xf32>
    }
    kiln.var_write @w, %n : tensor<9x1xf32>
    return
  }
}
