/** Explains how to create the first account with the one-time set-up token: a link, and a command line. */
export function setupText(origin: string, token: string): string[] {
  const body = JSON.stringify({
    setupToken: token,
    email: "you@example.org",
    password: "at least twelve characters",
    displayName: "You",
    transport: "bearer",
  });
  return [
    "This link sets up the first account, once, within 24 hours:",
    "",
    `  ${origin}/#setup=${token}`,
    "",
    "or from a terminal:",
    "",
    `  curl -X POST ${origin}/api/v2/auth/setup -H 'Content-Type: application/json' \\`,
    `    -d '${body}'`,
  ];
}
