/**
 * In catalog order. A separate file because the capture module names its target by code, and would
 * otherwise import itself.
 */
export const MODULE_CODES: readonly string[] = [
  "relationship",
  "commitment",
  "identity",
  "constitution",
  "resource",
  "decision",
  "health",
  "action",
  "routine",
  "review",
  "ai-agent",
  "personal-model",
  "interview",
  "memory",
  "capture",
  "timeline",
  "knowledge",
  "media",
  "integration",
  "legacy",
  "taxonomy",
  "community",
  "place",
  "publication",
];
