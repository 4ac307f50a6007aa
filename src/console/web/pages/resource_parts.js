/** Addresses, figures and symbols of resources. */

import { kindSymbol } from "../fields/shown/anchors.js";

export const RESOURCES = "/console/resources";
export const OVERLOAD = `${RESOURCES}/overload`;
export const API = "/api/v2/resource";
export const RESOURCES_API = `${API}/resources`;
export const OVERLOAD_API = `${API}/overload-analyses`;

export const FIGURES = ["amount", "capacity", "available", "level"];

/** @param {string | undefined} id */
export function pathsOf(id) {
  return { page: `${RESOURCES}/${id}`, api: `${RESOURCES_API}/${id}` };
}

/** @type {Readonly<Record<string, Parameters<typeof kindSymbol>[1]>>} */
const SYMBOLS = {
  TIME: "later",
  ENERGY: "home",
  SKILL: "edit",
  FINANCE: "coin",
  NETWORK: "people",
  EQUIPMENT: "wrench",
  SPACE: "house",
};

/** @param {string} type */
export function resourceSymbol(type) {
  return kindSymbol("resource", SYMBOLS[type] ?? "records");
}
