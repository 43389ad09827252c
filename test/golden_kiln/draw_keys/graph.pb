
,
nPlaceholder*
shape:*
dtype0	
/
seedPlaceholder*
shape:*
dtype0	
U
StatelessRandomGetKeyCounterAlgStatelessRandomGetKeyCounterAlgseed*
Tseed0	
O
StatelessRandomGetKeyCounterStatelessRandomGetKeyCounterseed*
Tseed0	
.
StatelessRandomGetAlgStatelessRandomGetAlg
.
keyPlaceholder*
shape:*
dtype0
2
counterPlaceholder*
shape:*
dtype0
.
algPlaceholder*
shape:*
dtype0
e
StatelessRandomUniformV2StatelessRandomUniformV2nkeycounteralg*
Tshape0	*
dtype0
g
StatelessRandomUniformV2_1StatelessRandomUniformV2nkeycounteralg*
Tshape0	*
dtype0
g
StatelessRandomUniformV2_2StatelessRandomUniformV2nkeycounteralg*
Tshape0	*
dtype0
g
StatelessRandomUniformV2_3StatelessRandomUniformV2nkeycounteralg*
Tshape0	*
dtype0
s
StatelessRandomUniformFullIntV2StatelessRandomUniformFullIntV2nkeycounteralg*
Tshape0	*
dtype0
u
!StatelessRandomUniformFullIntV2_1StatelessRandomUniformFullIntV2nkeycounteralg*
Tshape0	*
dtype0	
u
!StatelessRandomUniformFullIntV2_2StatelessRandomUniformFullIntV2nkeycounteralg*
Tshape0	*
dtype0
u
!StatelessRandomUniformFullIntV2_3StatelessRandomUniformFullIntV2nkeycounteralg*
Tshape0	*
dtype0
.
lowPlaceholder*
shape:*
dtype0	
/
highPlaceholder*
shape:*
dtype0	
v
StatelessRandomUniformIntV2StatelessRandomUniformIntV2nkeycounteralglowhigh*
Tshape0	*
dtype0	
c
StatelessRandomNormalV2StatelessRandomNormalV2nkeycounteralg*
Tshape0	*
dtype0
e
StatelessRandomNormalV2_1StatelessRandomNormalV2nkeycounteralg*
Tshape0	*
dtype0
e
StatelessRandomNormalV2_2StatelessRandomNormalV2nkeycounteralg*
Tshape0	*
dtype0
e
StatelessRandomNormalV2_3StatelessRandomNormalV2nkeycounteralg*
Tshape0	*
dtype0
i
StatelessTruncatedNormalV2StatelessTruncatedNormalV2nkeycounteralg*
Tshape0	*
dtype0
k
StatelessTruncatedNormalV2_1StatelessTruncatedNormalV2nkeycounteralg*
Tshape0	*
dtype0
k
StatelessTruncatedNormalV2_2StatelessTruncatedNormalV2nkeycounteralg*
Tshape0	*
dtype0
k
StatelessTruncatedNormalV2_3StatelessTruncatedNormalV2nkeycounteralg*
Tshape0	*
dtype0
0
alphaPlaceholder*
shape:*
dtype0
m
StatelessRandomGammaV3StatelessRandomGammaV3nkeycounteralgalpha*
shape_dtype0	*
dtype0
,
xPlaceholder*
shape:*
dtype0
C
StatelessShuffleStatelessShufflexkeycounteralg*
T0"ª