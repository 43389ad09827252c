
N
PlaceholderPlaceholder*
dtype0*%
shape:ÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿ
D
EinsumEinsumPlaceholder*
N*
T0*
equationii->i
E
EnsureShapeEnsureShapePlaceholder*
T0*
shape
:
F
Einsum_1EinsumEnsureShape*
T0*
N*
equationii->i
P
Placeholder_1Placeholder*
dtype0*%
shape:ÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿ
G
Einsum_2EinsumPlaceholder_1*
N*
T0*
equationii->
I
EnsureShape_1EnsureShapePlaceholder_1*
T0*
shape
:
G
Einsum_3EinsumEnsureShape_1*
T0*
N*
equationii->
]
Placeholder_2Placeholder*
dtype0*2
shape):'ÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿ
I
Einsum_4EinsumPlaceholder_2*
N*
T0*
equationiji->j
M
EnsureShape_2EnsureShapePlaceholder_2*
T0*
shape:
I
Einsum_5EinsumEnsureShape_2*
N*
T0*
equationiji->j
]
Placeholder_3Placeholder*
dtype0*2
shape):'ÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿ
J
Einsum_6EinsumPlaceholder_3*
T0*
N*
equation	iji->ij
M
EnsureShape_3EnsureShapePlaceholder_3*
T0*
shape:
J
Einsum_7EinsumEnsureShape_3*
N*
T0*
equation	iji->ij
]
Placeholder_4Placeholder*
dtype0*2
shape):'ÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿ
I
Einsum_8EinsumPlaceholder_4*
N*
T0*
equationiii->i
M
EnsureShape_4EnsureShapePlaceholder_4*
T0*
shape:
I
Einsum_9EinsumEnsureShape_4*
N*
T0*
equationiii->i
C
Placeholder_5Placeholder*
dtype0*
shape:ÿÿÿÿÿÿÿÿÿ
I
	Einsum_10EinsumPlaceholder_5*
T0*
N*
equationi->ii
E
EnsureShape_5EnsureShapePlaceholder_5*
T0*
shape:
I
	Einsum_11EinsumEnsureShape_5*
T0*
N*
equationi->ii"ª