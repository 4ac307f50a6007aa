import { assertEquals } from "@std/assert";
import { selectKnownPasswords } from "../../../scripts/select_known_passwords.ts";

Deno.test("selectKnownPasswords() takes the most frequent of each kind, folded, in order", () => {
  const byFrequency = [
    ...["123456", "password", "Password", "qwertyuiop12", "monkey1", "QWERTYUIOP12", "dragon"],
    ...["zzzzzzzzzzzz", "somebody@example.org", "xK4mNv8qRtZa", "ﬁfteenletters", "shadow"],
    ...["aaaaaaaaaaaa", "short"],
  ];
  assertEquals(selectKnownPasswords(byFrequency, { long: 3, short: 2 }), [
    ...["dragon", "fifteenletters", "password", "qwertyuiop12", "zzzzzzzzzzzz"],
  ]);
});
