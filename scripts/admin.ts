import { runAdmin } from "../src/programs/admin.ts";

Deno.exitCode = await runAdmin(Deno.args);
