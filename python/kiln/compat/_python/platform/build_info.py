"""What the library was built for: the CPU alone."""

is_cuda_build = False
is_rocm_build = False
is_tensorrt_build = False
cuda_version_number = ""
cudnn_version_number = ""
build_info = {"is_cuda_build": False, "is_rocm_build": False, "is_tensorrt_build": False}
