# SPDX-License-Identifier: BSD-3-Clause
# configs/ and meshes/ as strings of a source file: PROGRAM --new KIND writes them for a user who has no source tree.
file(GLOB template_files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/configs/*.toml ${PROJECT_SOURCE_DIR}/meshes/*.geo ${PROJECT_SOURCE_DIR}/meshes/*.step)
set(template_source ${PROJECT_BINARY_DIR}/generated/templates_data.cpp)
set(template_text "// Made by cmake/CurlewTemplates.cmake.\n#include \"run/templates.hpp\"\nnamespace curlew::run {\n")
string(APPEND template_text "namespace {\nconstexpr TemplateFile all_template_files[] = {\n")
foreach(file ${template_files})
  set_property(DIRECTORY ${PROJECT_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  get_filename_component(name ${file} NAME)
  file(READ ${file} content)
  string(APPEND template_text "    {\"${name}\", R\"template(${content})template\"},\n")
endforeach()
string(APPEND template_text "};\n}  // namespace\nstd::span<const TemplateFile> template_files() {\n  return all_template_files;\n}\n}\n")
file(CONFIGURE OUTPUT ${template_source} CONTENT "@template_text@" @ONLY)
