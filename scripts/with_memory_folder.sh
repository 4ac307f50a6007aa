#!/bin/sh
# Runs a command with its temporary files in memory, because tests make thousands of small files,
# and with memory in pages of 2 MiB, because they start thousands of processes.
#
# If this user may mount (root on Linux) and there is room, the command gets its own memory file
# system, which is removed with its last process. Otherwise it runs as it is; TMPDIR has the same
# effect there. Named attacks run without it: some write more than memory holds. TEST_CACHE names a
# folder that survives the command.

folder=/run/prs-tests
needed_kib=6000000

has_room() {
  awk '/^MemAvailable:/ { free = $2 } END { exit free < '"$needed_kib"' }' /proc/meminfo 2>/dev/null
}

case " $*" in *' tests/attack'* | *' tests/release'*) exec "$@" ;; esac
# glibc requests larger pages, if Linux allows it: an eighth less processor time in virtual machines.
export GLIBC_TUNABLES=glibc.malloc.hugetlb=1
if [ -z "${TMPDIR-}" ] && [ "$(id -u)" = 0 ] && has_room && mkdir -p "$folder" 2>/dev/null &&
  unshare --mount mount -t tmpfs tmpfs "$folder" 2>/dev/null; then
  # shellcheck disable=SC2016
  exec env TEST_CACHE=/tmp TMPDIR="$folder" unshare --mount sh -c \
    'mount -t tmpfs -o mode=0755,size=4g tmpfs "$TMPDIR" && exec "$@"' sh "$@"
fi
exec "$@"
