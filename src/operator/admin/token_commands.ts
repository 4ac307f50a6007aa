import type { Token } from "../../accounts/token.ts";
import {
  endAccountSessions,
  endAccountToken,
  listAccountTokens,
} from "../../accounts/administration.ts";
import { columns, quoteCell } from "./columns.ts";
import { type Runners, unchanged } from "./runner.ts";

export const TOKEN_COMMANDS = {
  "token list": async ({ database }, { email }) => {
    const tokens = await listAccountTokens(database, email);
    return tokens.length === 0 ? ["The account has no token"] : columns(tokens.map(tokenCells));
  },
  "token revoke": async ({ database }, { email, token }, context) =>
    await endAccountToken(database, email, token, context())
      ? ["The token has ended"]
      : unchanged("the token has already ended"),
  "session revoke-all": async ({ database }, { email }, context) => {
    const ended = await endAccountSessions(database, email, context());
    return ended === 0
      ? unchanged("the account has no session")
      : [`${ended} ${ended === 1 ? "session has" : "sessions have"} ended`];
  },
} satisfies Partial<Runners>;

function tokenCells(
  { tokenId, name, createdAt, expiresAt, lastUsedAt, ...token }: Token,
): string[] {
  const used = lastUsedAt === null ? "never used" : `used ${lastUsedAt}`;
  return [
    tokenId,
    `made ${createdAt}`,
    `expires ${expiresAt}`,
    used,
    quoteCell(name),
    token.permissions.join(" "),
    token.modules === null ? "all modules" : `modules ${token.modules.join(" ")}`,
  ];
}
