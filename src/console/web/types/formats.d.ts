/** The list of import formats, which is generated. */

interface ImportFormat {
  /** By language. */
  title: Record<string, string>;
  mapping: "FOLDERS" | "COLUMNS" | "PEOPLE" | "FORM" | null;
  /** JSON schemas of the members that a form is drawn from. */
  options?: Record<string, unknown>;
}
