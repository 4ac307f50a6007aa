#!/usr/bin/env bash
# orval 7.13.2 with TypeScript 5.9.3 (npm): it names the type of an enumeration by the schema and
# the member, and that of a query parameter by the operation and the parameter. A schema ReportUsage
# with a member `kind` and an operation reportUsage with a parameter `kind` are both valid, and in
# OpenAPI two names; the client declares one type twice, and does not compile. orval itself reports
# success.
#   tsc, errors: TS2451
#   tsc with another operationId: none
. "$(dirname "$0")/lib.sh"
npm_packages orval@7.13.2 typescript@5.9.3
cat > document.mjs <<'JS'
const kind = (...values) => ({ type: "string", enum: values });
const schema = { $ref: "#/components/schemas/ReportUsage" };
console.log(JSON.stringify({
  openapi: "3.1.0",
  info: { title: "Example", version: "1" },
  paths: {
    "/usage": {
      get: {
        operationId: process.argv[2],
        parameters: [{ name: "kind", in: "query", schema: kind("TAG", "CATEGORY") }],
        responses: { 200: { description: "OK", content: { "application/json": { schema } } } },
      },
    },
  },
  components: {
    schemas: { ReportUsage: { type: "object", required: ["kind"], properties: { kind: kind("A", "B") } } },
  },
}));
JS

# Generates a client for an operationId, and prints the errors of its names.
errors_of() {
  node document.mjs "$1" > api.json
  ./node_modules/.bin/orval --input api.json --output client.ts > /dev/null 2>&1 || echo "orval failed"
  local found
  found=$(./node_modules/.bin/tsc --noEmit --strict --skipLibCheck --target es2022 --module esnext \
    --moduleResolution bundler client.ts | grep -oE 'TS2451|TS2300' | sort -u || true)
  echo "${found:-none}"
}

observe "tsc, errors" TS2451 "$(errors_of reportUsage)"
observe "tsc with another operationId" none "$(errors_of listUsage)"
