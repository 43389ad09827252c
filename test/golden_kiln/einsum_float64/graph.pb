
6
PlaceholderPlaceholder*
shape:*
dtype0
8
Placeholder_1Placeholder*
shape:*
dtype0
Y
EinsumEinsumPlaceholderPlaceholder_1*
equationabc,cd->abd*
N*
T0
8
Placeholder_2Placeholder*
shape:*
dtype0
8
Placeholder_3Placeholder*
shape:*
dtype0
_
Einsum_1EinsumPlaceholder_2Placeholder_3*
equationabc,cde->abde*
N*
T0
8
Placeholder_4Placeholder*
shape:*
dtype0
8
Placeholder_5Placeholder*
shape:*
dtype0
a
Einsum_2EinsumPlaceholder_4Placeholder_5*
equationaecd,abcd->acbe*
N*
T0
8
Placeholder_6Placeholder*
shape:*
dtype0
8
Placeholder_7Placeholder*
shape:*
dtype0
a
Einsum_3EinsumPlaceholder_6Placeholder_7*
equationacbe,aecd->abcd*
N*
T0
8
Placeholder_8Placeholder*
shape:*
dtype0
8
Placeholder_9Placeholder*
shape:*
dtype0
_
Einsum_4EinsumPlaceholder_8Placeholder_9*
equationabcd,cde->abe*
N*
T0
9
Placeholder_10Placeholder*
shape:*
dtype0
9
Placeholder_11Placeholder*
shape:*
dtype0
^
Einsum_5EinsumPlaceholder_10Placeholder_11*
equation
ijk,jl->il*
N*
T0"ª