// Round trips of branches and loops.
// RUN: kiln-opt %s | kiln-opt | FileCheck %s

!v = tensor<?xf32, #kiln.sym<0>>

// CHECK-LABEL: @branch
func.func @branch(%c: tensor<i1>, %x: !v) -> (!v, !v) {
  // CHECK: %[[R:.*]]:2 = kiln.if %{{.*}} -> (tensor<?xf32, #kiln.sym<0>>, tensor<?xf32, #kiln.sym<0>>) {
  %r:2 = kiln.if %c -> (!v, !v) {
    // CHECK: %[[N:.*]] = kiln.neg %[[X:.*]] :
    %n = kiln.neg %x : !v
    // CHECK: kiln.yield %[[N]], %[[X]] :
    kiln.yield %n, %x : !v, !v
    // CHECK: } else {
  } else {
    // CHECK: kiln.yield %[[X]], %[[X]] :
    kiln.yield %x, %x : !v, !v
  }
  // CHECK: return %[[R]]#0, %[[R]]#1
  return %r#0, %r#1 : !v, !v
}

// A branch without values needs no terminator.
kiln.variable @v index 0 : tensor<4xf32>
// CHECK-LABEL: @effects_alone
func.func @effects_alone(%c: tensor<i1>, %x: tensor<4xf32>) {
  // CHECK: kiln.if %{{.*}} {
  // CHECK-NEXT: kiln.var_write
  // CHECK-NEXT: } else {
  // CHECK-NEXT: }
  kiln.if %c {
    kiln.var_write @v, %x : tensor<4xf32>
  } else {
  }
  return
}

// What is carried and what is forwarded may differ in number and type.
// CHECK-LABEL: @loop
func.func @loop(%i: tensor<i32>, %x: !v, %n: tensor<i32>) -> !v {
  // CHECK: %[[R:.*]] = kiln.while (%[[I:[^:]*]]: tensor<i32> = %{{.*}}, %[[A:[^:]*]]: tensor<?xf32, #kiln.sym<0>> = %{{.*}}) -> tensor<?xf32, #kiln.sym<0>> {
  %r = kiln.while (%j: tensor<i32> = %i, %a: !v = %x) -> !v {
    // CHECK: %[[C:.*]] = kiln.compare
    %c = kiln.compare lt %j, %n : tensor<i32> -> tensor<i1>
    // CHECK: kiln.condition %[[C]], %[[A]] : tensor<?xf32, #kiln.sym<0>>
    kiln.condition %c, %a : !v
    // CHECK: } do (%[[B:.*]]: tensor<?xf32, #kiln.sym<0>>) {
  } do (%b: !v) {
    %next = kiln.neg %b : !v
    // CHECK: kiln.yield %{{.*}}, %{{.*}} : tensor<i32>, tensor<?xf32, #kiln.sym<0>>
    kiln.yield %i, %next : tensor<i32>, !v
  }
  // CHECK: return %[[R]]
  return %r : !v
}

// A loop may carry nothing, and a string as well as a number.
// CHECK-LABEL: @carries_nothing
func.func @carries_nothing(%s: tensor<2x!kiln.string>) -> tensor<2x!kiln.string> {
  // CHECK: kiln.while () {
  kiln.while () {
    %c = kiln.var_is_initialized @v : tensor<i1>
    // CHECK: kiln.condition %{{[^,]*$}}
    kiln.condition %c
    // CHECK: } do () {
  } do () {
    kiln.yield
  }
  // CHECK: kiln.while (%{{.*}}: tensor<2x!kiln.string> = %{{.*}}) -> tensor<2x!kiln.string>
  %r = kiln.while (%a: tensor<2x!kiln.string> = %s) -> tensor<2x!kiln.string> {
    %c = kiln.var_is_initialized @v : tensor<i1>
    kiln.condition %c, %a : tensor<2x!kiln.string>
  } do (%b: tensor<2x!kiln.string>) {
    kiln.yield %b : tensor<2x!kiln.string>
  }
  return %r : tensor<2x!kiln.string>
}
