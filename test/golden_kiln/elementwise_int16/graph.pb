
7
aPlaceholder*
dtype0*
shape:ÿÿÿÿÿÿÿÿÿ
7
bPlaceholder*
dtype0*
shape:ÿÿÿÿÿÿÿÿÿ
#
ReluGradReluGradab*
T0
%
	Relu6Grad	Relu6Gradab*
T0"ª