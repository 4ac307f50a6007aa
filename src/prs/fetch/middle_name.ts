/** The middle name of a contact, which Monica's API states only as a part of the whole name. */

/** The orders that a user of Monica can choose: F first, M middle, L last name, N nickname. */
const ORDERS = ["F M L", "L M F", "L F M"];
const ORDERS_WITH_NICKNAME = [
  "F M L (N)",
  "F M (N) L",
  "L F M (N)",
  "N (F M L)",
  "N (L F M)",
  "L (N) F M",
  "N (F M) L",
];

interface Names {
  /** In the order of the user, perhaps without the nickname. */
  readonly complete: string;
  readonly first: string;
  /** Empty, as the nickname, if there is none. */
  readonly last: string;
  readonly nickname: string;
}

/** Returns an empty text without a middle name, or if no order fits. */
export function middleName({ complete, first, last, nickname }: Names): string {
  // Monica marks the dead.
  const name = complete.replace(/ ⚰$/u, "");
  if (name === nickname) return "";
  const values: Readonly<Record<string, string>> = { F: first, L: last, N: nickname };
  const fill = (text: string) => text.replaceAll(/[FLN]/g, (letter) => values[letter] ?? "");
  const orders = [...nickname === "" ? [] : ORDERS_WITH_NICKNAME, ...ORDERS]
    .map((order) => last === "" ? order.replace(/ L|L /, "") : order);
  if (orders.some((order) => fill(order.replace(/ M|M /, "")) === name)) return "";
  for (const order of orders) {
    const [before = "", after = ""] = order.split("M").map(fill);
    const middle = name.slice(before.length, name.length - after.length);
    if (middle !== "" && before + middle + after === name) return middle.trim();
  }
  return "";
}
