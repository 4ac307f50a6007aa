/** Accessible names of controls. */

import type { Page } from "./browser.ts";

/** A node of the browser's accessibility tree. */
interface AccessibleNode {
  readonly nodeId: string;
  readonly parentId?: string;
  readonly ignored: boolean;
  readonly role?: { readonly value: string };
  readonly name?: { readonly value: string };
  readonly backendDOMNodeId?: number;
  readonly properties?: readonly { readonly name: string; readonly value: { value?: unknown } }[];
}

const CONTROLS = new Set([
  ..."button link textbox searchbox checkbox radio combobox listbox".split(" "),
  ..."slider spinbutton switch DisclosureTriangle menuitem tab Date DateTime".split(" "),
]);
/** Controls without a name, and those that share a name without a named group around them. */
export async function unnamedControls(page: Page): Promise<string[]> {
  const { nodes }: { nodes: AccessibleNode[] } = await page.call("Accessibility.getFullAXTree");
  const byId = new Map(nodes.map((node) => [node.nodeId, node]));
  const contextOf = (node: AccessibleNode): string => {
    const parent = byId.get(node.parentId ?? "");
    if (parent === undefined) return "";
    return contextOf(parent) + (parent.name?.value ? `${parent.name.value} / ` : "");
  };
  const problems: string[] = [];
  const met = new Map<string, string>();
  for (const node of nodes) {
    const role = node.role?.value ?? "";
    if (node.ignored || !CONTROLS.has(role)) continue;
    const name = node.name?.value.trim() ?? "";
    if (name === "") problems.push(`a ${role} without a name`);
    const key = `${contextOf(node)}${role} "${name}"`;
    const leadsTo = String(node.properties?.find((one) => one.name === "url")?.value.value ?? "");
    const other = met.get(key);
    // Links of one name may lead to one place.
    if (other !== undefined && (leadsTo === "" || other !== leadsTo)) problems.push(`${key} twice`);
    met.set(key, leadsTo);
  }
  return [...new Set(problems)];
}
