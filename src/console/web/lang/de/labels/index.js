/** German: modules, groups, fields and values, by the names that the API has for them. */

import { FIELDS } from "./fields.js";
import { NAMES } from "./modules.js";
import { STATES } from "./states.js";
import { VALUES } from "./values.js";

export default {
  ...NAMES,
  ...FIELDS,
  ...VALUES,
  ...STATES,
};
