// Sizes that a run finds out, from fusions to LLVM.
// RUN: kiln-opt %s --split-input-file --kiln-fuse | FileCheck %s --check-prefix=FUSE --enable-var-scope
// RUN: kiln-opt %s --split-input-file --kiln-fuse --kiln-bufferize | FileCheck %s --check-prefix=BUFFER --enable-var-scope
// RUN: kiln-opt %s --split-input-file --kiln-stage-fuse --kiln-stage-bufferize --kiln-stage-vectorize --kiln-stage-parallelize --kiln-stage-llvm | FileCheck %s --check-prefix=LLVM --enable-var-scope

// What names a symbol stays behind the op that binds it, also where no operand says so: the splats and the iota here.
// FUSE-LABEL: @run
// FUSE: kiln.runtime_call "Where"
// FUSE-NEXT: kiln.define 8 mul [s7, 2]
// FUSE-NEXT: kiln.guard 0 less_equal [s8, s0]
// FUSE: kiln.fusion
// FUSE: kiln.iota
// FUSE: return

// A result whose size is found out is made in the run, as is what the kernel gives; the kernel allocates its own.
// BUFFER-LABEL: @run
// BUFFER: %[[FEED:.*]] = kiln.buffer feed 0 : memref<?xf32>
// BUFFER: %[[WHERE:.*]] = kiln.buffer temporary 0 late : memref<?xi64>
// BUFFER: kiln.runtime_call "Where" ins(%[[FEED]] : memref<?xf32>) outs(%[[WHERE]] : memref<?xi64>)
// BUFFER: arith.mulsi_extended
// BUFFER: kiln.set_symbol 8
// BUFFER: kiln.report_error
// BUFFER: arith.cmpi sle
// BUFFER: kiln.report_error
// BUFFER: kiln.allocate result 0 : tensor<?xi64, #kiln.sym<8>>
// BUFFER: %[[RESULT:.*]] = kiln.buffer result 0 late : memref<?xi64>
// BUFFER: kiln.fusion
// BUFFER-SAME: outs(%[[RESULT]]

// What the kernel finds out goes to the run's tables; loads of it are not invariant.
// LLVM-LABEL: llvm.func @kiln_entry
// LLVM: %[[STATUS:.*]] = llvm.call %{{.*}} -> i32
// LLVM: %[[COUNT:.*]] = llvm.load %{{.*}} : !llvm.ptr -> i64
// LLVM: llvm.store %[[COUNT]]
// LLVM: %[[DATA:.*]] = llvm.load %{{.*}} : !llvm.ptr -> !llvm.ptr
// LLVM: llvm.store %[[DATA]]
// LLVM: llvm.icmp "ne" %[[STATUS]]
module {
  func.func @run(%x: tensor<?xf32, #kiln.sym<0>>) -> tensor<?xi64, #kiln.sym<8>> {
    %two = kiln.constant dense<2> : tensor<i64> : tensor<?xi64, #kiln.sym<8>>
    %w = kiln.runtime_call "Where" ins(%x : tensor<?xf32, #kiln.sym<0>>) types [tensor<?xf32, #kiln.sym<0>>, tensor<?x1xi64, #kiln.sym<7>>] {binds = array<i64: 7>} -> tensor<?x1xi64, #kiln.sym<7>>
    kiln.define 8 mul [s7, 2]
    kiln.guard 0 less_equal [s8, s0]
    %zero = kiln.constant dense<0> : tensor<i64> : tensor<i64>
    %one = kiln.constant dense<1> : tensor<i64> : tensor<i64>
    %i = kiln.iota %zero, %one axis 0 : tensor<i64> -> tensor<?xi64, #kiln.sym<8>>
    %r = kiln.mul %i, %two : tensor<?xi64, #kiln.sym<8>>
    return %r : tensor<?xi64, #kiln.sym<8>>
  }
}

// -----

// What reads a size out of a value is a load.
// BUFFER-LABEL: @run
// BUFFER: %[[PLACE:.*]] = arith.constant 2 : index
// BUFFER-NEXT: %[[NUMBER:.*]] = memref.load %{{.*}}[%[[PLACE]]] : memref<?xi32>
// BUFFER-NEXT: %[[WIDE:.*]] = arith.extsi %[[NUMBER]] : i32 to i64
// BUFFER-NEXT: kiln.set_symbol 0, %[[WIDE]]
// BUFFER-NOT: kiln.runtime_call
module {
  func.func @run(%x: tensor<3xi32>) -> tensor<?xf32, #kiln.sym<0>> {
    %one = kiln.constant dense<1> : tensor<i32> : tensor<3xi32>
    %n = kiln.add %x, %one : tensor<3xi32>
    kiln.runtime_call "ReadNumbers" ins(%n : tensor<3xi32>) types [tensor<3xi32>] {binds = array<i64: 0>, numbers = array<i64: 2>}
    %r = kiln.constant dense<1.0> : tensor<f32> : tensor<?xf32, #kiln.sym<0>>
    return %r : tensor<?xf32, #kiln.sym<0>>
  }
}
