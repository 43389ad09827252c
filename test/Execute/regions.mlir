// RUN: kiln-check %s
// Branches: which one runs, what it yields, and what it does besides.

// Each value of the one that runs; a value of outside as it is.
func.func @both_ways(
    %x: tensor<3xf32> {check.value = dense<[1.0, -2.0, 3.0]> : tensor<3xf32>},
    %yes: tensor<i1> {check.value = dense<true> : tensor<i1>},
    %no: tensor<i1> {check.value = dense<false> : tensor<i1>}) {
  %0:2 = kiln.if %yes -> (tensor<3xf32>, tensor<3xf32>) {
    %n = kiln.neg %x : tensor<3xf32>
    kiln.yield %n, %x : tensor<3xf32>, tensor<3xf32>
  } else {
    %a = kiln.abs %x : tensor<3xf32>
    kiln.yield %x, %a : tensor<3xf32>, tensor<3xf32>
  }
  %1:2 = kiln.if %no -> (tensor<3xf32>, tensor<3xf32>) {
    %n = kiln.neg %0#0 : tensor<3xf32>
    kiln.yield %n, %x : tensor<3xf32>, tensor<3xf32>
  } else {
    %a = kiln.abs %x : tensor<3xf32>
    kiln.yield %x, %a : tensor<3xf32>, tensor<3xf32>
  }
  check.expect_eq %0#0 : tensor<3xf32>, dense<[-1.0, 2.0, -3.0]> : tensor<3xf32>
  check.expect_eq %0#1 : tensor<3xf32>, dense<[1.0, -2.0, 3.0]> : tensor<3xf32>
  check.expect_eq %1#0 : tensor<3xf32>, dense<[1.0, -2.0, 3.0]> : tensor<3xf32>
  check.expect_eq %1#1 : tensor<3xf32>, dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  return
}

// What both branches yield crosswise; constants; one value twice.
func.func @crosswise(
    %x: tensor<2xi32> {check.value = dense<[1, 2]> : tensor<2xi32>},
    %y: tensor<2xi32> {check.value = dense<[3, 4]> : tensor<2xi32>},
    %c: tensor<i1> {check.value = dense<false> : tensor<i1>}) {
  %a = kiln.add %x, %y : tensor<2xi32>
  %b = kiln.sub %x, %y : tensor<2xi32>
  %0:3 = kiln.if %c -> (tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) {
    kiln.yield %a, %b, %a : tensor<2xi32>, tensor<2xi32>, tensor<2xi32>
  } else {
    %k = kiln.constant dense<7> : tensor<i32> : tensor<2xi32>
    kiln.yield %b, %a, %k : tensor<2xi32>, tensor<2xi32>, tensor<2xi32>
  }
  check.expect_eq %0#0 : tensor<2xi32>, dense<-2> : tensor<2xi32>
  check.expect_eq %0#1 : tensor<2xi32>, dense<[4, 6]> : tensor<2xi32>
  check.expect_eq %0#2 : tensor<2xi32>, dense<7> : tensor<2xi32>
  return
}

// A branch in a branch; the shape is known only when it runs.
func.func @nested(
    %x: tensor<?xf32, #kiln.sym<0>> {check.value = dense<[1.0, 2.0, 3.0]> : tensor<3xf32>},
    %c: tensor<i1> {check.value = dense<true> : tensor<i1>},
    %d: tensor<i1> {check.value = dense<false> : tensor<i1>}) attributes {check.symbols = array<i64: 3>} {
  %0 = kiln.if %c -> (tensor<?xf32, #kiln.sym<0>>) {
    %twice = kiln.add %x, %x : tensor<?xf32, #kiln.sym<0>>
    %1 = kiln.if %d -> (tensor<?xf32, #kiln.sym<0>>) {
      kiln.yield %twice : tensor<?xf32, #kiln.sym<0>>
    } else {
      %s = kiln.mul %twice, %x : tensor<?xf32, #kiln.sym<0>>
      kiln.yield %s : tensor<?xf32, #kiln.sym<0>>
    }
    %2 = kiln.add %1, %twice : tensor<?xf32, #kiln.sym<0>>
    kiln.yield %2 : tensor<?xf32, #kiln.sym<0>>
  } else {
    kiln.yield %x : tensor<?xf32, #kiln.sym<0>>
  }
  check.expect_eq %0 : tensor<?xf32, #kiln.sym<0>>, dense<[4.0, 12.0, 24.0]> : tensor<3xf32>
  return
}

// What does not run neither fails nor writes.
kiln.variable @untouched index 0 : tensor<i32> {check.initial = dense<5> : tensor<i32>}
func.func @the_other_branch_does_nothing(
    %x: tensor<i32> {check.value = dense<0> : tensor<i32>},
    %c: tensor<i1> {check.value = dense<false> : tensor<i1>}) {
  %0 = kiln.if %c -> (tensor<i32>) {
    %q = kiln.div %x, %x : tensor<i32>
    kiln.var_write @untouched, %q : tensor<i32>
    kiln.yield %q : tensor<i32>
  } else {
    kiln.yield %x : tensor<i32>
  }
  check.expect_eq %0 : tensor<i32>, dense<0> : tensor<i32>
  check.expect_variable @untouched, dense<5> : tensor<i32>
  return
}

// -----

// An error in the branch that runs stops the run; what came before stays.
kiln.variable @kept index 0 : tensor<i32> {check.initial = dense<5> : tensor<i32>}
kiln.variable @later index 1 : tensor<i32> {check.initial = dense<6> : tensor<i32>}
func.func @an_error_in_a_branch(
    %x: tensor<i32> {check.value = dense<0> : tensor<i32>},
    %c: tensor<i1> {check.value = dense<true> : tensor<i1>}) {
  %0 = kiln.if %c -> (tensor<i32>) {
    kiln.var_write @kept, %x : tensor<i32>
    %q = kiln.div %x, %x : tensor<i32> loc("ratio")
    kiln.var_write @later, %q : tensor<i32>
    kiln.yield %q : tensor<i32>
  } else {
    kiln.yield %x : tensor<i32>
  }
  check.expect_error "INVALID_ARGUMENT: Integer division by zero [[{{node ratio}}]]"
  check.expect_variable @kept, dense<0> : tensor<i32>
  check.expect_variable @later, dense<6> : tensor<i32>
  return
}

// -----

// Reads around a branch that writes, and inside of it.
kiln.variable @v index 0 : tensor<2xf32> {check.initial = dense<[1.0, 2.0]> : tensor<2xf32>}
func.func @reads_around_a_branch(
    %x: tensor<2xf32> {check.value = dense<[10.0, 20.0]> : tensor<2xf32>},
    %c: tensor<i1> {check.value = dense<true> : tensor<i1>}) {
  %before = kiln.var_read @v : tensor<2xf32>
  %0 = kiln.if %c -> (tensor<2xf32>) {
    %old = kiln.var_read @v : tensor<2xf32>
    %new = kiln.add %old, %x : tensor<2xf32>
    kiln.var_write @v, %new : tensor<2xf32>
    kiln.yield %old : tensor<2xf32>
  } else {
    kiln.yield %x : tensor<2xf32>
  }
  %after = kiln.var_read @v : tensor<2xf32>
  check.expect_eq %before : tensor<2xf32>, dense<[1.0, 2.0]> : tensor<2xf32>
  check.expect_eq %0 : tensor<2xf32>, dense<[1.0, 2.0]> : tensor<2xf32>
  check.expect_eq %after : tensor<2xf32>, dense<[11.0, 22.0]> : tensor<2xf32>
  check.expect_variable @v, dense<[11.0, 22.0]> : tensor<2xf32>
  return
}

// -----

// A variable without a value gets one.
kiln.variable @fresh index 0 : tensor<3xf32>
func.func @initializes_once(%x: tensor<3xf32> {check.value = dense<[1.0, 2.0, 4.0]> : tensor<3xf32>}) {
  %is = kiln.var_is_initialized @fresh : tensor<i1>
  kiln.if %is {
  } else {
    kiln.var_write @fresh, %x : tensor<3xf32>
  }
  %now = kiln.var_is_initialized @fresh : tensor<i1>
  check.expect_eq %is : tensor<i1>, dense<false> : tensor<i1>
  check.expect_eq %now : tensor<i1>, dense<true> : tensor<i1>
  check.expect_variable @fresh, dense<[1.0, 2.0, 4.0]> : tensor<3xf32>
  return
}
