// Errors of branches and loops.
// RUN: kiln-opt %s -split-input-file -verify-diagnostics

// expected-note @+1 {{prior use here}}
func.func @if_condition(%c: tensor<2xi1>) {
  // expected-error @+1 {{expects different type than prior uses: 'tensor<i1>' vs 'tensor<2xi1>'}}
  kiln.if %c {
  } else {
  }
  return
}

// -----

func.func @if_c1_count(%c: tensor<i1>, %x: tensor<4xf32>) {
  %r = kiln.if %c -> (tensor<4xf32>) {
    kiln.yield %x : tensor<4xf32>
  } else {
    // expected-error @+1 {{expected 1 yielded values, got 2}}
    kiln.yield %x, %x : tensor<4xf32>, tensor<4xf32>
  }
  return
}

// -----

func.func @if_c1_type(%c: tensor<i1>, %x: tensor<4xf32>) {
  %r = kiln.if %c -> (tensor<5xf32>) {
    // expected-error @+1 {{expected yielded value 0 to be 'tensor<5xf32>', got 'tensor<4xf32>'}}
    kiln.yield %x : tensor<4xf32>
  } else {
    kiln.yield %x : tensor<4xf32>
  }
  return
}

// -----

// Two symbols are two shapes.
func.func @if_c1_symbol(%c: tensor<i1>, %x: tensor<?xf32, #kiln.sym<0>>, %y: tensor<?xf32, #kiln.sym<1>>) {
  %r = kiln.if %c -> (tensor<?xf32, #kiln.sym<0>>) {
    kiln.yield %x : tensor<?xf32, #kiln.sym<0>>
  } else {
    // expected-error @+1 {{expected yielded value 0 to be 'tensor<?xf32, #kiln.sym<0>>', got 'tensor<?xf32, #kiln.sym<1>>'}}
    kiln.yield %y : tensor<?xf32, #kiln.sym<1>>
  }
  return
}

// -----

func.func @while_c1(%x: tensor<4xf32>) {
  // expected-error @+1 {{expected first-region argument 0 to be 'tensor<4xf32>', got 'tensor<5xf32>'}}
  "kiln.while"(%x) ({
  ^bb0(%a: tensor<5xf32>):
    %c = kiln.constant dense<false> : tensor<i1> : tensor<i1>
    kiln.condition %c
  }, {
    kiln.yield %x : tensor<4xf32>
  }) : (tensor<4xf32>) -> ()
  return
}

// -----

func.func @while_c2_count(%x: tensor<4xf32>, %c: tensor<i1>) {
  %r = kiln.while (%a: tensor<4xf32> = %x) -> tensor<4xf32> {
    // expected-error @+1 {{expected 1 forwarded values, got 0}}
    kiln.condition %c
  } do (%b: tensor<4xf32>) {
    kiln.yield %b : tensor<4xf32>
  }
  return
}

// -----

func.func @while_c2_type(%x: tensor<4xf32>, %y: tensor<5xf32>, %c: tensor<i1>) {
  %r = kiln.while (%a: tensor<4xf32> = %x) -> tensor<4xf32> {
    // expected-error @+1 {{expected forwarded value 0 to be 'tensor<4xf32>', got 'tensor<5xf32>'}}
    kiln.condition %c, %y : tensor<5xf32>
  } do (%b: tensor<4xf32>) {
    kiln.yield %b : tensor<4xf32>
  }
  return
}

// -----

func.func @while_c2_terminator(%x: tensor<4xf32>) {
  // expected-error @+1 {{expected the first region to end in kiln.condition}}
  kiln.while (%a: tensor<4xf32> = %x) {
    kiln.yield %x : tensor<4xf32>
  } do () {
    kiln.yield %x : tensor<4xf32>
  }
  return
}

// -----

func.func @while_c3(%x: tensor<4xf32>, %c: tensor<i1>) {
  // expected-error @+1 {{expected 1 second-region arguments, got 0}}
  %r = kiln.while (%a: tensor<4xf32> = %x) -> tensor<4xf32> {
    kiln.condition %c, %a : tensor<4xf32>
  } do () {
    kiln.yield %x : tensor<4xf32>
  }
  return
}

// -----

func.func @while_c4_count(%x: tensor<4xf32>, %c: tensor<i1>) {
  %r = kiln.while (%a: tensor<4xf32> = %x) -> tensor<4xf32> {
    kiln.condition %c, %a : tensor<4xf32>
  } do (%b: tensor<4xf32>) {
    // expected-error @+1 {{expected 1 yielded values, got 0}}
    kiln.yield
  }
  return
}

// -----

func.func @while_c4_terminator(%x: tensor<4xf32>, %c: tensor<i1>) {
  // expected-error @+1 {{expected the second region to end in kiln.yield}}
  kiln.while (%a: tensor<4xf32> = %x) {
    kiln.condition %c
  } do () {
    kiln.condition %c
  }
  return
}

// -----

func.func @condition_elsewhere(%c: tensor<i1>) {
  // expected-error @+1 {{'kiln.condition' op expects parent op 'kiln.while'}}
  kiln.condition %c
}
