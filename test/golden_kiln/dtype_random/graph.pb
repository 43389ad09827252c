
.
nPlaceholder*
shape:*
dtype0
_
random_uniform/RandomUniformRandomUniformn*

seed*
T0*
seed2*
dtype0
a
random_uniform_1/RandomUniformRandomUniformn*
T0*

seed*
seed2*
dtype0
P
RandomUniformRandomUniformn*
T0*

seed*
seed2*
dtype0
R
RandomUniform_1RandomUniformn*

seed*
T0*
seed2*
dtype0
^
RandomStandardNormalRandomStandardNormaln*

seed*
T0*
seed2*
dtype0
`
RandomStandardNormal_1RandomStandardNormaln*
T0*

seed*
seed2*
dtype0
T
TruncatedNormalTruncatedNormaln*
T0*

seed*
seed2*
dtype0
V
TruncatedNormal_1TruncatedNormaln*
T0*

seed*
seed2*
dtype0"ª