
/
textPlaceholder*
dtype0*
shape:
,
DecodeJSONExampleDecodeJSONExampletext"ª