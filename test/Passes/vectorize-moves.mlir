// RUN: kiln-opt %s --split-input-file --kiln-fuse --kiln-bufferize --kiln-vectorize --canonicalize --cse | FileCheck %s --enable-var-scope

// Joining along the first axis is one flat copy an operand: chunks that threads share, a masked tail.
// CHECK-LABEL: func.func @concat_of_rows
// CHECK-DAG: %[[A:.*]] = kiln.buffer feed 0
// CHECK-DAG: %[[R:.*]] = kiln.buffer result 0
// CHECK: scf.for
// CHECK: scf.for
// CHECK: %[[V:.*]] = vector.load %[[A]]
// CHECK: vector.store %[[V]], %[[R]]
// CHECK: } {kiln.most_iterations = 1024 : index}
// CHECK: scf.if
// CHECK: vector.create_mask
// CHECK: vector.maskedload %[[A]]
// CHECK: vector.maskedstore %[[R]]
// CHECK: } {kiln.parallel}
// CHECK: vector.load
!a = tensor<?x3xf32, #kiln.sym<0>>
!b = tensor<?x3xf32, #kiln.sym<1>>
!c = tensor<?x3xf32, #kiln.sym<2>>
func.func @concat_of_rows(%a: !a, %b: !b) -> !c {
  %r = kiln.concat %a, %b axis 0 : !a, !b -> !c
  return %r : !c
}

// -----

// Joining along the last axis copies a run a row.
// CHECK-LABEL: func.func @concat_of_columns
// CHECK: scf.for
// CHECK: scf.for
// CHECK: vector.load
// CHECK: vector.store
// CHECK: } {kiln.parallel}
// CHECK: scf.for
// CHECK: memref.load
// CHECK: memref.store
// CHECK: } {kiln.parallel}
!a = tensor<?x32xf32, #kiln.sym<0>>
!b = tensor<?x1xf32, #kiln.sym<0>>
!c = tensor<?x33xf32, #kiln.sym<0>>
func.func @concat_of_columns(%a: !a, %b: !b) -> !c {
  %r = kiln.concat %a, %b axis 1 : !a, !b -> !c
  return %r : !c
}

// -----

// Each element is written once: before, inside and behind the operand; what lies behind the last padded dimension is one run.
// CHECK-LABEL: func.func @pad
// CHECK-DAG: %[[X:.*]] = kiln.buffer feed 0
// CHECK-DAG: %[[P:.*]] = kiln.buffer feed 1
// CHECK: %[[SCALAR:.*]] = memref.load %[[P]]
// CHECK: %[[FILLING:.*]] = vector.broadcast %[[SCALAR]]
// CHECK: scf.for %{{.*}} = %c0 to %c4
// CHECK: scf.for %{{.*}} = %c0 to %c32
// CHECK: vector.store %[[FILLING]]
// CHECK: scf.for %{{.*}} = %c0 to %c160
// CHECK: vector.load %[[X]]
// CHECK: scf.for %{{.*}} = %c0 to %c32
// CHECK: vector.store %[[FILLING]]
// CHECK-NOT: vector.store
func.func @pad(%x: tensor<4x5x32xf32>, %p: tensor<f32>) -> tensor<4x7x32xf32> {
  %r = kiln.pad %x, %p low [0, 1, 0] : tensor<4x5x32xf32>, tensor<f32> -> tensor<4x7x32xf32>
  return %r : tensor<4x7x32xf32>
}

// -----

// Threads share the rows of images, among them those of padding alone.
// CHECK-LABEL: func.func @pad_of_images
// CHECK: %[[N:.*]] = kiln.symbol 0
// CHECK: %[[ROWS:.*]] = arith.muli %[[N]], %c9
// CHECK: scf.for %[[ROW:.*]] = %c0 to %[[ROWS]]
// CHECK: %[[AT:.*]] = arith.remui %[[ROW]], %c9
// CHECK: %[[FROM:.*]] = arith.subi %[[AT]], %c1
// CHECK: %[[INSIDE:.*]] = arith.cmpi ult, %[[FROM]], %c7
// CHECK: scf.if %[[INSIDE]]
// CHECK: } else {
// CHECK: scf.for %{{.*}} = %c0 to %c288
// CHECK: {kiln.parallel}
!x = tensor<?x7x7x32xf32, #kiln.sym<0>>
!y = tensor<?x9x9x32xf32, #kiln.sym<0>>
func.func @pad_of_images(%x: !x, %p: tensor<f32>) -> !y {
  %r = kiln.pad %x, %p low [0, 1, 1, 0] : !x, tensor<f32> -> !y
  return %r : !y
}

// -----

// A slice from a computed start checks each dimension, reports the first that fails and copies nothing then.
// CHECK-LABEL: func.func @computed_slice
// CHECK-DAG: %[[AT:.*]] = kiln.buffer feed 1
// CHECK: memref.load %[[AT]]
// CHECK: scf.if
// CHECK: kiln.report_error
// CHECK: memref.load %[[AT]]
// CHECK: scf.if
// CHECK: kiln.report_error
// CHECK: scf.if
// CHECK: scf.for
!x = tensor<?x8xf32, #kiln.sym<0>>
func.func @computed_slice(%x: !x, %at: tensor<2xi64>) -> tensor<3x4xf32> {
  %r = kiln.slice %x at %at starts [0, 0] strides [1, 1] : !x, tensor<2xi64> -> tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}

// -----

// A computed padding is added to the fixed one; nothing is written where the operand does not lie inside.
// CHECK-LABEL: func.func @computed_pad
// CHECK-DAG: %[[AT:.*]] = kiln.buffer feed 2
// CHECK: memref.load %[[AT]]
// CHECK: memref.load %[[AT]]
// CHECK: %[[FITS:.*]] = arith.andi
// CHECK: scf.if %[[FITS]]
// CHECK: scf.for
!in = tensor<?x8xf32, #kiln.sym<0>>
!out = tensor<?x12xf32, #kiln.sym<1>>
func.func @computed_pad(%x: !in, %p: tensor<f32>, %at: tensor<2xi64>) -> !out {
  %r = kiln.pad %x, %p at %at low [0, 1] : !in, tensor<f32>, tensor<2xi64> -> !out
  return %r : !out
}

// -----

// Small constants are vectors of powers of two; dimensions are stores.
// CHECK-LABEL: func.func @small_constants
// CHECK-DAG: vector.store %{{.*}} : memref<?xi64>, vector<4xi64>
// CHECK-DAG: vector.store %{{.*}} : memref<?xi64>, vector<1xi64>
// CHECK-DAG: %[[N:.*]] = kiln.symbol 0
// CHECK: %[[CAST:.*]] = arith.index_cast %[[N]] : index to i32
// CHECK: memref.store %[[CAST]]
// CHECK: memref.store %c9_i32
func.func @small_constants(%x: tensor<?xf32, #kiln.sym<0>>) -> (tensor<5xi64>, tensor<2xi32>) {
  %c = kiln.constant dense<[1, 2, 3, 4, 5]> : tensor<5xi64> : tensor<5xi64>
  %d = kiln.dims [s0, 9] : tensor<2xi32>
  return %c, %d : tensor<5xi64>, tensor<2xi32>
}

// -----

// The first largest of a row: lanes keep a value and an index, the smallest index of the largest lanes wins.
// CHECK-LABEL: func.func @arg_max
// CHECK-DAG: %[[LOWEST:.*]] = arith.constant dense<-3.40282347E+38> : vector<16xf32>
// CHECK: scf.for
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %[[LOWEST]], {{.*}} -> (vector<16xf32>, vector<16xi64>)
// CHECK: arith.cmpf ogt
// CHECK: vector.maskedload
// CHECK: vector.reduction <maxnumf>
// CHECK: vector.reduction <minsi>
// CHECK: } {kiln.parallel}
!x = tensor<?x?xf32, #kiln.sym<0, 1>>
!i = tensor<?xi32, #kiln.sym<0>>
func.func @arg_max(%x: !x) -> !i {
  %r = kiln.arg_reduce %x axis 1 {smallest = false} : !x -> !i
  return %r : !i
}
