# The extension module `_binding` of the targets `scree` and `scree_tools`.
find_package(Python 3.9 REQUIRED COMPONENTS Interpreter Development.Module)
set(include_folder ${CMAKE_CURRENT_LIST_DIR}/../../include)
set(binding ${CMAKE_CURRENT_BINARY_DIR}/_binding.c)
file(GLOB_RECURSE headers CONFIGURE_DEPENDS ${include_folder}/scree/*.h)
add_custom_command(
  OUTPUT ${binding}
  COMMAND Python::Interpreter ${CMAKE_CURRENT_LIST_DIR}/binding.py ${CMAKE_C_COMPILER} ${include_folder} ${binding}
  DEPENDS ${CMAKE_CURRENT_LIST_DIR}/binding.py ${headers}
  VERBATIM)
python_add_library(_binding MODULE ${binding})
set_target_properties(_binding PROPERTIES SUFFIX .abi3.so)
target_link_libraries(_binding PRIVATE scree_tools)
target_compile_definitions(_binding PRIVATE Py_LIMITED_API=0x03090000)
