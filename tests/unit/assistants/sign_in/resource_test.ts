/** The texts that name the resource of the service. */

import { assertEquals } from "@std/assert";
import { isOurResource } from "../../../../src/assistants/sign_in/resource.ts";

Deno.test("The resource is the origin, with or without the path of MCP", () => {
  for (const origin of ["https://records.example", "https://records.example:8443"]) {
    for (const path of ["", "/", "/mcp", "/mcp/"]) {
      assertEquals(isOurResource(origin, origin + path), true, origin + path);
    }
  }
  const same = ["https://records.example:443/mcp", "HTTPS://Records.Example/mcp"];
  for (const sent of same) assertEquals(isOurResource("https://records.example", sent), true, sent);
  const other = [
    "",
    "mcp",
    "/mcp",
    "//records.example/mcp",
    "http://records.example/mcp",
    "https://records.example:8443/mcp",
    "https://records.example./mcp",
    "https://other.example/mcp",
    "https://records.example/MCP",
    "https://records.example/mcp//",
    "https://records.example//mcp",
    "https://records.example/a/../mcp",
    "https://records.example/./mcp",
    "https://records.example/%6dcp",
    "https://records.example/mcp?",
    "https://records.example/mcp#",
    "https://records.example/mcp\n",
    "https://records.example\\mcp",
    "https:\\\\records.example/mcp",
    "https:records.example/mcp",
    "https:///records.example/mcp",
    " https://records.example/mcp",
    "https://me@records.example/mcp",
    "https://@records.example/mcp",
    "https://records.example@evil.example/mcp",
    "null",
  ];
  for (const sent of other) {
    assertEquals(isOurResource("https://records.example", sent), false, sent);
  }
});
