
L
xPlaceholder*-
shape$:"ÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿ*
dtype0
U
volumePlaceholder*1
shape(:&ÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿ*
dtype0
2
sizesPlaceholder*
shape:*
dtype0
2
stepsPlaceholder*
shape:*
dtype0
[
	MaxPoolV2	MaxPoolV2xsizessteps*
paddingVALID*
T0*
data_formatNHWC
y
MaxPoolGradGradV2MaxPoolGradGradV2x	MaxPoolV2xsizessteps*
paddingVALID*
T0*
data_formatNHWC
}
	MaxPool3D	MaxPool3Dvolume*
paddingVALID*
T0*
ksize	
*
data_formatNDHWC*
strides	

 
MaxPool3DGradGradMaxPool3DGradGradvolume	MaxPool3Dvolume*
paddingVALID*
T0*
strides	
*
data_formatNDHWC*
ksize	

]
MaxPoolV2_1	MaxPoolV2xsizessteps*
paddingVALID*
T0*
data_formatNHWC
\
MaxPoolV2_2	MaxPoolV2xsizessteps*
paddingSAME*
T0*
data_formatNHWC
|
MaxPoolGradGradV2_1MaxPoolGradGradV2xMaxPoolV2_2xsizessteps*
paddingSAME*
T0*
data_formatNHWC
~
MaxPool3D_1	MaxPool3Dvolume*
paddingSAME*
T0*
strides	
*
data_formatNDHWC*
ksize	

£
MaxPool3DGradGrad_1MaxPool3DGradGradvolumeMaxPool3D_1volume*
paddingSAME*
T0*
strides	
*
data_formatNDHWC*
ksize	

\
MaxPoolV2_3	MaxPoolV2xsizessteps*
paddingSAME*
T0*
data_formatNHWC"ª