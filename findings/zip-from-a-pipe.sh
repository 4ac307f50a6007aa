#!/usr/bin/env bash
# zip 3.0 (Debian 12): an entry that is read from standard input is written in the form of Zip64,
# however small it is: version 4.5, and both sizes in an extra field. A program that accepts Zip64
# only for large files refuses an archive of 5 bytes.
#   a file: version 10, sizes of the local header 5 and 5
#   the same from a pipe: version 45, sizes of the local header 4294967295 and 4294967295
. "$(dirname "$0")/lib.sh"
debian zip 3.0-13
# Prints the version and the sizes in the first local header.
head_of() {
  node -e 'const head = require("fs").readFileSync(process.argv[1]);
    console.log("version " + head.readUInt16LE(4) + ", sizes of the local header " +
      head.readUInt32LE(18) + " and " + head.readUInt32LE(22));' "$1"
}
printf hello > note.txt
zip -q file.zip note.txt
zip -q pipe.zip - < <(cat note.txt)
observe "a file" "version 10, sizes of the local header 5 and 5" "$(head_of file.zip)"
observe "the same from a pipe" \
  "version 45, sizes of the local header 4294967295 and 4294967295" "$(head_of pipe.zip)"
