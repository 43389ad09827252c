
6
PlaceholderPlaceholder*
shape:*
dtype0	
8
Placeholder_1Placeholder*
shape:*
dtype0	
W
EinsumEinsumPlaceholderPlaceholder_1*
equation	ij,jk->ik*
N*
T0	
8
Placeholder_2Placeholder*
shape:*
dtype0	
8
Placeholder_3Placeholder*
shape:*
dtype0	
[
Einsum_1EinsumPlaceholder_2Placeholder_3*
equation	ij,jk->ki*
N*
T0	
8
Placeholder_4Placeholder*
shape:*
dtype0	
8
Placeholder_5Placeholder*
shape:*
dtype0	
[
Einsum_2EinsumPlaceholder_4Placeholder_5*
equation	ij,kj->ik*
N*
T0	
8
Placeholder_6Placeholder*
shape:*
dtype0	
8
Placeholder_7Placeholder*
shape:*
dtype0	
[
Einsum_3EinsumPlaceholder_6Placeholder_7*
equation	ij,jk->ik*
N*
T0	
8
Placeholder_8Placeholder*
shape:*
dtype0	
I
Einsum_4EinsumPlaceholder_8*
equationij->ji*
N*
T0	
8
Placeholder_9Placeholder*
shape:*
dtype0	
H
Einsum_5EinsumPlaceholder_9*
equationij->i*
N*
T0	
9
Placeholder_10Placeholder*
shape:*
dtype0	
H
Einsum_6EinsumPlaceholder_10*
equationij->*
N*
T0	
9
Placeholder_11Placeholder*
shape:*
dtype0	
L
Einsum_7EinsumPlaceholder_11*
equation
ijk->kij*
N*
T0	
9
Placeholder_12Placeholder*
shape:*
dtype0	
F
Einsum_8EinsumPlaceholder_12*
equation->*
N*
T0	
9
Placeholder_13Placeholder*
shape:*
dtype0	
9
Placeholder_14Placeholder*
shape:*
dtype0	
Y
Einsum_9EinsumPlaceholder_13Placeholder_14*
equationi,i->*
N*
T0	
9
Placeholder_15Placeholder*
shape:*
dtype0	
9
Placeholder_16Placeholder*
shape:*
dtype0	
\
	Einsum_10EinsumPlaceholder_15Placeholder_16*
equation	i,j->ij*
N*
T0	
9
Placeholder_17Placeholder*
shape:*
dtype0	
9
Placeholder_18Placeholder*
shape:*
dtype0	
[
	Einsum_11EinsumPlaceholder_17Placeholder_18*
equationi,i->i*
N*
T0	
9
Placeholder_19Placeholder*
shape:*
dtype0	
9
Placeholder_20Placeholder*
shape:*
dtype0	
`
	Einsum_12EinsumPlaceholder_19Placeholder_20*
equationabc,cd->abd*
N*
T0	
9
Placeholder_21Placeholder*
shape:*
dtype0	
9
Placeholder_22Placeholder*
shape:*
dtype0	
b
	Einsum_13EinsumPlaceholder_21Placeholder_22*
equationabc,cde->abde*
N*
T0	
9
Placeholder_23Placeholder*
shape:*
dtype0	
9
Placeholder_24Placeholder*
shape:*
dtype0	
d
	Einsum_14EinsumPlaceholder_23Placeholder_24*
equationaecd,abcd->acbe*
N*
T0	
9
Placeholder_25Placeholder*
shape:*
dtype0	
9
Placeholder_26Placeholder*
shape:*
dtype0	
d
	Einsum_15EinsumPlaceholder_25Placeholder_26*
equationacbe,aecd->abcd*
N*
T0	
9
Placeholder_27Placeholder*
shape:*
dtype0	
9
Placeholder_28Placeholder*
shape:*
dtype0	
b
	Einsum_16EinsumPlaceholder_27Placeholder_28*
equationabcd,cde->abe*
N*
T0	
9
Placeholder_29Placeholder*
shape:*
dtype0	
9
Placeholder_30Placeholder*
shape:*
dtype0	
_
	Einsum_17EinsumPlaceholder_29Placeholder_30*
equation
ijk,jl->il*
N*
T0	
9
Placeholder_31Placeholder*
shape:*
dtype0	
9
Placeholder_32Placeholder*
shape:*
dtype0	
^
	Einsum_18EinsumPlaceholder_31Placeholder_32*
equation	ij,kl->il*
N*
T0	
9
Placeholder_33Placeholder*
shape:*
dtype0	
9
Placeholder_34Placeholder*
shape:*
dtype0	
g
	Einsum_19EinsumPlaceholder_33Placeholder_34* 
equation...ij,...jk->...ik*
N*
T0	
9
Placeholder_35Placeholder*
shape:*
dtype0	
9
Placeholder_36Placeholder*
shape:*
dtype0	
g
	Einsum_20EinsumPlaceholder_35Placeholder_36* 
equation...ij,...jk->...ik*
N*
T0	
9
Placeholder_37Placeholder*
shape:*
dtype0	
9
Placeholder_38Placeholder*
shape:*
dtype0	
g
	Einsum_21EinsumPlaceholder_37Placeholder_38* 
equation...ij,...jk->...ik*
N*
T0	
9
Placeholder_39Placeholder*
shape:*
dtype0	
9
Placeholder_40Placeholder*
shape:*
dtype0	
d
	Einsum_22EinsumPlaceholder_39Placeholder_40*
equation...ij,jk->...ik*
N*
T0	
9
Placeholder_41Placeholder*
shape:*
dtype0	
O
	Einsum_23EinsumPlaceholder_41*
equation
i...->...i*
N*
T0	
9
Placeholder_42Placeholder*
shape:*
dtype0	
P
	Einsum_24EinsumPlaceholder_42*
equationb...i->b...*
N*
T0	
9
Placeholder_43Placeholder*
shape:*
dtype0	
9
Placeholder_44Placeholder*
shape:*
dtype0	
a
	Einsum_25EinsumPlaceholder_43Placeholder_44*
equation...,...->...*
N*
T0	
9
Placeholder_45Placeholder*
shape:*
dtype0	
9
Placeholder_46Placeholder*
shape:*
dtype0	
d
	Einsum_26EinsumPlaceholder_45Placeholder_46*
equation ab , bc -> ac *
N*
T0	
9
Placeholder_47Placeholder*
shape:*
dtype0	
9
Placeholder_48Placeholder*
shape:*
dtype0	
^
	Einsum_27EinsumPlaceholder_47Placeholder_48*
equation	ij,jk->ik*
N*
T0	
9
Placeholder_49Placeholder*
shape:*
dtype0	
L
	Einsum_28EinsumPlaceholder_49*
equation	...i->i*
N*
T0	
9
Placeholder_50Placeholder*
shape:*
dtype0	
K
	Einsum_29EinsumPlaceholder_50*
equationijk->i*
N*
T0	"ª