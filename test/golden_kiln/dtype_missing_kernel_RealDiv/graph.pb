
3
ConstConst*
valueB:*
dtype0
8
PlaceholderPlaceholder*
shape:*
dtype0
/
RealDivRealDivConstPlaceholder*
T0"ª