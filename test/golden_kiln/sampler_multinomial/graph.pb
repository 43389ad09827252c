
,
nPlaceholder*
dtype0*
shape:
4
	x_float16Placeholder*
dtype0*
shape:
^
MultinomialMultinomial	x_float16n*

seed*
seed2	*
output_dtype0*
T0
`
Multinomial_1Multinomial	x_float16n*

seed*
seed2	*
T0*
output_dtype0	
5

x_bfloat16Placeholder*
dtype0*
shape:
a
Multinomial_2Multinomial
x_bfloat16n*

seed*
seed2	*
T0*
output_dtype0
a
Multinomial_3Multinomial
x_bfloat16n*

seed*
seed2	*
output_dtype0	*
T0
4
	x_float32Placeholder*
dtype0*
shape:
`
Multinomial_4Multinomial	x_float32n*

seed*
seed2	*
T0*
output_dtype0
`
Multinomial_5Multinomial	x_float32n*

seed*
seed2	*
T0*
output_dtype0	
4
	x_float64Placeholder*
dtype0*
shape:
`
Multinomial_6Multinomial	x_float64n*

seed*
seed2	*
T0*
output_dtype0
`
Multinomial_7Multinomial	x_float64n*

seed*
seed2	*
T0*
output_dtype0	"ª