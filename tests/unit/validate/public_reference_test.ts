import { assertEquals } from "@std/assert";
import { isPublicReference } from "../../../src/validate/public_reference.ts";

Deno.test("isPublicReference() accepts absolute web addresses and registered names", () => {
  const accepted = [
    "http://example.org",
    "HTTPS://example.org:8443/a%20b?c=d&e=@#f",
    "https://例え.jp/道",
    "http://[::1]/",
    "urn:isbn:9780306406157",
    "urn:uuid:f81d4fae-7dec-11d0-a765-00a0c91e6bf6",
    "doi:10.1000/182",
    "DOI:10.1000.10/123(4)",
    "isbn:9780306406157",
    "isbn:978-0-306-40615-7",
    "ISBN:0-306-40615-X",
  ];
  for (const reference of accepted) assertEquals(isPublicReference(reference), true, reference);
});

Deno.test("isPublicReference() rejects everything else", () => {
  const refused = [
    "",
    "example.org",
    "/relative",
    "//example.org",
    "http:example.org",
    "http:/example.org",
    "http:\\\\example.org",
    "http://",
    "http:///path",
    "http://user@example.org",
    "http://user:secret@example.org",
    "http://@example.org",
    "http://example.org\\@evil.org",
    "http://exa mple.org",
    "http://example.org/a b",
    "http://example.org/\u0085",
    "http://example.org:99999/",
    " http://example.org",
    "javascript:alert(1)",
    "file:///etc/passwd",
    "data:text/plain,hello",
    "ftp://example.org",
    "urn:",
    "urn:x:y",
    "urn:isbn:",
    "doi:10.1000",
    "doi:11.1000/182",
    "isbn:123",
    "isbn:97803064061570",
    "isbn:978--0306406157",
  ];
  for (const reference of refused) assertEquals(isPublicReference(reference), false, reference);
});
