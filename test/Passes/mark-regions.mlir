// RUN: kiln-opt %s --split-input-file --kiln-mark-regions --verify-each | FileCheck %s --enable-var-scope

// Each fusion becomes a function that is named after its nodes, between two marks.
// CHECK-LABEL: module attributes
// CHECK-SAME: kiln.regions = [{flops = [array<i64: 2, 0>], name = "scaled+triad", nodes = ["scaled", "triad"], read = [array<i64: 8, 0>], written = [array<i64: 4, 0>]}]
// CHECK: func.func @function_of_a_fusion
// CHECK-NOT: kiln.fusion
// CHECK: kiln.mark_region 0
// CHECK-NEXT: call @"kiln:0:scaled+triad"() : () -> ()
// CHECK-NEXT: kiln.mark_region 1
// CHECK: func.func private @"kiln:0:scaled+triad"() attributes {kiln.region}
// CHECK-DAG: kiln.buffer feed 0
// CHECK-DAG: kiln.buffer feed 1
// CHECK-DAG: kiln.buffer result 0
// CHECK: kiln.fusion
module attributes {kiln.buffer_counts = array<i64: 2, 0, 0, 1>} {
  func.func @function_of_a_fusion() {
    %a = kiln.buffer feed 0 : memref<?xf32>
    %b = kiln.buffer feed 1 : memref<?xf32>
    %r = kiln.buffer result 0 : memref<?xf32>
    kiln.fusion (%x: tensor<?xf32, #kiln.sym<0>> = %a : memref<?xf32>, %y: tensor<?xf32, #kiln.sym<0>> = %b : memref<?xf32>) outs(%r : memref<?xf32>) {
      %m = kiln.mul %x, %x : tensor<?xf32, #kiln.sym<0>> loc("scaled")
      %s = kiln.add %m, %y : tensor<?xf32, #kiln.sym<0>> loc("triad")
      kiln.yield %s : tensor<?xf32, #kiln.sym<0>>
    }
    return
  }
}

// -----

// What lies on the function's stack is given to the function of the fusion.
// CHECK: func.func @stack_memory_is_passed
// CHECK: %[[CAST:.*]] = memref.cast
// CHECK: call @"kiln:0:next"(%[[CAST]]) : (memref<?xi32>) -> ()
// CHECK: func.func private @"kiln:0:next"(%[[SLOT:.*]]: memref<?xi32>)
// CHECK: kiln.fusion (%{{.*}} = %[[SLOT]] : memref<?xi32>) outs(%[[SLOT]] :
module attributes {kiln.buffer_counts = array<i64: 0, 0, 0, 0>} {
  func.func @stack_memory_is_passed() {
    %slot = memref.alloca() : memref<1xi32>
    %i = memref.cast %slot : memref<1xi32> to memref<?xi32>
    kiln.fusion (%x: tensor<i32> = %i : memref<?xi32>) outs(%i : memref<?xi32>) {
      %s = kiln.add %x, %x : tensor<i32> loc("next")
      kiln.yield %s : tensor<i32>
    }
    return
  }
}
