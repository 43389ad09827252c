// RUN: kiln-opt %s --split-input-file --kiln-fuse --kiln-bufferize --kiln-vectorize="streamed-bytes=4096 unroll=1" --canonicalize --cse | FileCheck %s --enable-var-scope

// What is as large as the cache is stored past it, in whole lines, and fenced.
// CHECK-LABEL: func.func @run
// CHECK-NOT: scf.if
// CHECK: vector.store {{.*}} {alignment = 64 : i64, nontemporal = true}
// CHECK: llvm.fence seq_cst
func.func @run(%x: tensor<64x32xf32>) -> tensor<64x32xf32> {
  %r = kiln.exp %x : tensor<64x32xf32>
  return %r : tensor<64x32xf32>
}

// -----

// Less is not.
// CHECK-LABEL: func.func @run
// CHECK-NOT: nontemporal
// CHECK: vector.store
// CHECK-NOT: llvm.fence
func.func @run(%x: tensor<31x32xf32>) -> tensor<31x32xf32> {
  %r = kiln.exp %x : tensor<31x32xf32>
  return %r : tensor<31x32xf32>
}

// -----

// Where the run knows, both loops are there. 16 elements of two bytes are half a line.
// CHECK-LABEL: func.func @run
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
!t = tensor<?x32xi16, #kiln.sym<0>>
module attributes {kiln.sizes = array<i64: 9>} {
  func.func @run(%x: !t) -> !t {
    %r = kiln.neg %x : !t
    return %r : !t
  }
}

// -----

// Not in code for a run that is far smaller.
// CHECK-LABEL: func.func @run
// CHECK-NOT: nontemporal
// CHECK: vector.store
// CHECK-NOT: nontemporal
!t = tensor<?x32xf32, #kiln.sym<0>>
module attributes {kiln.sizes = array<i64: 3>} {
  func.func @run(%x: !t) -> !t {
    %r = kiln.neg %x : !t
    return %r : !t
  }
}

// -----

// A transpose streams rows of a length that only the run knows where it is a multiple of 16: by rows of the operand.
// CHECK-LABEL: func.func @run
// CHECK-DAG: %[[N:.*]] = kiln.symbol 0
// CHECK: %[[REST:.*]] = arith.remui %[[N]], %c16
// CHECK: %[[WHOLE:.*]] = arith.cmpi eq, %[[REST]], %c0
// CHECK: %[[STREAMED:.*]] = arith.andi %{{.*}}, %[[WHOLE]]
// CHECK: scf.if %[[STREAMED]]
// CHECK-COUNT-16: nontemporal
// CHECK: } else {
// CHECK-NOT: nontemporal
!t = tensor<?x64xf32, #kiln.sym<0>>
!r = tensor<64x?xf32, #kiln.sym<0>>
module attributes {kiln.sizes = array<i64: 9>} {
  func.func @run(%x: !t) -> !r {
    %r = kiln.transpose %x permutation [1, 0] : !t -> !r
    return %r : !r
  }
}

// -----

// Rows of 33 elements begin anywhere: theirs are plain stores.
// CHECK-LABEL: func.func @run
// CHECK-NOT: nontemporal
// CHECK: vector.store
// CHECK-NOT: nontemporal
func.func @run(%a: tensor<64x32xf32>, %b: tensor<64x1xf32>) -> tensor<64x33xf32> {
  %r = kiln.concat %a, %b axis 1 : tensor<64x32xf32>, tensor<64x1xf32> -> tensor<64x33xf32>
  return %r : tensor<64x33xf32>
}

// -----

// A concat's runs may begin lines.
// CHECK-LABEL: func.func @run
// CHECK-COUNT-2: vector.store {{.*}} {alignment = 64 : i64, nontemporal = true}
func.func @run(%a: tensor<64x32xf32>, %b: tensor<64x16xf32>) -> tensor<64x48xf32> {
  %r = kiln.concat %a, %b axis 1 : tensor<64x32xf32>, tensor<64x16xf32> -> tensor<64x48xf32>
  return %r : tensor<64x48xf32>
}

// -----

// What is written where it was read is in the cache.
// CHECK-LABEL: func.func @run
// CHECK-NOT: nontemporal
// CHECK: vector.store
// CHECK-NOT: nontemporal
module {
  kiln.variable @v index 0 : tensor<64x32xf32>
  func.func @run() {
    %v = kiln.var_read @v : tensor<64x32xf32>
    %n = kiln.neg %v : tensor<64x32xf32>
    kiln.var_write @v, %n : tensor<64x32xf32>
    return
  }
}

// -----

// A product adds to what it stored.
// CHECK-LABEL: func.func @run
// CHECK-NOT: nontemporal
// CHECK: vector.store
// CHECK-NOT: nontemporal
func.func @run(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %r = kiln.matmul %a, %b : tensor<64x64xf32>, tensor<64x64xf32> -> tensor<64x64xf32>
  return %r : tensor<64x64xf32>
}
