# Writes the commit that is being built to OUTPUT: cmake -DSOURCE=… -DOUTPUT=… -P commit.cmake. The environment's SCREE_COMMIT comes
# first, for copies of the sources without their history.
set(commit "$ENV{SCREE_COMMIT}")
if(NOT commit)
  execute_process(COMMAND git -C ${SOURCE} describe --always --dirty --match "v*" OUTPUT_VARIABLE commit RESULT_VARIABLE status
                  OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(NOT status EQUAL 0)
    set(commit "unknown")
  endif()
endif()
file(CONFIGURE OUTPUT ${OUTPUT} CONTENT "#define SCREE_COMMIT \"${commit}\"\n")
