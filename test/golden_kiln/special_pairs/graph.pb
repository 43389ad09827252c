
3
afloat32Placeholder*
shape:*
dtype0
3
bfloat32Placeholder*
dtype0*
shape:
3
xfloat32Placeholder*
shape:*
dtype0
9
BetaincBetaincafloat32bfloat32xfloat32*
T0
7
IgammaGradAIgammaGradAafloat32xfloat32*
T0
?
RandomGammaGradRandomGammaGradafloat32xfloat32*
T0
3
	NextAfter	NextAfterafloat32bfloat32*
T0
3
afloat64Placeholder*
dtype0*
shape:
3
bfloat64Placeholder*
shape:*
dtype0
3
xfloat64Placeholder*
dtype0*
shape:
;
	Betainc_1Betaincafloat64bfloat64xfloat64*
T0
9
IgammaGradA_1IgammaGradAafloat64xfloat64*
T0
A
RandomGammaGrad_1RandomGammaGradafloat64xfloat64*
T0
5
NextAfter_1	NextAfterafloat64bfloat64*
T0"ª