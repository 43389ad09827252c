// RUN: kiln-opt %s --split-input-file --kiln-vectorize --canonicalize --cse | FileCheck %s --enable-var-scope
// RUN: kiln-opt %s --split-input-file --kiln-vectorize='register-bytes=32 registers=16' \
// RUN:   | FileCheck %s --check-prefix=YMM

// A static product whose sizes are multiples of the tile: one micro-kernel of 6 x 64, nothing masked, one block of K.
// CHECK-LABEL: func.func @whole_tiles
// CHECK-DAG: %[[PANEL:.*]] = memref.alloca() {alignment = 64 : i64, kiln.scratch = "right"} : memref<8192xf32>
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
module attributes {kiln.buffer_counts = array<i64: 2, 0, 0, 1>, kiln.temporaries = []} {
  func.func @whole_tiles() {
    %0 = kiln.buffer feed 0 : memref<?xf32>
    %1 = kiln.buffer feed 1 : memref<?xf32>
    %2 = kiln.buffer result 0 : memref<?xf32>
    kiln.fusion (%arg0: tensor<60x128xf32> = %0 : memref<?xf32>, %arg1: tensor<128x256xf32> = %1 : memref<?xf32>) outs(%2 : memref<?xf32>) {
      %3 = kiln.matmul %arg0, %arg1 : tensor<60x128xf32>, tensor<128x256xf32> -> tensor<60x256xf32>
      kiln.yield %3 : tensor<60x256xf32>
    }
    return
  }
}

// -----

// Few columns: one masked register, the right operand is read where it lies.
// CHECK-LABEL: func.func @few_columns
// CHECK-NOT: alloca
// CHECK-DAG: %[[RHS:.*]] = kiln.buffer feed 1
// CHECK-DAG: %[[MASK:.*]] = {{vector.constant_mask \[10\]|vector.create_mask %c10}}
// CHECK: scf.for {{.*}} -> (vector<16xf32>
// CHECK: vector.maskedload %[[RHS]]{{.*}}, %[[MASK]]
// CHECK-NOT: vector.maskedload
// CHECK: scf.yield
// CHECK-COUNT-10: vector.maskedstore
module attributes {kiln.buffer_counts = array<i64: 2, 0, 0, 1>, kiln.temporaries = []} {
  func.func @few_columns() {
    %0 = kiln.buffer feed 0 : memref<?xf32>
    %1 = kiln.buffer feed 1 : memref<?xf32>
    %2 = kiln.buffer result 0 : memref<?xf32>
    kiln.fusion (%arg0: tensor<100x50xf32> = %0 : memref<?xf32>, %arg1: tensor<50x10xf32> = %1 : memref<?xf32>) outs(%2 : memref<?xf32>) {
      %3 = kiln.matmul %arg0, %arg1 : tensor<100x50xf32>, tensor<50x10xf32> -> tensor<100x10xf32>
      kiln.yield %3 : tensor<100x10xf32>
    }
    return
  }
}

// -----

// Dynamic sizes: columns that are not there are masked, in whole tiles as well, which costs AVX-512 nothing; rows that are
// not there are the last one. Later blocks of K add to what is there. A tile's results are fetched before its sums, what the
// next block of K packs with them.
// CHECK-LABEL: func.func @dynamic_sizes
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
// YMM-LABEL: func.func @dynamic_sizes
// YMM: scf.for {{.*}} -> (vector<16xf64>
// YMM: vector.store
// YMM: scf.for {{.*}} -> (vector<16xf64>
// YMM: vector.maskedstore
module attributes {kiln.buffer_counts = array<i64: 2, 0, 0, 1>, kiln.temporaries = []} {
  func.func @dynamic_sizes() {
    %0 = kiln.buffer feed 0 : memref<?xf64>
    %1 = kiln.buffer feed 1 : memref<?xf64>
    %2 = kiln.buffer result 0 : memref<?xf64>
    kiln.fusion (%arg0: tensor<?x?xf64, #kiln.sym<0, 1>> = %0 : memref<?xf64>, %arg1: tensor<?x?xf64, #kiln.sym<1, 2>> = %1 : memref<?xf64>) outs(%2 : memref<?xf64>) {
      %3 = kiln.matmul %arg0, %arg1 : tensor<?x?xf64, #kiln.sym<0, 1>>, tensor<?x?xf64, #kiln.sym<1, 2>> -> tensor<?x?xf64, #kiln.sym<0, 2>>
      kiln.yield %3 : tensor<?x?xf64, #kiln.sym<0, 2>>
    }
    return
  }
}

// -----

// A transposed right operand is packed by squares of 16 x 16, transposed in registers; integers multiply and add.
// CHECK-LABEL: func.func @transposed_rhs
// CHECK-COUNT-16: vector.load
// CHECK-COUNT-64: vector.shuffle
// CHECK-NOT: math.fma
// CHECK: arith.muli %{{.*}} : vector<16xi32>
// CHECK: arith.addi %{{.*}} : vector<16xi32>
module attributes {kiln.buffer_counts = array<i64: 2, 0, 0, 1>, kiln.temporaries = []} {
  func.func @transposed_rhs() {
    %0 = kiln.buffer feed 0 : memref<?xi32>
    %1 = kiln.buffer feed 1 : memref<?xi32>
    %2 = kiln.buffer result 0 : memref<?xi32>
    kiln.fusion (%arg0: tensor<2x6x64xi32> = %0 : memref<?xi32>, %arg1: tensor<2x64x64xi32> = %1 : memref<?xi32>) outs(%2 : memref<?xi32>) {
      %3 = kiln.matmul %arg0, %arg1 transposed : tensor<2x6x64xi32>, tensor<2x64x64xi32> -> tensor<2x6x64xi32>
      kiln.yield %3 : tensor<2x6x64xi32>
    }
    return
  }
}

// -----

// What follows a product is computed of complete sums, behind the last block of K, before they are stored.
// CHECK-LABEL: func.func @epilogue
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
module attributes {kiln.buffer_counts = array<i64: 3, 0, 0, 1>, kiln.temporaries = []} {
  func.func @epilogue() {
    %0 = kiln.buffer feed 0 : memref<?xf32>
    %1 = kiln.buffer feed 1 : memref<?xf32>
    %2 = kiln.buffer feed 2 : memref<?xf32>
    %3 = kiln.buffer result 0 : memref<?xf32>
    kiln.fusion (%arg0: tensor<1x300xf32> = %0 : memref<?xf32>, %arg1: tensor<300x16xf32> = %1 : memref<?xf32>, %arg2: tensor<16xf32> = %2 : memref<?xf32>) outs(%3 : memref<?xf32>) {
      %4 = kiln.matmul %arg0, %arg1 : tensor<1x300xf32>, tensor<300x16xf32> -> tensor<1x16xf32>
      %5 = kiln.broadcast %arg2 map [1] : tensor<16xf32> -> tensor<1x16xf32>
      %6 = kiln.add %4, %5 : tensor<1x16xf32>
      kiln.yield %6 : tensor<1x16xf32>
    }
    return
  }
}

// -----

// Both products pack into one array, which has the larger one's size, and of AVX2 their rows into another.
// CHECK-LABEL: func.func @shared_scratch
// CHECK: memref.alloca() {alignment = 64 : i64, kiln.scratch = "right"} : memref<16384xf32>
// CHECK-NOT: memref.alloca()
// YMM-LABEL: func.func @shared_scratch
// YMM-DAG: memref.alloca() {alignment = 64 : i64, kiln.scratch = "right"} : memref<4096xf32>
// YMM-DAG: memref.alloca() {alignment = 64 : i64, kiln.scratch = "left"} : memref<{{[0-9]+}}xf32>
// YMM-NOT: memref.alloca()
// YMM: return
module attributes {kiln.buffer_counts = array<i64: 4, 0, 0, 2>, kiln.temporaries = []} {
  func.func @shared_scratch() {
    %0 = kiln.buffer feed 0 : memref<?xf32>
    %1 = kiln.buffer feed 1 : memref<?xf32>
    %2 = kiln.buffer result 0 : memref<?xf32>
    %3 = kiln.buffer feed 2 : memref<?xf32>
    %4 = kiln.buffer feed 3 : memref<?xf32>
    %5 = kiln.buffer result 1 : memref<?xf32>
    kiln.fusion (%arg0: tensor<128x60xf32> = %0 : memref<?xf32>, %arg1: tensor<128x192xf32> = %1 : memref<?xf32>) outs(%2 : memref<?xf32>) {
      %6 = kiln.matmul %arg0 transposed, %arg1 : tensor<128x60xf32>, tensor<128x192xf32> -> tensor<60x192xf32>
      kiln.yield %6 : tensor<60x192xf32>
    }
    kiln.fusion (%arg0: tensor<300x60xf32> = %3 : memref<?xf32>, %arg1: tensor<300x192xf32> = %4 : memref<?xf32>) outs(%5 : memref<?xf32>) {
      %6 = kiln.matmul %arg0 transposed, %arg1 : tensor<300x60xf32>, tensor<300x192xf32> -> tensor<60x192xf32>
      kiln.yield %6 : tensor<60x192xf32>
    }
    return
  }
}
