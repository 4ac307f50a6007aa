#!/bin/sh
# Runs a command with its temporary files in memory: tests make thousands of small files.
#
# Where this user may mount (root on Linux) and there is room, the command sees a memory file system of
# its own, which goes with its last process. Elsewhere it runs as it is; TMPDIR does the same there. So do
# attacks that are named: some write more than memory has.
# TEST_CACHE names the folder that outlives the command.

folder=/run/prs-tests
needed_kib=6000000

has_room() {
  awk '/^MemAvailable:/ { free = $2 } END { exit free < '"$needed_kib"' }' /proc/meminfo 2>/dev/null
}

case " $*" in *' tests/attack'*) exec "$@" ;; esac
if [ -z "${TMPDIR-}" ] && [ "$(id -u)" = 0 ] && has_room && mkdir -p "$folder" 2>/dev/null &&
  unshare --mount mount -t tmpfs tmpfs "$folder" 2>/dev/null; then
  # shellcheck disable=SC2016
  exec env TEST_CACHE=/tmp TMPDIR="$folder" unshare --mount sh -c \
    'mount -t tmpfs -o mode=0755,size=4g tmpfs "$TMPDIR" && exec "$@"' sh "$@"
fi
exec "$@"
