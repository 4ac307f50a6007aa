#!/usr/bin/env bash
# JSZip 3.10.1 (npm) writes the times of entries in UTC, where the format has the local time of the
# machine, and reads the local times of other programs as UTC. fflate 0.8.2 and yazl 3.3.1 write the
# local time; yazl adds the instant in the field 0x5455, and JSZip does not read it. So a note from
# an application that packs with JSZip is dated nine hours early in Tokyo by each other reader, and
# JSZip dates a note of the others nine hours late.
#   (18:05 UTC is 03:05 of the next day in Tokyo)
#   written by JSZip, shown by Info-ZIP: 2024-03-01 18:05
#   written by fflate, shown by Info-ZIP: 2024-03-02 03:05
#   written by yazl, shown by Info-ZIP: 2024-03-02 03:05
#   written by JSZip, read by JSZip: 2024-03-01T18:05:00.000Z
#   written by fflate, read by JSZip: 2024-03-02T03:05:00.000Z
#   written by yazl, read by JSZip: 2024-03-02T03:05:00.000Z
. "$(dirname "$0")/lib.sh"
npm_packages jszip@3.10.1 fflate@0.8.2 yazl@3.3.1
debian unzip 6.0-28
export TZ=Asia/Tokyo
cat > pack.mjs <<'JS'
import { writeFileSync } from "node:fs";
import { buffer } from "node:stream/consumers";
import { strToU8, zipSync } from "fflate";
import JSZip from "jszip";
import yazl from "yazl";
const mtime = new Date("2024-03-01T18:05:00Z");
const jszip = new JSZip().file("note.md", "words", { date: mtime });
writeFileSync("JSZip.zip", await jszip.generateAsync({ type: "nodebuffer" }));
writeFileSync("fflate.zip", zipSync({ "note.md": [strToU8("words"), { mtime }] }));
const other = new yazl.ZipFile();
other.addBuffer(Buffer.from("words"), "note.md", { mtime });
other.end();
writeFileSync("yazl.zip", await buffer(other.outputStream));
JS
cat > read.mjs <<'JS'
import { readFileSync } from "node:fs";
import JSZip from "jszip";
const archive = await JSZip.loadAsync(readFileSync(process.argv[2]));
console.log(archive.file("note.md").date.toISOString());
JS
node pack.mjs
shown() {
  unzip -l "$1.zip" | awk '/note.md/ { print $2, $3 }'
}
observe "written by JSZip, shown by Info-ZIP" "2024-03-01 18:05" "$(shown JSZip)"
observe "written by fflate, shown by Info-ZIP" "2024-03-02 03:05" "$(shown fflate)"
observe "written by yazl, shown by Info-ZIP" "2024-03-02 03:05" "$(shown yazl)"
observe "written by JSZip, read by JSZip" 2024-03-01T18:05:00.000Z "$(node read.mjs JSZip.zip)"
observe "written by fflate, read by JSZip" 2024-03-02T03:05:00.000Z "$(node read.mjs fflate.zip)"
observe "written by yazl, read by JSZip" 2024-03-02T03:05:00.000Z "$(node read.mjs yazl.zip)"
