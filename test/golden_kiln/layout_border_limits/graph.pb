
D
xPlaceholder*%
shape:ÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿ*
dtype0
2
pPlaceholder*
shape
:*
dtype0
Q
MirrorPadGradMirrorPadGradxp*
T0*
	Tpaddings0*
mode	REFLECT
U
MirrorPadGrad_1MirrorPadGradxp*
T0*
	Tpaddings0*
mode	SYMMETRIC"ª