// RUN: kiln-opt %s --split-input-file --kiln-fuse --kiln-bufferize --kiln-vectorize --canonicalize --cse | FileCheck %s --enable-var-scope
// RUN: kiln-opt %s --split-input-file --kiln-fuse --kiln-bufferize --kiln-vectorize='register-bytes=32 registers=16' \
// RUN:   | FileCheck %s --check-prefix=YMM

// A static product whose sizes are multiples of the tile: one micro-kernel of 6 x 64, nothing masked, one block of K.
// CHECK-LABEL: func.func @run
// CHECK-DAG: %[[PANEL:.*]] = memref.alloca() {alignment = 64 : i64} : memref<8192xf32>
// CHECK-DAG: %[[LHS:.*]] = kiln.buffer feed 0
// CHECK-DAG: %[[RHS:.*]] = kiln.buffer feed 1
// CHECK-DAG: %[[OUT:.*]] = kiln.buffer result 0
// CHECK: scf.for
// Packing: rows of the right operand one after the other.
// CHECK: scf.for
// CHECK-COUNT-4: vector.store %{{.*}}, %[[PANEL]]
// CHECK: scf.for {{.*}} -> (vector<16xf32>
// CHECK-COUNT-4: vector.load %[[PANEL]]
// CHECK: memref.load %[[LHS]]
// CHECK: math.fma
// CHECK: scf.yield
// CHECK-COUNT-24: vector.store %{{.*}}, %[[OUT]]
// CHECK-NOT: mask
// CHECK: kiln.parallel
!a = tensor<60x128xf32>
!b = tensor<128x256xf32>
!c = tensor<60x256xf32>
func.func @run(%a: !a, %b: !b) -> !c {
  %r = kiln.matmul %a, %b : !a, !b -> !c
  return %r : !c
}

// -----

// Few columns: one masked register, the right operand is read where it lies.
// CHECK-LABEL: func.func @run
// CHECK-NOT: alloca
// CHECK-DAG: %[[RHS:.*]] = kiln.buffer feed 1
// CHECK-DAG: %[[MASK:.*]] = {{vector.constant_mask \[10\]|vector.create_mask %c10}}
// CHECK: scf.for {{.*}} -> (vector<16xf32>
// CHECK: vector.maskedload %[[RHS]]{{.*}}, %[[MASK]]
// CHECK-NOT: vector.maskedload
// CHECK: scf.yield
// CHECK-COUNT-10: vector.maskedstore
!a = tensor<100x50xf32>
!b = tensor<50x10xf32>
!c = tensor<100x10xf32>
func.func @run(%a: !a, %b: !b) -> !c {
  %r = kiln.matmul %a, %b : !a, !b -> !c
  return %r : !c
}

// -----

// Dynamic sizes: columns that are not there are masked, in whole tiles as well, which costs AVX-512 nothing; rows that are
// not there are the last one. Later blocks of K add to what is there. A tile's results are fetched before its sums, what the
// next block of K packs with them.
// CHECK-LABEL: func.func @run
// CHECK-DAG: %[[M:.*]] = kiln.symbol 0
// CHECK-DAG: %[[K:.*]] = kiln.symbol 1
// CHECK-DAG: %[[N:.*]] = kiln.symbol 2
// CHECK-DAG: %[[RIGHT:.*]] = kiln.buffer feed 1
// CHECK-DAG: %[[OUT:.*]] = kiln.buffer result 0
// CHECK: arith.ceildivui %[[N]], %c16
// CHECK: %[[BLOCKS:.*]] = arith.ceildivui %[[K]], %c256
// CHECK: arith.maxui %[[BLOCKS]], %c1
// CHECK-COUNT-8: memref.prefetch %[[OUT]][{{.*}}], write, locality<3>, data
// CHECK: scf.for {{.*}} -> (vector<16xf64>
// CHECK: memref.prefetch %[[RIGHT]][{{.*}}], read, locality<2>, data
// CHECK: %[[OLD:.*]] = vector.maskedload %[[OUT]]
// CHECK: %[[SUM:.*]] = arith.addf %[[OLD]], %{{.*}}
// CHECK: vector.maskedstore %[[OUT]]{{.*}}, %[[SUM]]
// CHECK-NOT: -> (vector<16xf64>
// Other machines store whole tiles without masks.
// YMM-COUNT-3: func.func @run
// YMM: scf.for {{.*}} -> (vector<16xf64>
// YMM: vector.store
// YMM: scf.for {{.*}} -> (vector<16xf64>
// YMM: vector.maskedstore
!a = tensor<?x?xf64, #kiln.sym<0, 1>>
!b = tensor<?x?xf64, #kiln.sym<1, 2>>
!c = tensor<?x?xf64, #kiln.sym<0, 2>>
func.func @run(%a: !a, %b: !b) -> !c {
  %r = kiln.matmul %a, %b : !a, !b -> !c
  return %r : !c
}

// -----

// A transposed right operand is packed by squares of 16 x 16, transposed in registers; integers multiply and add.
// CHECK-LABEL: func.func @run
// CHECK-COUNT-16: vector.load
// CHECK-COUNT-64: vector.shuffle
// CHECK-NOT: math.fma
// CHECK: arith.muli %{{.*}} : vector<16xi32>
// CHECK: arith.addi %{{.*}} : vector<16xi32>
!a = tensor<2x6x64xi32>
!b = tensor<2x64x64xi32>
!c = tensor<2x6x64xi32>
func.func @run(%a: !a, %b: !b) -> !c {
  %r = kiln.matmul %a, %b transposed : !a, !b -> !c
  return %r : !c
}

// -----

// What follows a product is computed of complete sums, behind the last block of K, before they are stored.
// CHECK-LABEL: func.func @run
// CHECK-DAG: %[[BIAS:.*]] = kiln.buffer feed 2
// CHECK-DAG: %[[OUT:.*]] = kiln.buffer result 0
// CHECK: scf.for %[[BLOCK:.*]] = %c0 to %c2
// CHECK: %[[LAST:.*]] = arith.cmpi eq, %[[BLOCK]], %c1
// CHECK: %[[SUM:.*]] = arith.addf
// CHECK: scf.if %[[LAST]]
// CHECK: %[[ADDED:.*]] = vector.load %[[BIAS]]
// CHECK: %[[TOTAL:.*]] = arith.addf %[[SUM]], %[[ADDED]]
// CHECK: vector.store %[[TOTAL]], %[[OUT]][%c0]
// CHECK: } else {
// CHECK: vector.store %[[SUM]], %[[OUT]][%c0]
// CHECK-NOT: vector.store
// CHECK: return
!p = tensor<1x16xf32>
func.func @run(%x: tensor<1x300xf32>, %w: tensor<300x16xf32>, %b: tensor<16xf32>) -> !p {
  %product = kiln.matmul %x, %w : tensor<1x300xf32>, tensor<300x16xf32> -> !p
  %columns = kiln.broadcast %b map [1] : tensor<16xf32> -> !p
  %sum = kiln.add %product, %columns : !p
  return %sum : !p
}
