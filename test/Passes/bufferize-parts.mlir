// Products that are only concatenated along their columns are written where the whole lies.
// RUN: kiln-opt %s --split-input-file --kiln-bufferize | FileCheck %s

// All of it: the result's own buffer, and no copy is left.
// CHECK: kiln.temporaries = []
// CHECK: %[[R:.*]] = kiln.buffer result 0
// CHECK: kiln.fusion {{.*}} outs(%[[R]] : {{.*}} attributes {kiln.part = array<i64: 0, 64>}
// CHECK-NEXT: kiln.matmul
// CHECK: kiln.fusion {{.*}} outs(%[[R]] : {{.*}} attributes {kiln.part = array<i64: 16, 64>}
// CHECK-NEXT: kiln.matmul
// CHECK-NOT: kiln.concat
module {
  func.func @all_parts(%x: tensor<?x32xf32, #kiln.sym<0>>, %wa: tensor<32x16xf32>, %wb: tensor<32x48xf32>, %y: tensor<?x48xf32, #kiln.sym<0>>) -> tensor<?x64xf32, #kiln.sym<0>> {
    %a = kiln.fusion (%i: tensor<?x32xf32, #kiln.sym<0>> = %x : tensor<?x32xf32, #kiln.sym<0>>, %w: tensor<32x16xf32> = %wa : tensor<32x16xf32>) -> tensor<?x16xf32, #kiln.sym<0>> {
      %p = kiln.matmul %i, %w : tensor<?x32xf32, #kiln.sym<0>>, tensor<32x16xf32> -> tensor<?x16xf32, #kiln.sym<0>>
      kiln.yield %p : tensor<?x16xf32, #kiln.sym<0>>
    }
    %b = kiln.fusion (%i: tensor<?x32xf32, #kiln.sym<0>> = %x : tensor<?x32xf32, #kiln.sym<0>>, %w: tensor<32x48xf32> = %wb : tensor<32x48xf32>) -> tensor<?x48xf32, #kiln.sym<0>> {
      %p = kiln.matmul %i, %w : tensor<?x32xf32, #kiln.sym<0>>, tensor<32x48xf32> -> tensor<?x48xf32, #kiln.sym<0>>
      kiln.yield %p : tensor<?x48xf32, #kiln.sym<0>>
    }
    %c = kiln.fusion (%i: tensor<?x16xf32, #kiln.sym<0>> = %a : tensor<?x16xf32, #kiln.sym<0>>, %j: tensor<?x48xf32, #kiln.sym<0>> = %b : tensor<?x48xf32, #kiln.sym<0>>) -> tensor<?x64xf32, #kiln.sym<0>> {
      %p = kiln.concat %i, %j axis 1 : tensor<?x16xf32, #kiln.sym<0>>, tensor<?x48xf32, #kiln.sym<0>> -> tensor<?x64xf32, #kiln.sym<0>>
      kiln.yield %p : tensor<?x64xf32, #kiln.sym<0>>
    }
    return %c : tensor<?x64xf32, #kiln.sym<0>>
  }
}

// -----

// A part: the other rows are copied between.
// CHECK: %[[R:.*]] = kiln.buffer result 0
// CHECK: kiln.fusion {{.*}} outs(%[[R]] : {{.*}} attributes {kiln.part = array<i64: 0, 64>}
// CHECK-NEXT: kiln.matmul
// CHECK: kiln.fusion {{.*}} outs(%[[R]] : {{.*}} attributes {kiln.written = array<i64: 0>}
// CHECK-NEXT: kiln.concat
module {
  func.func @some_parts(%x: tensor<?x32xf32, #kiln.sym<0>>, %wa: tensor<32x16xf32>, %wb: tensor<32x48xf32>, %y: tensor<?x48xf32, #kiln.sym<0>>) -> tensor<?x64xf32, #kiln.sym<0>> {
    %a = kiln.fusion (%i: tensor<?x32xf32, #kiln.sym<0>> = %x : tensor<?x32xf32, #kiln.sym<0>>, %w: tensor<32x16xf32> = %wa : tensor<32x16xf32>) -> tensor<?x16xf32, #kiln.sym<0>> {
      %p = kiln.matmul %i, %w : tensor<?x32xf32, #kiln.sym<0>>, tensor<32x16xf32> -> tensor<?x16xf32, #kiln.sym<0>>
      kiln.yield %p : tensor<?x16xf32, #kiln.sym<0>>
    }
    %c = kiln.fusion (%i: tensor<?x16xf32, #kiln.sym<0>> = %a : tensor<?x16xf32, #kiln.sym<0>>, %j: tensor<?x48xf32, #kiln.sym<0>> = %y : tensor<?x48xf32, #kiln.sym<0>>) -> tensor<?x64xf32, #kiln.sym<0>> {
      %p = kiln.concat %i, %j axis 1 : tensor<?x16xf32, #kiln.sym<0>>, tensor<?x48xf32, #kiln.sym<0>> -> tensor<?x64xf32, #kiln.sym<0>>
      kiln.yield %p : tensor<?x64xf32, #kiln.sym<0>>
    }
    return %c : tensor<?x64xf32, #kiln.sym<0>>
  }
}

// -----

// Twin: a product that is needed by itself too.
// CHECK-NOT: kiln.part
// CHECK: kiln.concat
// CHECK-NOT: kiln.part
module {
  func.func @part_with_another_user(%x: tensor<?x32xf32, #kiln.sym<0>>, %wa: tensor<32x16xf32>, %wb: tensor<32x48xf32>, %y: tensor<?x48xf32, #kiln.sym<0>>) -> (tensor<?x16xf32, #kiln.sym<0>>, tensor<?x64xf32, #kiln.sym<0>>) {
    %a = kiln.fusion (%i: tensor<?x32xf32, #kiln.sym<0>> = %x : tensor<?x32xf32, #kiln.sym<0>>, %w: tensor<32x16xf32> = %wa : tensor<32x16xf32>) -> tensor<?x16xf32, #kiln.sym<0>> {
      %p = kiln.matmul %i, %w : tensor<?x32xf32, #kiln.sym<0>>, tensor<32x16xf32> -> tensor<?x16xf32, #kiln.sym<0>>
      kiln.yield %p : tensor<?x16xf32, #kiln.sym<0>>
    }
    %c = kiln.fusion (%i: tensor<?x16xf32, #kiln.sym<0>> = %a : tensor<?x16xf32, #kiln.sym<0>>, %j: tensor<?x48xf32, #kiln.sym<0>> = %y : tensor<?x48xf32, #kiln.sym<0>>) -> tensor<?x64xf32, #kiln.sym<0>> {
      %p = kiln.concat %i, %j axis 1 : tensor<?x16xf32, #kiln.sym<0>>, tensor<?x48xf32, #kiln.sym<0>> -> tensor<?x64xf32, #kiln.sym<0>>
      kiln.yield %p : tensor<?x64xf32, #kiln.sym<0>>
    }
    return %a, %c : tensor<?x16xf32, #kiln.sym<0>>, tensor<?x64xf32, #kiln.sym<0>>
  }
}
