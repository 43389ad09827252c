// RUN: kiln-opt %s --split-input-file --kiln-bufferize | FileCheck %s

// An update of a variable is written into the variable by the fusion that computes it.
// CHECK-LABEL: module attributes {kiln.buffer_counts = array<i64: 1, 0, 1, 0>, kiln.temporaries = []}
// CHECK: %[[V:.*]] = kiln.buffer variable 0
// CHECK: %[[G:.*]] = kiln.buffer feed 0
// CHECK: kiln.begin_writes
// CHECK: kiln.fusion (%{{.*}} = %[[V]] : {{.*}}, %{{.*}} = %[[G]] : {{.*}}) outs(%[[V]] :
// CHECK-NOT: kiln.fusion
module {
  kiln.variable @v index 0 : tensor<64xf32>
  func.func @update_in_place(%g: tensor<64xf32>) {
    %v = kiln.var_read @v : tensor<64xf32>
    %n = kiln.fusion (%a: tensor<64xf32> = %v : tensor<64xf32>, %b: tensor<64xf32> = %g : tensor<64xf32>) -> tensor<64xf32> {
      %s = kiln.sub %a, %b : tensor<64xf32>
      kiln.yield %s : tensor<64xf32>
    }
    kiln.var_write @v, %n : tensor<64xf32>
    return
  }
}

// -----

// Elements that are read elsewhere after they would be overwritten: a temporary, then a copy.
// CHECK: kiln.temporaries = [{bytes = 4 : i64, first = {{.*}}, last = {{.*}}, node = "", symbols = array<i64: -1, -1>, values = array<i64: 8, 8>}]
// CHECK: %[[V:.*]] = kiln.buffer variable 0
// CHECK: %[[T:.*]] = kiln.buffer temporary 0
// CHECK: kiln.fusion {{.*}} outs(%[[T]] :
// CHECK: kiln.begin_writes
// CHECK: kiln.fusion (%{{.*}} = %[[T]] : {{.*}}) outs(%[[V]] :
module {
  kiln.variable @v index 0 : tensor<8x8xf32>
  func.func @read_elsewhere_after_writing() {
    %v = kiln.var_read @v : tensor<8x8xf32>
    %n = kiln.fusion (%a: tensor<8x8xf32> = %v : tensor<8x8xf32>) -> tensor<8x8xf32> {
      %t = kiln.transpose %a permutation [1, 0] : tensor<8x8xf32> -> tensor<8x8xf32>
      %s = kiln.add %a, %t : tensor<8x8xf32>
      kiln.yield %s : tensor<8x8xf32>
    }
    kiln.var_write @v, %n : tensor<8x8xf32>
    return
  }
}

// -----

// A value read before an update and returned is copied where it is read.
// CHECK: %[[V:.*]] = kiln.buffer variable 0
// CHECK: %[[R:.*]] = kiln.buffer result 0
// CHECK: kiln.fusion (%[[A:.*]]: tensor<4xf32> = %[[V]] : {{.*}}) outs(%[[R]] :
// CHECK-NEXT: kiln.yield %[[A]]
// CHECK: kiln.begin_writes
// CHECK: kiln.fusion {{.*}} outs(%[[V]] :
module {
  kiln.variable @v index 0 : tensor<4xf32>
  func.func @value_before_an_update(%g: tensor<4xf32>) -> tensor<4xf32> {
    %v = kiln.var_read @v : tensor<4xf32>
    %n = kiln.fusion (%a: tensor<4xf32> = %v : tensor<4xf32>, %b: tensor<4xf32> = %g : tensor<4xf32>) -> tensor<4xf32> {
      %s = kiln.add %a, %b : tensor<4xf32>
      kiln.yield %s : tensor<4xf32>
    }
    kiln.var_write @v, %n : tensor<4xf32>
    return %v : tensor<4xf32>
  }
}

// -----

// A value with two destinations is stored twice by its fusion.
// CHECK: %[[V:.*]] = kiln.buffer variable 0
// CHECK: %[[R:.*]] = kiln.buffer result 0
// CHECK: kiln.fusion {{.*}} outs(%[[V]], %[[R]] :
// CHECK: kiln.yield %[[S:.*]], %[[S]] :
module {
  kiln.variable @v index 0 : tensor<4xf32>
  func.func @two_destinations(%g: tensor<4xf32>) -> tensor<4xf32> {
    %v = kiln.var_read @v : tensor<4xf32>
    %n = kiln.fusion (%a: tensor<4xf32> = %v : tensor<4xf32>, %b: tensor<4xf32> = %g : tensor<4xf32>) -> tensor<4xf32> {
      %s = kiln.add %a, %b : tensor<4xf32>
      kiln.yield %s : tensor<4xf32>
    }
    kiln.var_write @v, %n : tensor<4xf32>
    return %n : tensor<4xf32>
  }
}

// -----

// An integer division may fail: the variable is written only after it has not.
// CHECK: kiln.fusion {{.*}} outs(%[[T:.*]] :
// CHECK: kiln.poll
// CHECK: kiln.begin_writes
// CHECK: kiln.fusion (%{{.*}} = %[[T]] :
module {
  kiln.variable @v index 0 : tensor<4xi32>
  func.func @update_that_may_fail(%g: tensor<4xi32>) {
    %v = kiln.var_read @v : tensor<4xi32>
    %n = kiln.fusion (%a: tensor<4xi32> = %v : tensor<4xi32>, %b: tensor<4xi32> = %g : tensor<4xi32>) -> tensor<4xi32> {
      %s = kiln.div %a, %b : tensor<4xi32>
      kiln.yield %s : tensor<4xi32>
    }
    kiln.var_write @v, %n : tensor<4xi32>
    return
  }
}

// -----

// A product that takes microseconds is written into the variable.
// CHECK: %[[V:.*]] = kiln.buffer variable 0
// CHECK: kiln.begin_writes
// CHECK: kiln.fusion {{.*}} outs(%[[V]] :
module {
  kiln.variable @v index 0 : tensor<64x64xf32>
  func.func @product_into_a_variable(%x: tensor<64x64xf32>, %y: tensor<64x64xf32>) {
    %n = kiln.fusion (%a: tensor<64x64xf32> = %x : tensor<64x64xf32>, %b: tensor<64x64xf32> = %y : tensor<64x64xf32>) -> tensor<64x64xf32> {
      %p = kiln.matmul %a, %b : tensor<64x64xf32>, tensor<64x64xf32> -> tensor<64x64xf32>
      kiln.yield %p : tensor<64x64xf32>
    }
    kiln.var_write @v, %n : tensor<64x64xf32>
    return
  }
}

// -----

// A variable that gets another shape gets other memory, for which nothing is
// computed in place; what was read of it before the run goes on with, copied.
// CHECK: %[[T:.*]] = kiln.buffer temporary
// CHECK: kiln.begin_writes
// CHECK: kiln.allocate variable 0 : tensor<2x?xf32
// CHECK: %[[V:.*]] = kiln.buffer variable 0 late
// CHECK: kiln.fusion (%{{.*}} = %[[T]] : {{.*}}) outs(%[[V]] :
module {
  kiln.variable @v index 0 resized : tensor<?xf32, #kiln.sym<0>>
  func.func @variable_of_another_shape(%x: tensor<2x?xf32, #kiln.sym<0>>) {
    %v = kiln.var_read @v : tensor<?xf32, #kiln.sym<0>>
    %n = kiln.fusion (%a: tensor<2x?xf32, #kiln.sym<0>> = %x : tensor<2x?xf32, #kiln.sym<0>>, %b: tensor<?xf32, #kiln.sym<0>> = %v : tensor<?xf32, #kiln.sym<0>>) -> tensor<2x?xf32, #kiln.sym<0>> {
      %c = kiln.broadcast %b map [1] : tensor<?xf32, #kiln.sym<0>> -> tensor<2x?xf32, #kiln.sym<0>>
      %s = kiln.add %a, %c : tensor<2x?xf32, #kiln.sym<0>>
      kiln.yield %s : tensor<2x?xf32, #kiln.sym<0>>
    }
    kiln.var_write @v, %n : tensor<2x?xf32, #kiln.sym<0>>
    return
  }
}

// -----

// A variable gets the shape of the view that is written, not of what lies
// behind it.
// CHECK: kiln.allocate variable 0 : tensor<?xf32, #kiln.sym<2>>
module {
  kiln.variable @v index 0 resized : tensor<f32>
  func.func @view_into_a_variable(%x: tensor<?x?xf32, #kiln.sym<0, 1>>) {
    %r = kiln.reshape %x : tensor<?x?xf32, #kiln.sym<0, 1>> -> tensor<?xf32, #kiln.sym<2>>
    kiln.var_write @v, %r : tensor<?xf32, #kiln.sym<2>>
    return
  }
}
