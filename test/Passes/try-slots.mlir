// RUN: kiln-opt %s --split-input-file --kiln-try-slots | FileCheck %s --enable-var-scope
// RUN: kiln-opt %s --split-input-file --kiln-try-slots --kiln-lower-to-llvm | FileCheck %s --check-prefix=LLVM --enable-var-scope

// In a loop a kernel is called for what could not be done without it; what is a number of the loop goes there as a copy.
// CHECK-LABEL: func.func @run()
// CHECK:         %[[COPY:.*]] = memref.alloca() : memref<1xi32>
// CHECK:         %[[PASSED:.*]] = memref.cast %[[COPY]] : memref<1xi32> to memref<?xi32>
// CHECK:         %[[NUMBER:.*]] = memref.alloca() : memref<1xi32>
// CHECK-NEXT:    %[[I:.*]] = memref.cast %[[NUMBER]] : memref<1xi32> to memref<?xi32>
// CHECK:         scf.while
// CHECK:           %[[DONE:.*]] = kiln.try_slot read 3[%[[I]] : memref<?xi32>] %[[X:.*]] : memref<?xf32> as tensor<4x?xf32, #kiln.sym<0>>
// CHECK-NEXT:      scf.if %[[DONE]] {
// CHECK-NEXT:      } else {
// CHECK-NEXT:        %[[VALUE:.*]] = memref.load %[[NUMBER]]
// CHECK-NEXT:        memref.store %[[VALUE]], %[[COPY]]
// CHECK-NEXT:        kiln.runtime_call "SlotRead" ins(%[[PASSED]] : memref<?xi32>) outs(%[[X]] : memref<?xf32>)
// CHECK:           }
// CHECK:           kiln.try_slot push 4 %{{.*}} : memref<?xi64> as tensor<i64> string
// CHECK-NOT:       kiln.try_slot

// Elements that are no numbers have one function for all accesses of a rank; a number's is in place. Rank and type are one word.
// LLVM-LABEL: llvm.func internal @try_slot.read.2(
// LLVM-SAME:      %[[SLOT:[^:]*]]: !llvm.ptr, %[[INDEX:[^:]*]]: i32, %{{[^:]*}}: !llvm.ptr, %[[WANTED:[^:]*]]: i64
// LLVM:          %[[WORD:.*]] = llvm.getelementptr inbounds %[[SLOT]][40]
// LLVM-NEXT:     %[[KIND:.*]] = llvm.load %[[WORD]]
// LLVM-NEXT:     %[[SAME:.*]] = llvm.icmp "eq" %[[KIND]], %[[WANTED]]
// LLVM:          llvm.cond_br %[[SAME]] weights([1048576, 1])
// LLVM:          "llvm.intr.memcpy"
// LLVM-LABEL: llvm.func @kiln_entry(
// LLVM:          %[[READ:.*]] = llvm.call %{{.*}}(%{{.*}}, %{{.*}}) : !llvm.ptr, (!llvm.ptr, i64) -> !llvm.ptr
// LLVM-DAG:      %[[FLOATS:.*]] = llvm.mlir.constant(4294967298 : i64)
// LLVM:          llvm.call @try_slot.read.2(%[[READ]], %{{.*}}, %{{.*}}, %[[FLOATS]]
// LLVM:          %[[STRINGS:.*]] = llvm.mlir.constant(30064771072 : i64)
// LLVM:          llvm.icmp "eq" %{{.*}}, %[[STRINGS]]
module attributes {kiln.buffer_counts = array<i64: 4, 0, 0, 0>} {
  func.func @run() {
    %c0 = arith.constant 0 : index
    %number = memref.alloca() : memref<1xi32>
    %i = memref.cast %number : memref<1xi32> to memref<?xi32>
    %go = kiln.buffer feed 0 : memref<?xi8>
    %x = kiln.buffer feed 1 : memref<?xf32>
    %s = kiln.buffer feed 2 : memref<?xi64>
    %all = kiln.buffer feed 3 : memref<?xi32>
    scf.while : () -> () {
      %byte = memref.load %go[%c0] : memref<?xi8>
      %c = arith.trunci %byte : i8 to i1
      scf.condition(%c)
    } do {
      kiln.runtime_call "SlotRead" ins(%i : memref<?xi32>) outs(%x : memref<?xf32>) types [tensor<i32>, tensor<4x?xf32, #kiln.sym<0>>] {numbers = array<i64: 3>}
      kiln.runtime_call "SlotPush" ins(%s : memref<?xi64>) types [tensor<i64>] {numbers = array<i64: 4>, strings = array<i64: 0>}
      kiln.runtime_call "SlotWriteMany" ins(%all, %x : memref<?xi32>, memref<?xf32>) types [tensor<4xi32>, tensor<4x4xf32>] {numbers = array<i64: 3>}
      scf.yield
    }
    return
  }
}

// -----

// A result that is a number of the loop comes back from a copy.
// CHECK-LABEL: func.func @run()
// CHECK:         %[[DONE:.*]] = kiln.try_slot pop 0 %[[X:.*]] : memref<?xf32> as tensor<f32>
// CHECK:         } else {
// CHECK-NEXT:      kiln.runtime_call "ListPop" ins(%{{.*}} : memref<?xi32>) outs(%[[COPY:.*]] : memref<?xf32>)
// CHECK-NEXT:      %[[VALUE:.*]] = memref.load
// CHECK-NEXT:      memref.store %[[VALUE]]
// CHECK:         }
module attributes {kiln.buffer_counts = array<i64: 2, 0, 0, 0>} {
  func.func @run() {
    %c0 = arith.constant 0 : index
    %number = memref.alloca() : memref<1xf32>
    %x = memref.cast %number : memref<1xf32> to memref<?xf32>
    %go = kiln.buffer feed 0 : memref<?xi8>
    %shape = kiln.buffer feed 1 : memref<?xi32>
    scf.while : () -> () {
      %byte = memref.load %go[%c0] : memref<?xi8>
      %c = arith.trunci %byte : i8 to i1
      scf.condition(%c)
    } do {
      kiln.runtime_call "ListPop" ins(%shape : memref<?xi32>) outs(%x : memref<?xf32>) types [tensor<0xi32>, tensor<f32>] {numbers = array<i64: 0>}
      scf.yield
    }
    return
  }
}

// -----

// Left alone: what stands in no loop, and what finds out sizes.
// CHECK-LABEL: func.func @run()
// CHECK-NOT:     kiln.try_slot
// CHECK:         return
module attributes {kiln.buffer_counts = array<i64: 3, 0, 0, 0>} {
  func.func @run() {
    %c0 = arith.constant 0 : index
    %go = kiln.buffer feed 0 : memref<?xi8>
    %i = kiln.buffer feed 1 : memref<?xi32>
    %x = kiln.buffer feed 2 : memref<?xf32>
    %late = kiln.buffer temporary 0 late : memref<?xf32>
    kiln.runtime_call "SlotWrite" ins(%i, %x : memref<?xi32>, memref<?xf32>) types [tensor<i32>, tensor<4xf32>] {numbers = array<i64: 3>}
    scf.while : () -> () {
      %byte = memref.load %go[%c0] : memref<?xi8>
      %c = arith.trunci %byte : i8 to i1
      scf.condition(%c)
    } do {
      kiln.runtime_call "SlotRead" ins(%i : memref<?xi32>) outs(%late : memref<?xf32>) types [tensor<i32>, tensor<?xf32, #kiln.sym<7>>] {binds = array<i64: 7>, numbers = array<i64: 3>}
      scf.yield
    }
    return
  }
}
