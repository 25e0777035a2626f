# Debian packages by `cpack -G DEB`: a package for each component of the installation. host/package/debian runs it.
include(host/python/binding.cmake)
set(python_folder lib/python3/dist-packages)
install(TARGETS _binding LIBRARY DESTINATION ${python_folder}/scree COMPONENT python)
install(DIRECTORY host/python/scree DESTINATION ${python_folder} COMPONENT python PATTERN __pycache__ EXCLUDE PATTERN _program.py EXCLUDE)

# Files of the packages themselves: copyright, changelog, overrides of lintian, actions of installation.
string(TIMESTAMP SCREE_PACKAGE_DATE "%a, %d %b %Y %H:%M:%S +0000" UTC) # of SOURCE_DATE_EPOCH
set(SCREE_MAINTAINER "scree maintainers <maintainers@scree.invalid>")
configure_file(host/package/deb/changelog.in deb/changelog.Debian @ONLY)
foreach(package program=scree libraries=libscree0 development=libscree-dev python=python3-scree)
  string(REPLACE = ";" package ${package})
  list(GET package 0 component)
  list(GET package 1 name)
  string(TOUPPER ${component} COMPONENT)
  set(CPACK_DEBIAN_${COMPONENT}_PACKAGE_NAME ${name})
  install(FILES host/package/deb/copyright ${CMAKE_CURRENT_BINARY_DIR}/deb/changelog.Debian DESTINATION share/doc/${name}
          COMPONENT ${component})
endforeach()
install(FILES CHANGELOG.md DESTINATION share/doc/scree RENAME changelog COMPONENT program)
install(FILES host/package/deb/libscree0.overrides DESTINATION share/lintian/overrides RENAME libscree0 COMPONENT libraries)

set(CPACK_PACKAGE_NAME scree)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "scree built using CMake") # CPack's default, which it does not put before the descriptions below
set(CPACK_PACKAGE_CONTACT ${SCREE_MAINTAINER})
set(CPACK_COMPONENTS_ALL program libraries development python)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_CURRENT_SOURCE_DIR}/host/package/deb/policy.cmake)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${CMAKE_CURRENT_BINARY_DIR})
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)

# Below 1.0.0 a library serves programs of its own minor version only.
math(EXPR next_minor "${PROJECT_VERSION_MINOR} + 1")
set(same_version "(= ${PROJECT_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE})")
file(CONFIGURE OUTPUT deb/shlibs CONTENT "libscree @SCREE_ABI_VERSION@ libscree0 (>= @PROJECT_VERSION@), libscree0 (<< @PROJECT_VERSION_MAJOR@.@next_minor@~)
libscree-tools @SCREE_ABI_VERSION@ libscree0 (>= @PROJECT_VERSION@), libscree0 (<< @PROJECT_VERSION_MAJOR@.@next_minor@~)
" @ONLY)
set(CPACK_DEBIAN_LIBRARIES_PACKAGE_CONTROL_EXTRA ${CMAKE_CURRENT_BINARY_DIR}/deb/shlibs ${CMAKE_CURRENT_SOURCE_DIR}/host/package/deb/triggers)
set(CPACK_DEBIAN_PYTHON_PACKAGE_CONTROL_EXTRA ${CMAKE_CURRENT_SOURCE_DIR}/host/package/deb/postinst ${CMAKE_CURRENT_SOURCE_DIR}/host/package/deb/prerm)

set(CPACK_COMPONENT_PROGRAM_DESCRIPTION "simulate large piles of rigid bodies with contact and friction
Sand, beads, bricks and rubble on the processor or, through OpenCL, on a
graphics card. Every step reports the residual of the Coulomb friction
problem, the penetration and the energy together with its run time.

This package has the program and example scenes. Its viewer needs libglfw3.")
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SECTION science)
# Servers leave out the recommended packages, of which GLFW brings X11 and Mesa.
set(CPACK_DEBIAN_PROGRAM_PACKAGE_RECOMMENDS "libglfw3 | libglfw3-wayland, pocl-opencl-icd | opencl-icd")
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SUGGESTS "ffmpeg, paraview, python3-scree")
set(CPACK_COMPONENT_LIBRARIES_DESCRIPTION "contact solver for rigid bodies - shared libraries
Worlds of rigid bodies with contact, friction and joints, solved on the
processor or, through OpenCL, on a graphics card, and the tools for
scenes, measurements, files and pictures.")
set(CPACK_DEBIAN_LIBRARIES_PACKAGE_SECTION libs)
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION "contact solver for rigid bodies - development files
Headers, static libraries, and the files of pkg-config and CMake for
programs that use libscree and libscree-tools.")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SHLIBDEPS OFF)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS
    "libscree0 ${same_version}, ocl-icd-opencl-dev, libqhull-dev, libjansson-dev, libpng-dev, libhdf5-dev")
set(CPACK_COMPONENT_PYTHON_DESCRIPTION "contact solver for rigid bodies - Python interface
Worlds, bodies from arrays, scenes with their measurements as tables, and
contact problems given as matrices. All state is shown as numpy arrays.")
set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS "libscree0 ${same_version}, python3:any, python3-numpy, python3-cffi-backend")
set(CPACK_DEBIAN_PYTHON_PACKAGE_RECOMMENDS "python3-matplotlib, python3-pandas, python3-scipy, python3-tqdm")
include(CPack)
