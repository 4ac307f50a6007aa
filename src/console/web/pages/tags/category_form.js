import { newForm } from "./form.js";

/** @type {Page} */
export default async function categoryForm({ query, session }) {
  return await newForm(session, true, query.get("parent"));
}
