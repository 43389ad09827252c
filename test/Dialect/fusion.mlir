// Round trips of fusions, runtime calls and buffers.
// RUN: kiln-opt %s | kiln-opt | FileCheck %s

!v = tensor<?xf32, #kiln.sym<0>>

// CHECK-LABEL: @on_tensors
func.func @on_tensors(%x: !v, %y: !v) -> (!v, !v) {
  // CHECK: kiln.fusion (%[[A:[^:]*]]: tensor<?xf32, #kiln.sym<0>> = %{{.*}} : tensor<?xf32, #kiln.sym<0>>, %[[B:[^:]*]]: tensor<?xf32, #kiln.sym<0>> = %{{.*}} : tensor<?xf32, #kiln.sym<0>>)
  // CHECK-SAME: -> (tensor<?xf32, #kiln.sym<0>>, tensor<?xf32, #kiln.sym<0>>)
  %r:2 = kiln.fusion (%a: !v = %x : !v, %b: !v = %y : !v) -> (!v, !v) {
    // CHECK: %[[SUM:.*]] = kiln.add %[[A]], %[[B]]
    %s = kiln.add %a, %b : !v
    // CHECK: kiln.yield %[[SUM]], %[[A]]
    kiln.yield %s, %a : !v, !v
  }
  return %r#0, %r#1 : !v, !v
}

// CHECK-LABEL: @on_buffers
func.func @on_buffers() {
  // CHECK: %[[IN:.*]] = kiln.buffer feed 0 : memref<?xf32>
  %in = kiln.buffer feed 0 : memref<?xf32>
  // CHECK: %[[OUT:.*]] = kiln.buffer result 1 : memref<?xf32>
  %out = kiln.buffer result 1 : memref<?xf32>
  // CHECK: kiln.fusion (%[[A:[^:]*]]: tensor<?xf32, #kiln.sym<0>> = %[[IN]] : memref<?xf32>) outs(%[[OUT]] : memref<?xf32>)
  kiln.fusion (%a: !v = %in : memref<?xf32>) outs(%out : memref<?xf32>) {
    // CHECK: kiln.yield %[[A]]
    kiln.yield %a : !v
  }
  return
}

// A memory is named where it is not the host's.
// CHECK-LABEL: @on_buffers_of_a_device
func.func @on_buffers_of_a_device() {
  // CHECK: %[[IN:.*]] = kiln.buffer feed 0 : memref<?xf32, #kiln.memory<device>>
  %in = kiln.buffer feed 0 : memref<?xf32, #kiln.memory<device>>
  // CHECK: kiln.fusion (%{{.*}}: tensor<4xf32> = %[[IN]] : memref<?xf32, #kiln.memory<device>>) outs(%[[IN]] : memref<?xf32, #kiln.memory<device>>)
  kiln.fusion (%a: tensor<4xf32> = %in : memref<?xf32, #kiln.memory<device>>) outs(%in : memref<?xf32, #kiln.memory<device>>) {
    %n = kiln.neg %a : tensor<4xf32>
    kiln.yield %n : tensor<4xf32>
  }
  return
}

// CHECK-LABEL: @calls
func.func @calls(%x: tensor<3x3xf32>, %in: memref<?xf32>, %out: memref<?xf32>) {
  // CHECK: kiln.runtime_call "inverse" ins(%{{.*}} : tensor<3x3xf32>) types [tensor<3x3xf32>, tensor<3x3xf32>] {numbers = array<i64: 1>, pure} -> tensor<3x3xf32>
  %r = kiln.runtime_call "inverse" ins(%x : tensor<3x3xf32>) types [tensor<3x3xf32>, tensor<3x3xf32>] {numbers = array<i64: 1>, pure} -> tensor<3x3xf32>
  // CHECK: kiln.mark_region 3
  kiln.mark_region 3
  // CHECK: kiln.runtime_call "inverse" ins(%{{.*}} : memref<?xf32>) outs(%{{.*}} : memref<?xf32>) types [tensor<3x3xf32>, tensor<3x3xf32>]
  kiln.runtime_call "inverse" ins(%in : memref<?xf32>) outs(%out : memref<?xf32>) types [tensor<3x3xf32>, tensor<3x3xf32>]
  return
}

// CHECK-LABEL: @host
func.func @host(%n: i64) {
  // CHECK: kiln.symbol 0
  %s = kiln.symbol 0
  // CHECK: kiln.begin_writes
  kiln.begin_writes
  // CHECK: kiln.report_error 3
  kiln.report_error 3
  // CHECK: kiln.report_error 4(%{{.*}})
  kiln.report_error 4 (%n)
  %v = arith.constant dense<1.0> : vector<16xf32>
  // CHECK: kiln.flush %{{.*}} : vector<16xf32>
  %flushed = kiln.flush %v : vector<16xf32>
  // CHECK: kiln.fence %{{.*}} : vector<16xf32>
  %fenced = kiln.fence %flushed : vector<16xf32>
  return
}

// CHECK-LABEL: @slots
func.func @slots(%i: memref<?xi32>, %x: memref<?xf32>, %s: memref<?xi64>) {
  // CHECK: kiln.try_slot read 3[%{{.*}} : memref<?xi32>] %{{.*}} : memref<?xf32> as tensor<4xf32>
  %read = kiln.try_slot read 3[%i : memref<?xi32>] %x : memref<?xf32> as tensor<4xf32>
  // CHECK: kiln.try_slot pop 0 %{{.*}} : memref<?xi64> as tensor<i64> string
  %popped = kiln.try_slot pop 0 %s : memref<?xi64> as tensor<i64> string
  return
}
