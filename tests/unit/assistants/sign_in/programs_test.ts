/** Callbacks of programs, and those that an owner types. */

import { assert, assertEquals } from "@std/assert";
import {
  acceptsCallback,
  bindsCallback,
  callbacksOf,
  isCallbackOfNamedProgram,
  isOnThisDevice,
  PROGRAMS,
  toTypedCallback,
} from "../../../../src/assistants/sign_in/programs.ts";

const CONNECTION = "https://chatgpt.com/connector/oauth/";
const CURSOR = "cursor://anysphere.cursor-mcp/oauth/callback";

Deno.test("A named program accepts its callbacks, on loopback with any port", () => {
  for (const program of PROGRAMS.filter((program) => program !== "OTHER")) {
    for (const listed of callbacksOf(program, null)) {
      const sent = listed.replace("{id}", "a-Z_9");
      assert(acceptsCallback(listed, sent), sent);
      assert(isCallbackOfNamedProgram(sent), sent);
      const isLocal = listed.startsWith("http:");
      assertEquals(isOnThisDevice(sent), isLocal, sent);
      for (const port of ["1", "80", "33418", "65535"]) {
        const other = sent.replace(/^(\w+:\/\/[^/]+)/, `$1:${port}`);
        assertEquals(acceptsCallback(listed, other), isLocal, other);
        assertEquals(isOnThisDevice(other), isLocal, other);
      }
    }
  }
});

Deno.test("A sent callback is neither decoded nor normalised", () => {
  const hostile = [
    "",
    "https://claude.ai/api/mcp/auth_callback/",
    "https://claude.ai/api/mcp/auth_callback?",
    "https://claude.ai/api/mcp/auth_callback?x=1",
    "https://claude.ai/api/mcp/auth_callback#",
    "https://claude.ai/api/mcp/auth%5Fcallback",
    "https://claude.ai/api/mcp/auth_callback%00",
    "https://claude.ai/api/mcp/auth_callback\n",
    " https://claude.ai/api/mcp/auth_callback",
    "https://claude.ai/api/mcp/../mcp/auth_callback",
    "https://claude.ai/api//mcp/auth_callback",
    "https://claude.ai\\api/mcp/auth_callback",
    "https://claude.ai./api/mcp/auth_callback",
    "https://claude.ai:443/api/mcp/auth_callback",
    "https://claude.ai:/api/mcp/auth_callback",
    "https://CLAUDE.ai/api/mcp/auth_callback",
    "HTTPS://claude.ai/api/mcp/auth_callback",
    "http://claude.ai/api/mcp/auth_callback",
    "https:claude.ai/api/mcp/auth_callback",
    "https://me@claude.ai/api/mcp/auth_callback",
    "https://claude.ai@evil.example/api/mcp/auth_callback",
    "https://claude.ai.evil.example/api/mcp/auth_callback",
    "claude://claude.ai/api/mcp/auth_callback",
    "http://localhost:0/callback",
    "http://localhost:08/callback",
    "http://localhost:65536/callback",
    "http://localhost:99999/callback",
    "http://localhost:655350/callback",
    "http://localhost:/callback",
    "http://localhost:+80/callback",
    "http://localhost:8e1/callback",
    "http://localhost:８０/callback",
    "http://localhost:80:80/callback",
    "http://localhost:80@evil.example/callback",
    "http://me@localhost:80/callback",
    "http://localhost./callback",
    "http://LOCALHOST/callback",
    "http://localhost:80\\callback",
    "http://localhost:80/callback/",
    "http://localhost:80//callback",
    "http://localhost:80/Callback",
    "http://localhost:80?/callback",
    "http://localhost:80#/callback",
    "http://localhost:80",
    "http://localhost.evil.example:80/callback",
    "http://127.1/callback",
    "http://127.0.0.2/callback",
    "http://[::1]/callback",
    "https://localhost/callback",
    `${CURSOR}/`,
    "cursor://anysphere.cursor-mcp:80/oauth/callback",
    "CURSOR://anysphere.cursor-mcp/oauth/callback",
    "javascript://localhost/callback",
  ];
  for (const sent of hostile) assert(!isCallbackOfNamedProgram(sent), sent);
});

Deno.test("A connection of ChatGPT has 1 to 128 characters of base64url", () => {
  for (const id of ["a", "_-", "9".repeat(128)]) {
    assert(isCallbackOfNamedProgram(CONNECTION + id), id);
    assert(bindsCallback("CHATGPT", CONNECTION + id), id);
  }
  const wrong = ["", "a/", "a b", "a%41", "ä", "a.b", "{id}", "a?b", "a#b", "a\n", "9".repeat(129)];
  for (const id of wrong) assert(!isCallbackOfNamedProgram(CONNECTION + id), id);
  assert(!bindsCallback("CHATGPT", "https://chatgpt.com/connector_platform_oauth_redirect"));
  assert(!bindsCallback("OTHER", `${CONNECTION}a`));
});

Deno.test("A typed callback is https as a URL is written, or loopback without its port", () => {
  const good: Record<string, string> = {
    "https://a.example/": "https://a.example/",
    "https://a.example:8443/cb?x={id}&y=%2F": "https://a.example:8443/cb?x={id}&y=%2F",
    "http://localhost:33418/": "http://localhost/",
    "http://127.0.0.1/cb": "http://127.0.0.1/cb",
    "http://[::1]:65535/cb": "http://[::1]/cb",
    [`https://a.example/${"x".repeat(482)}`]: `https://a.example/${"x".repeat(482)}`,
  };
  for (const [typed, stored] of Object.entries(good)) {
    assertEquals(toTypedCallback(typed), stored, typed);
    assert(acceptsCallback(stored, typed), typed);
  }
  assert(!acceptsCallback("https://a.example/?x={id}", "https://a.example/?x=1"));
  const bad = [
    "",
    "a.example",
    "https://a.example",
    "https://A.example/",
    "https://ä.example/",
    "https://a.example:443/",
    "https://a.example/a b",
    "https://a.example/../a",
    "https://a.example\\a",
    "https://a.example/#",
    "https://me@a.example/",
    "https://me:pw@a.example/",
    "https://@a.example/",
    " https://a.example/",
    "https://a.example/\n",
    `https://a.example/${"x".repeat(483)}`,
    "http://a.example/",
    "http://localhost",
    "http://localhost:80",
    "http://localhost:0/",
    "http://localhost:00080/",
    "http://localhost:65536/",
    "http://localhost:/",
    "http://LOCALHOST/",
    "http://localhost./",
    "http://127.1/",
    "http://127.0.0.2/",
    "http://0.0.0.0/",
    "http://[0:0:0:0:0:0:0:1]/",
    "http://me@localhost/",
    "http://localhost:80@evil.example/",
    "http://localhost/../a",
    "http://localhost/a?b",
    "http://localhost/#a",
    "HTTP://localhost/",
    CURSOR,
    "claude://callback",
    "javascript:alert(1)",
    "data:text/html,a",
  ];
  for (const typed of bad) assertEquals(toTypedCallback(typed), null, typed);
});
