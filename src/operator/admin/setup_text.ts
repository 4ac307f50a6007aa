/**
 * Explains how to create the first account with the one-time set-up token: a link, and a command
 * line. The line has no usable password: the service refuses it as too short.
 */
export function setupText(origin: string, token: string): string[] {
  const body = JSON.stringify({
    setupToken: token,
    email: "you@example.org",
    password: "CHANGE ME",
    displayName: "You",
    transport: "bearer",
  });
  return [
    "This link sets up the first account, once, within 24 hours:",
    "",
    `  ${origin}/#setup=${token}`,
    "",
    "or from a terminal, with a password of your own (12 characters or more) for CHANGE ME:",
    "",
    `  curl -X POST ${origin}/api/v2/auth/setup -H 'Content-Type: application/json' \\`,
    `    -d '${body}'`,
  ];
}
