#!/usr/bin/env bash
# A table as a German Excel writes it has semicolons between cells and commas in numbers. Of four
# programs that find the delimiter themselves, csvtojson 2.0.10 (npm) alone returns its cells.
# PapaParse 5.5.3 (npm) splits it at the commas of its numbers, but only if the last line ends.
# SheetJS xlsx 0.18.5 (npm) finds the cells, and turns 72,5 into 725 and 1 March into 3 January
# without a warning. Python 3.11's csv.Sniffer finds the semicolon of this table, but takes a letter
# for the delimiter of a table with bars, as Daylio writes lists of activities.
#   PapaParse: [["Datum;Wert"],["01.03.2024;72","5"],["02.03.2024;72","4"],[""]]
#   PapaParse, without the last line end:
#     [["Datum","Wert"],["01.03.2024","72,5"],["02.03.2024","72,4"]]
#   SheetJS: [["Datum","Wert"],[45294,725],[45325,724]]
#   (45294 is 3 January 2024)
#   csvtojson: [{"Datum":"01.03.2024","Wert":"72,5"},{"Datum":"02.03.2024","Wert":"72,4"}]
#   csv.Sniffer, the same table: ';'
#   csv.Sniffer, a table with bars: 'a'
. "$(dirname "$0")/lib.sh"
npm_packages papaparse@5.5.3 xlsx@0.18.5 csvtojson@2.0.10
cat > read.mjs <<'JS'
import csv from "csvtojson";
import Papa from "papaparse";
import XLSX from "xlsx";
const table = "Datum;Wert\n01.03.2024;72,5\n02.03.2024;72,4" + (process.argv[3] ?? "\n");
const readers = {
  papaparse: () => Papa.parse(table).data,
  sheetjs() {
    const { SheetNames: [name], Sheets } = XLSX.read(table, { type: "string" });
    return XLSX.utils.sheet_to_json(Sheets[name], { header: 1 });
  },
  csvtojson: async () => await csv({ delimiter: "auto" }).fromString(table),
};
console.log(JSON.stringify(await readers[process.argv[2]]()));
JS
sniff() {
  python3 -I -c 'import csv, sys; print(repr(csv.Sniffer().sniff(sys.argv[1]).delimiter))' "$1"
}
observe "PapaParse" '[["Datum;Wert"],["01.03.2024;72","5"],["02.03.2024;72","4"],[""]]' \
  "$(node read.mjs papaparse)"
observe "PapaParse, without the last line end" \
  '[["Datum","Wert"],["01.03.2024","72,5"],["02.03.2024","72,4"]]' \
  "$(node read.mjs papaparse '')"
observe "SheetJS" '[["Datum","Wert"],[45294,725],[45325,724]]' "$(node read.mjs sheetjs)"
observe "csvtojson" \
  '[{"Datum":"01.03.2024","Wert":"72,5"},{"Datum":"02.03.2024","Wert":"72,4"}]' \
  "$(node read.mjs csvtojson)"
observe "csv.Sniffer, the same table" "';'" \
  "$(sniff $'Datum;Wert\n01.03.2024;72,5\n02.03.2024;72,4\n')"
observe "csv.Sniffer, a table with bars" "'a'" \
  "$(sniff $'Date|Activities\n2024-03-01|clean | music\n2024-03-02|read\n')"
