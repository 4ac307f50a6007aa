/** The tests of attachments again, with `ATTACHMENTS=database`. */

import { IN_DATABASE } from "../support/attachments.ts";

for (const part of ["broken", "content", "upload"]) {
  await import(`./attachment_${part}_test.ts${IN_DATABASE}`);
}
