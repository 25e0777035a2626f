# Brings the folders that become packages to Debian's policy: compressed pages, no debugging information in archives. CPack runs it.
file(GLOB_RECURSE pages "${CPACK_TEMPORARY_DIRECTORY}/*/usr/share/man/man1/*.1" "${CPACK_TEMPORARY_DIRECTORY}/*/usr/share/doc/*/changelog*")
execute_process(COMMAND gzip -9nf ${pages} COMMAND_ERROR_IS_FATAL ANY)
file(GLOB_RECURSE archives "${CPACK_TEMPORARY_DIRECTORY}/*/usr/lib/*.a")
execute_process(COMMAND strip --strip-debug --remove-section=.comment --enable-deterministic-archives ${archives} COMMAND_ERROR_IS_FATAL ANY)
