# The GPU back end, where nvcc is found: cmake -D MICROSLIP_GPU=ON, target `gpu`. Programs into gpu/ of the build
# folder; MICROSLIP_GPU_FLAGS chooses the card, -arch=native unless it is set.
find_program(MICROSLIP_NVCC nvcc HINTS /usr/local/cuda/bin $ENV{CUDA_PATH}/bin)
if(NOT MICROSLIP_NVCC)
  message(FATAL_ERROR "MICROSLIP_GPU needs nvcc, the compiler of the CUDA toolkit, 13 or newer.")
endif()
set(MICROSLIP_GPU_FLAGS -arch=native CACHE STRING "Flags for nvcc: which card")

set(eigen $<TARGET_PROPERTY:Eigen3::Eigen,INTERFACE_INCLUDE_DIRECTORIES>)
set(jet $<TARGET_PROPERTY:CeresJet::CeresJet,INTERFACE_INCLUDE_DIRECTORIES>)
set(programs "")
# 20012: Eigen marks functions that need no mark.
function(microslip_gpu_program name source)
  set(program ${PROJECT_BINARY_DIR}/gpu/${name})
  file(GLOB_RECURSE headers ${PROJECT_SOURCE_DIR}/include/microslip/field/*.hpp
    ${PROJECT_SOURCE_DIR}/include/microslip/detail/kernels/*.hpp
    ${PROJECT_SOURCE_DIR}/include/microslip/models/*.hpp)
  add_custom_command(OUTPUT ${program}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${PROJECT_BINARY_DIR}/gpu
    COMMAND ${MICROSLIP_NVCC} -std=c++20 --expt-relaxed-constexpr -diag-suppress 20012 -O3
      ${MICROSLIP_GPU_FLAGS} -I ${PROJECT_SOURCE_DIR}/include "$<$<BOOL:${jet}>:-I;$<JOIN:${jet},;-I;>>"
      "$<$<BOOL:${eigen}>:-isystem;$<JOIN:${eigen},;-isystem;>>" ${PROJECT_SOURCE_DIR}/${source}
      $<TARGET_FILE:microslip_kernels> $<TARGET_FILE:microslip_core> $<TARGET_FILE:microslip_numerics>
      -o ${program}
    DEPENDS ${PROJECT_SOURCE_DIR}/${source} ${headers} microslip_kernels microslip_core
      microslip_numerics
    COMMAND_EXPAND_LISTS VERBATIM)
  set(programs ${programs} ${program} PARENT_SCOPE)
endfunction()

microslip_gpu_program(field_bench bench/gpu/field.cu)
microslip_gpu_program(drives examples/gpu_kernel.cu)
add_custom_target(gpu DEPENDS ${programs})
