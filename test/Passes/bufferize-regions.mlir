// RUN: kiln-opt %s --split-input-file --kiln-bufferize | FileCheck %s --enable-var-scope

// What a loop carries lies in one place and is written in place; the counter and
// the condition are on the stack. A poll stands in every turn.
// CHECK: kiln.temporaries = []
// CHECK-LABEL: @carried_in_place
// CHECK-DAG: %[[X:.*]] = kiln.buffer feed 1
// CHECK-DAG: %[[R:.*]] = kiln.buffer result 0
// CHECK-DAG: memref.alloca() : memref<1xi32>
// CHECK: scf.while
// CHECK: scf.condition
// CHECK: kiln.poll
// CHECK: kiln.fusion (%{{.*}} = %[[R]] : memref<?xf32>) outs(%[[R]] : memref<?xf32>)
// CHECK-NOT: outs(%[[R]]
// CHECK: scf.yield
// CHECK-NOT: kiln.fusion
module {
  func.func @carried_in_place(%n: tensor<i32>, %x: tensor<4xf32>) -> tensor<4xf32> {
    %zero = kiln.fusion () -> tensor<i32> {
      %c = kiln.constant dense<0> : tensor<i32> : tensor<i32>
      kiln.yield %c : tensor<i32>
    }
    %r:2 = kiln.while (%i: tensor<i32> = %zero, %a: tensor<4xf32> = %x) -> (tensor<i32>, tensor<4xf32>) {
      %go = kiln.fusion (%p: tensor<i32> = %i : tensor<i32>, %q: tensor<i32> = %n : tensor<i32>) -> tensor<i1> {
        %c = kiln.compare lt %p, %q : tensor<i32> -> tensor<i1>
        kiln.yield %c : tensor<i1>
      }
      kiln.condition %go, %i, %a : tensor<i32>, tensor<4xf32>
    } do (%i: tensor<i32>, %a: tensor<4xf32>) {
      %j = kiln.fusion (%p: tensor<i32> = %i : tensor<i32>) -> tensor<i32> {
        %one = kiln.constant dense<1> : tensor<i32> : tensor<i32>
        %s = kiln.add %p, %one : tensor<i32>
        kiln.yield %s : tensor<i32>
      }
      %y = kiln.fusion (%p: tensor<4xf32> = %a : tensor<4xf32>) -> tensor<4xf32> {
        %s = kiln.neg %p : tensor<4xf32>
        kiln.yield %s : tensor<4xf32>
      }
      kiln.yield %j, %y : tensor<i32>, tensor<4xf32>
    }
    return %r#1 : tensor<4xf32>
  }
}

// -----

// Two values change places: one steps aside.
// CHECK-LABEL: @values_change_places
// CHECK-DAG: %[[A:.*]] = kiln.buffer result 0
// CHECK-DAG: %[[B:.*]] = kiln.buffer result 1
// CHECK-DAG: %[[ASIDE:.*]] = kiln.buffer temporary 0
// CHECK: kiln.poll
// CHECK-NEXT: kiln.fusion (%{{.*}} = %[[B]] : memref<?xf32>) outs(%[[ASIDE]] :
// CHECK: kiln.fusion (%{{.*}} = %[[A]] : memref<?xf32>) outs(%[[B]] :
// CHECK: kiln.fusion (%{{.*}} = %[[ASIDE]] : memref<?xf32>) outs(%[[A]] :
// CHECK: scf.yield
module {
  func.func @values_change_places(%c: tensor<i1>, %x: tensor<4xf32>, %y: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
    %r:2 = kiln.while (%a: tensor<4xf32> = %x, %b: tensor<4xf32> = %y) -> (tensor<4xf32>, tensor<4xf32>) {
      kiln.condition %c, %a, %b : tensor<4xf32>, tensor<4xf32>
    } do (%a: tensor<4xf32>, %b: tensor<4xf32>) {
      kiln.yield %b, %a : tensor<4xf32>, tensor<4xf32>
    }
    return %r#0, %r#1 : tensor<4xf32>, tensor<4xf32>
  }
}

// -----

// Both branches write where the result is returned.
// CHECK: kiln.temporaries = []
// CHECK-LABEL: @branches_write_the_result
// CHECK: %[[R:.*]] = kiln.buffer result 0
// CHECK: scf.if
// CHECK-NEXT: kiln.fusion {{.*}} outs(%[[R]] :
// CHECK: } else {
// CHECK-NEXT: kiln.fusion {{.*}} outs(%[[R]] :
// CHECK-NOT: kiln.fusion
module {
  func.func @branches_write_the_result(%c: tensor<i1>, %x: tensor<4xf32>) -> tensor<4xf32> {
    %r = kiln.if %c -> (tensor<4xf32>) {
      %y = kiln.fusion (%p: tensor<4xf32> = %x : tensor<4xf32>) -> tensor<4xf32> {
        %s = kiln.neg %p : tensor<4xf32>
        kiln.yield %s : tensor<4xf32>
      }
      kiln.yield %y : tensor<4xf32>
    } else {
      kiln.yield %x : tensor<4xf32>
    }
    return %r : tensor<4xf32>
  }
}

// -----

// A variable that turns write is locked before the loop, once; what was read
// before the loop and is needed in it is copied.
// CHECK-LABEL: @variable_written_in_a_loop
// CHECK-DAG: %[[V:.*]] = kiln.buffer variable 0
// CHECK-DAG: %[[T:.*]] = kiln.buffer temporary 0
// CHECK: kiln.fusion (%{{.*}} = %[[V]] : memref<?xf32>) outs(%[[T]] :
// CHECK: kiln.begin_writes
// CHECK: scf.while
// CHECK-NOT: kiln.begin_writes
// CHECK: kiln.fusion (%{{.*}} = %[[V]] : {{.*}}, %{{.*}} = %[[T]] : {{.*}}) outs(%[[NEXT:.*]] :
// CHECK: kiln.fusion (%{{.*}} = %[[NEXT]] : memref<?xf32>) outs(%[[V]] :
module {
  kiln.variable @v index 0 : tensor<4xf32>
  func.func @variable_written_in_a_loop(%c: tensor<i1>) {
    %before = kiln.var_read @v : tensor<4xf32>
    kiln.while () {
      kiln.condition %c
    } do () {
      %now = kiln.var_read @v : tensor<4xf32>
      %y = kiln.fusion (%p: tensor<4xf32> = %now : tensor<4xf32>, %q: tensor<4xf32> = %before : tensor<4xf32>) -> tensor<4xf32> {
        %s = kiln.add %p, %q : tensor<4xf32>
        kiln.yield %s : tensor<4xf32>
      }
      kiln.var_write @v, %y : tensor<4xf32>
      kiln.yield
    }
    return
  }
}

// -----

// A product cannot be written over its operand: a second buffer, and a copy a
// turn.
// CHECK-LABEL: @product_in_a_loop
// CHECK: kiln.poll
// CHECK: kiln.fusion {{.*}} outs(%[[NEXT:.*]] :
// CHECK: kiln.matmul
// CHECK: kiln.fusion (%{{.*}} = %[[NEXT]] : memref<?xf32>) outs(%{{.*}} :
// CHECK: scf.yield
module {
  func.func @product_in_a_loop(%c: tensor<i1>, %m: tensor<4x4xf32>) -> tensor<4x4xf32> {
    %r = kiln.while (%a: tensor<4x4xf32> = %m) -> tensor<4x4xf32> {
      kiln.condition %c, %a : tensor<4x4xf32>
    } do (%a: tensor<4x4xf32>) {
      %y = kiln.fusion (%p: tensor<4x4xf32> = %m : tensor<4x4xf32>, %q: tensor<4x4xf32> = %a : tensor<4x4xf32>) -> tensor<4x4xf32> {
        %s = kiln.matmul %p, %q : tensor<4x4xf32>, tensor<4x4xf32> -> tensor<4x4xf32>
        kiln.yield %s : tensor<4x4xf32>
      }
      kiln.yield %y : tensor<4x4xf32>
    }
    return %r : tensor<4x4xf32>
  }
}

// -----

// A run may be able to do without what is large and of one branch, but not
// without what it has as much of anyway.
// CHECK: kiln.temporaries = {{.*}}symbols = array<i64: 0>{{.*}}optional, symbols = array<i64: 0, 0>
// CHECK-LABEL: @large_value_of_one_branch
// CHECK: scf.if
// CHECK-NEXT: kiln.fusion
// CHECK: kiln.allocate temporary [[N:[0-9]+]] optional : tensor<?x?xf32, #kiln.sym<0, 0>>
// CHECK-NEXT: kiln.buffer temporary [[N]] late
// CHECK-NOT: kiln.allocate
module {
  func.func @large_value_of_one_branch(%c: tensor<i1>, %x: tensor<?xf32, #kiln.sym<0>>) -> tensor<f32> {
    %r = kiln.if %c -> (tensor<f32>) {
      %n = kiln.fusion (%p: tensor<?xf32, #kiln.sym<0>> = %x : tensor<?xf32, #kiln.sym<0>>) -> tensor<?xf32, #kiln.sym<0>> {
        %s = kiln.neg %p : tensor<?xf32, #kiln.sym<0>>
        kiln.yield %s : tensor<?xf32, #kiln.sym<0>>
      }
      %m = kiln.fusion (%p: tensor<?xf32, #kiln.sym<0>> = %n : tensor<?xf32, #kiln.sym<0>>) -> tensor<?x?xf32, #kiln.sym<0, 0>> {
        %s = kiln.broadcast %p map [0] : tensor<?xf32, #kiln.sym<0>> -> tensor<?x?xf32, #kiln.sym<0, 0>>
        kiln.yield %s : tensor<?x?xf32, #kiln.sym<0, 0>>
      }
      %t = kiln.fusion (%p: tensor<?x?xf32, #kiln.sym<0, 0>> = %m : tensor<?x?xf32, #kiln.sym<0, 0>>) -> tensor<f32> {
        %s = kiln.reduce sum %p axes [0, 1] : tensor<?x?xf32, #kiln.sym<0, 0>> -> tensor<f32>
        kiln.yield %s : tensor<f32>
      }
      kiln.yield %t : tensor<f32>
    } else {
      %z = kiln.fusion () -> tensor<f32> {
        %k = kiln.constant dense<0.0> : tensor<f32> : tensor<f32>
        kiln.yield %k : tensor<f32>
      }
      kiln.yield %z : tensor<f32>
    }
    return %r : tensor<f32>
  }
}
