// RUN: kiln-check %s
// Loops: variables, errors and types other than numbers.

// A read before the loop, one in each iteration, one behind it; the update is one
// that can be written in place.
kiln.variable @v index 0 : tensor<2xf32> {check.initial = dense<[1.0, 10.0]> : tensor<2xf32>}
func.func @writes_in_iterations(%n: tensor<i32> {check.value = dense<3> : tensor<i32>}) {
  %one = kiln.constant dense<1> : tensor<i32> : tensor<i32>
  %zero = kiln.constant dense<0> : tensor<i32> : tensor<i32>
  %none = kiln.constant dense<0.0> : tensor<f32> : tensor<2xf32>
  %before = kiln.var_read @v : tensor<2xf32>
  %r:2 = kiln.while (%i: tensor<i32> = %zero, %a: tensor<2xf32> = %none) -> (tensor<i32>, tensor<2xf32>) {
    %c = kiln.compare lt %i, %n : tensor<i32> -> tensor<i1>
    kiln.condition %c, %i, %a : tensor<i32>, tensor<2xf32>
  } do (%i: tensor<i32>, %a: tensor<2xf32>) {
    %j = kiln.add %i, %one : tensor<i32>
    %now = kiln.var_read @v : tensor<2xf32>
    %next = kiln.add %now, %before : tensor<2xf32>
    kiln.var_write @v, %next : tensor<2xf32>
    %s = kiln.add %a, %now : tensor<2xf32>
    kiln.yield %j, %s : tensor<i32>, tensor<2xf32>
  }
  %after = kiln.var_read @v : tensor<2xf32>
  check.expect_eq %before : tensor<2xf32>, dense<[1.0, 10.0]> : tensor<2xf32>
  check.expect_eq %r#1 : tensor<2xf32>, dense<[6.0, 60.0]> : tensor<2xf32>
  check.expect_eq %after : tensor<2xf32>, dense<[4.0, 40.0]> : tensor<2xf32>
  check.expect_variable @v, dense<[4.0, 40.0]> : tensor<2xf32>
  return
}

// -----

// The condition reads what the iterations write; two variables change places.
kiln.variable @x index 0 : tensor<i32> {check.initial = dense<1> : tensor<i32>}
kiln.variable @y index 1 : tensor<i32> {check.initial = dense<2> : tensor<i32>}
func.func @until_a_variable_says_so(%n: tensor<i32> {check.value = dense<50> : tensor<i32>}) {
  kiln.while () {
    %x = kiln.var_read @x : tensor<i32>
    %c = kiln.compare lt %x, %n : tensor<i32> -> tensor<i1>
    kiln.condition %c
  } do () {
    %x = kiln.var_read @x : tensor<i32>
    %y = kiln.var_read @y : tensor<i32>
    %s = kiln.add %x, %y : tensor<i32>
    kiln.var_write @x, %y : tensor<i32>
    kiln.var_write @y, %s : tensor<i32>
    kiln.yield
  }
  check.expect_variable @x, dense<55> : tensor<i32>
  check.expect_variable @y, dense<89> : tensor<i32>
  return
}

// -----

// An error in the third iteration names its node and keeps what iterations have assigned.
kiln.variable @kept index 0 : tensor<i32> {check.initial = dense<9> : tensor<i32>}
kiln.variable @quotient index 1 : tensor<i32> {check.initial = dense<9> : tensor<i32>}
func.func @an_error_in_an_iteration(%n: tensor<i32> {check.value = dense<8> : tensor<i32>}) {
  %one = kiln.constant dense<1> : tensor<i32> : tensor<i32>
  %zero = kiln.constant dense<0> : tensor<i32> : tensor<i32>
  %two = kiln.constant dense<2> : tensor<i32> : tensor<i32>
  %r = kiln.while (%i: tensor<i32> = %zero) -> tensor<i32> {
    %c = kiln.compare lt %i, %n : tensor<i32> -> tensor<i1>
    kiln.condition %c, %i : tensor<i32>
  } do (%i: tensor<i32>) {
    kiln.var_write @kept, %i : tensor<i32>
    %left = kiln.sub %two, %i : tensor<i32>
    %q = kiln.div %n, %left : tensor<i32> loc("ratio")
    kiln.var_write @quotient, %q : tensor<i32>
    %j = kiln.add %i, %one : tensor<i32>
    kiln.yield %j : tensor<i32>
  }
  check.expect_error "INVALID_ARGUMENT: Integer division by zero [[{{node ratio}}]]"
  check.expect_eq %r : tensor<i32>, dense<0> : tensor<i32>
  check.expect_variable @kept, dense<2> : tensor<i32>
  check.expect_variable @quotient, dense<8> : tensor<i32>
  return
}

// -----

// What would fail in every iteration does not where no iteration is taken.
func.func @no_iteration_no_error(%zero: tensor<i32> {check.value = dense<0> : tensor<i32>},
    %x: tensor<3xf32> {check.value = dense<[1.0, 2.0, 3.0]> : tensor<3xf32>},
    %far: tensor<2xi32> {check.value = dense<[1, 7]> : tensor<2xi32>}) {
  %none = kiln.constant dense<0.0> : tensor<f32> : tensor<2xf32>
  %r = kiln.while (%a: tensor<2xf32> = %none) -> tensor<2xf32> {
    %c = kiln.compare ne %zero, %zero : tensor<i32> -> tensor<i1>
    kiln.condition %c, %a : tensor<2xf32>
  } do (%a: tensor<2xf32>) {
    %g = kiln.gather %x, %far axis 0 : tensor<3xf32>, tensor<2xi32> -> tensor<2xf32>
    %s = kiln.add %a, %g : tensor<2xf32>
    kiln.yield %s : tensor<2xf32>
  }
  check.expect_eq %r : tensor<2xf32>, dense<0.0> : tensor<2xf32>
  return
}

// -----

// Bools, half floats, unsigned numbers and doubles are carried as they are.
func.func @other_types(%n: tensor<i32> {check.value = dense<3> : tensor<i32>},
    %b: tensor<3xi1> {check.value = dense<[true, false, true]> : tensor<3xi1>},
    %h: tensor<2xf16> {check.value = dense<[1.5, -2.0]> : tensor<2xf16>},
    %u: tensor<2xui8> {check.value = dense<[100, 3]> : tensor<2xui8>},
    %d: tensor<f64> {check.value = dense<1.0> : tensor<f64>}) {
  %one = kiln.constant dense<1> : tensor<i32> : tensor<i32>
  %zero = kiln.constant dense<0> : tensor<i32> : tensor<i32>
  %r:5 = kiln.while (%i: tensor<i32> = %zero, %p: tensor<3xi1> = %b, %q: tensor<2xf16> = %h, %v: tensor<2xui8> = %u, %e: tensor<f64> = %d)
      -> (tensor<i32>, tensor<3xi1>, tensor<2xf16>, tensor<2xui8>, tensor<f64>) {
    %c = kiln.compare lt %i, %n : tensor<i32> -> tensor<i1>
    kiln.condition %c, %i, %p, %q, %v, %e : tensor<i32>, tensor<3xi1>, tensor<2xf16>, tensor<2xui8>, tensor<f64>
  } do (%i: tensor<i32>, %p: tensor<3xi1>, %q: tensor<2xf16>, %v: tensor<2xui8>, %e: tensor<f64>) {
    %j = kiln.add %i, %one : tensor<i32>
    %not = kiln.not %p : tensor<3xi1>
    %wide = kiln.cast %q : tensor<2xf16> -> tensor<2xf32>
    %twice = kiln.add %wide, %wide : tensor<2xf32>
    %half = kiln.cast %twice : tensor<2xf32> -> tensor<2xf16>
    %w = kiln.add %v, %v : tensor<2xui8>
    %f = kiln.add %e, %e : tensor<f64>
    kiln.yield %j, %not, %half, %w, %f : tensor<i32>, tensor<3xi1>, tensor<2xf16>, tensor<2xui8>, tensor<f64>
  }
  check.expect_eq %r#1 : tensor<3xi1>, dense<[false, true, false]> : tensor<3xi1>
  check.expect_eq %r#2 : tensor<2xf16>, dense<[12.0, -16.0]> : tensor<2xf16>
  check.expect_eq %r#3 : tensor<2xui8>, dense<[32, 24]> : tensor<2xui8>
  check.expect_eq %r#4 : tensor<f64>, dense<8.0> : tensor<f64>
  return
}
