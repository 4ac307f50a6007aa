/** Rows of a form, forms, and questions. */

import {
  announce,
  ApiError,
  failureText,
  fill,
  h,
  nodes,
  refusalText,
  showDialog,
  t,
  textOf,
} from "../core/base.js";

/** Keeps sensitive text from spelling and translation services. */
const KEPT_HERE = {
  autocomplete: "off",
  spellcheck: "false",
  writingsuggestions: "false",
  translate: "no",
};

let count = 0;

export function newId() {
  return `field-${++count}`;
}

/** A row: label, hint, control, error. Its value is one text, as in drafts. @type {MakeRow} */
export function field({ name, label, hint, required = false, initial }, control) {
  const { target, element = target, note, problem = () => "" } = control;
  const { text, setText } = untouched(control);
  if (initial !== undefined) setText(initial);
  const id = target.id;
  const isGroup = target instanceof HTMLFieldSetElement;
  const refusal = h("p.refusal", { id: `${id}-refusal` });
  const hinted = hint === undefined ? null : h("p.hint", { id: `${id}-hint` }, hint);
  target.setAttribute(
    "aria-describedby",
    [hinted?.id, note?.id, refusal.id].filter(Boolean).join(" "),
  );
  // Only radiogroup supports `required`, of the group roles.
  if (required && (!isGroup || target.getAttribute("role") === "radiogroup")) {
    target.setAttribute("aria-required", "true");
  }
  const named = [label, !required && h("span.quiet", ` ${t("optional")}`)];
  if (isGroup) {
    target.prepend(...nodes([h("legend", named), hinted]));
    target.append(refusal);
  }
  const unfold = () => {
    const folded = target.closest("details");
    if (folded !== null) folded.open = true;
  };
  return {
    name,
    element: isGroup
      ? target
      : h("div.field", h("label", { for: id }, named), hinted, element, note?.element, refusal),
    text,
    setText(text) {
      setText(text);
      if (text !== "") unfold();
    },
    required,
    problem: () => problem() || (required && text().trim() === "" ? t("required") : ""),
    refuse(problem) {
      refusal.textContent = problem;
      if (problem === "") target.removeAttribute("aria-invalid");
      else target.setAttribute("aria-invalid", "true");
    },
    focus() {
      unfold();
      (isGroup ? target.querySelector("input") : target)?.focus();
    },
  };
}

/**
 * Controls change line ends, seconds and removed options. Returns the original text until the
 * control's own version of it changes.
 * @type {(control: TextHolder) => TextHolder}
 */
export function untouched({ text, setText }) {
  let shown = text();
  let given = shown;
  return {
    text() {
      const now = text();
      return now === shown ? given : now;
    },
    setText(next) {
      setText(next);
      given = next;
      shown = text();
    },
  };
}

/** @param {LineRow} row */
export function lineField(row) {
  const { name, type = "text", autocomplete = "off", inputmode, words, sensitive } = row;
  const about = { id: newId(), name, type, autocomplete, inputmode, class: words && "words" };
  const input = h("input", { ...about, ...(sensitive && KEPT_HERE) });
  return field(row, controlOf(input));
}

/** @param {string} name @param {string} label @param {boolean} [isNew] */
export function passwordField(name, label, isNew) {
  const row = { name, label, required: true, type: "password" };
  return isNew
    ? lineField({ ...row, hint: t("passwordHint"), autocomplete: "new-password" })
    : lineField({ ...row, autocomplete: "current-password" });
}

/** For an authenticator's code, or a recovery code. */
export function codeField() {
  const row = { name: "code", label: t("secondFactor"), hint: t("secondFactorHint") };
  return lineField({ ...row, required: true, autocomplete: "one-time-code" });
}

/** A person's text; if `exact`, for machines. @param {FieldRow & { exact?: boolean }} row */
export function linesField(row) {
  const { name, exact, sensitive } = row;
  const about = { id: newId(), name, class: exact ? "exact" : "words", rows: 4 };
  const area = h("textarea", {
    ...about,
    ...(exact && { spellcheck: "false", autocapitalize: "off" }),
    ...(sensitive && KEPT_HERE),
  });
  return field(row, controlOf(area));
}

/** @type {(input: HTMLInputElement | HTMLTextAreaElement) => FieldControl} */
function controlOf(input) {
  return {
    target: input,
    text: () => input.value,
    setText(text) {
      input.value = text;
    },
  };
}

/** @param {Texts} labels By value; whole numbers would be sorted. */
export function choicesOf(labels) {
  return Object.entries(labels).map(([value, label]) => ({ value, label }));
}

/**
 * Chosen is the first one.
 * @param {string} name
 * @param {string} label
 * @param {Texts} labels By value.
 */
export function chosenField(name, label, labels) {
  const choices = choicesOf(labels);
  return choiceField({ name, label, required: true, initial: choices[0]?.value ?? "" }, choices);
}

/** @param {Texts} texts By the value of a list's view. */
export function viewsOf(texts) {
  return Object.entries(texts).map(([value, text]) => ({ value, text }));
}

/** Radio buttons for up to four options, a list for more. */

const MAX_RADIO_BUTTONS = 4;

/** @param {FieldRow} row @param {Choices} choices */
export function choiceField(row, choices) {
  const none = row.required ? [] : [{ value: "", label: row.none ?? t("noValue") }];
  return row.isList || choices.length > MAX_RADIO_BUTTONS
    ? field(row, listControl(row.name, [{ value: "", label: row.none ?? t("choose") }, ...choices]))
    : field(row, radioControl(row.name, [...choices, ...none]));
}

/** @type {MakeChoice} */
function listControl(name, choices) {
  // A label that is the value is a name, such as a time zone.
  const options = choices.map(({ value, label }) =>
    h("option", { value, ...(value === label && { translate: "no" }) }, label)
  );
  const select = h("select", { id: newId(), name }, options);
  return {
    target: select,
    text: () => select.value,
    setText(text) {
      select.value = text;
      // A stored value that the options no longer include.
      if (select.value !== text) select.append(h("option", { value: text, selected: true }, text));
    },
  };
}

/** @type {MakeChoice} */
function radioControl(name, choices) {
  const id = newId();
  const buttons = choices.map(({ value }) => h("input", { type: "radio", name: id, value }));
  const labels = choices.map(({ label }, index) => h("label.choice", buttons[index], label));
  const group = h("fieldset.field", { id, role: "radiogroup", "data-name": name }, labels);
  return {
    target: group,
    text: () => buttons.find(({ checked }) => checked)?.value ?? "",
    setText(text) {
      for (const button of buttons) button.checked = button.value === text;
    },
  };
}

/** @param {Children[0]} name @param {readonly Child[]} facts @param {...Child} more */
export function line(name, facts, ...more) {
  const parts = nodes(facts).flatMap((fact, index) => index === 0 ? [fact] : [" · ", fact]);
  return h("li", h("div", name, h("div.quiet.small", parts)), ...more);
}

/**
 * A part of a page that is requested after the page is shown.
 * @param {() => Promise<readonly Child[]>} make An empty part hides its section.
 */
export function loaded(make) {
  const place = h("div", h("p.quiet", t("loading")));
  const show = async () => {
    const children = await make().catch((error) => {
      if (!(error instanceof ApiError)) throw error;
      return [h("p.quiet", failureText(error.code))];
    });
    fill(place, children);
    if (children.length === 0) place.closest("section")?.remove();
  };
  void show();
  return place;
}

/**
 * @param {readonly Field[]} fields
 * @param {string} action
 * @param {() => Promise<unknown>} submit Throws an `ApiError` whose details name fields.
 * @param {FormParts} [parts]
 */
export function form(fields, action, submit, parts = {}) {
  const { before, beside, staysOpen, shown } = parts;
  const summary = h("div.summary", { role: "alert", tabindex: -1, hidden: true });
  const button = h("button.main", { type: "submit" }, action);
  const send = async () => {
    if (button.disabled) return;
    summary.hidden = true;
    for (const field of fields) field.refuse(field.problem());
    const wrong = fields.find((field) => field.problem() !== "");
    if (wrong !== undefined) return wrong.focus();
    const unlock = lock(staysOpen ? [button] : [...element.elements]);
    try {
      await submit();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (element.isConnected) showRefusal(error, fields, summary);
      else announce(failureText(error.code));
    } finally {
      unlock();
    }
  };
  const element = h(
    "form",
    { novalidate: true },
    summary,
    h("div", { class: shown && "columns" }, fields.slice(0, shown).map(({ element }) => element)),
    shown !== undefined && shown < fields.length && more(fields.slice(shown)),
    before,
    h("div.bar", button, beside),
  );
  element.addEventListener("submit", (event) => {
    event.preventDefault();
    void send();
  });
  element.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) void send();
  });
  return element;
}

/** Folded, unless one of the fields holds something. @param {readonly Field[]} fields */
function more(fields) {
  const open = fields.some((field) => field.text() !== "");
  const columns = h("div.columns", fields.map((field) => field.element));
  return h("details.more", { open }, h("summary", t("more")), columns);
}

/** Returns a function that unlocks them. @param {readonly Element[]} controls */
function lock(controls) {
  const focused = document.activeElement;
  const texts = "textarea, input:not([type=checkbox], [type=radio], [type=file])";
  const locked = controls.filter((control) => control.matches(":enabled:not(fieldset)"));
  const set = (/** @type {boolean} */ isLocked) => {
    for (const control of locked) {
      // A read-only control keeps the focus; a disabled one loses it.
      control.toggleAttribute(control.matches(texts) ? "readonly" : "disabled", isLocked);
    }
  };
  set(true);
  return () => {
    set(false);
    if (document.activeElement === document.body && focused instanceof HTMLElement) focused.focus();
  };
}

/** @param {ApiError} error @param {readonly Field[]} fields @param {HTMLElement} summary */
function showRefusal(error, fields, summary) {
  const { details } = error;
  const named = new Set(details.fields ?? []);
  const refused = fields.filter(({ name }) => named.has(name));
  /** @type {readonly string[]} */
  const rules = details.rules ?? [];
  const reason = rules.map((rule) => textOf(rule, "")).find((text) => text !== "");
  for (const field of refused) field.refuse(reason ?? t("notValid"));
  const unnamed = rules.filter((rule) => textOf(rule, "") === "").join(", ");
  const more = details.parts ?? (unnamed !== "" && h("p.small.exact", unnamed));
  const why = refused.length === 0 && reason !== undefined && h("p", reason);
  fill(summary, h("p", refusalText(error)), why, more);
  summary.hidden = false;
  summary.focus();
}

/** @param {FieldRow} row */
export function tagsField(row) {
  /** @type {string[]} */
  let tags = [];
  const about = { id: newId(), name: row.name, autocomplete: "off" };
  const input = h("input.words", { ...about, ...(row.sensitive && KEPT_HERE) });
  const list = h("ul.tags");
  const changed = () => input.dispatchEvent(new Event("input", { bubbles: true }));
  const draw = () => fill(list, tags.map((tag) => h("li", tag, removeButton(tag))));
  const removeButton = (/** @type {string} */ tag) => {
    const remove = () => {
      tags = tags.filter((other) => other !== tag);
      draw();
      changed();
      input.focus();
    };
    const label = t("removeTag", { tag });
    return h("button.plain", { "aria-label": label, onclick: remove }, "×");
  };
  const add = () => {
    const added = input.value.trim();
    if (added === "") return;
    input.value = "";
    tags = [...tags.filter((tag) => tag !== added), added];
    draw();
    changed();
  };
  input.addEventListener("keydown", (event) => {
    // Input methods use Enter to choose a word.
    if (event.key !== "Enter" || event.isComposing || event.ctrlKey || event.metaKey) return;
    if (input.value.trim() === "") return;
    event.preventDefault();
    add();
  });
  const label = `${t("add")}: ${row.label}`;
  const button = h("button", { "aria-label": label, onclick: add }, t("add"));
  return field(row, {
    element: h("div", h("div.pair", input, button), list),
    target: input,
    // Includes a typed word that was not added.
    text() {
      const all = [...tags, input.value.trim()].filter((tag) => tag !== "");
      return all.length === 0 ? "" : JSON.stringify(all);
    },
    setText(text) {
      tags = text === "" ? [] : JSON.parse(text);
      input.value = "";
      draw();
    },
  });
}

export function emailField() {
  const row = { name: "email", label: t("email"), required: true };
  return lineField({ ...row, type: "email", autocomplete: "username" });
}

/**
 * A dialog that stays open until the service has done the action.
 * @param {Question} question
 * @param {() => Promise<unknown>} work Its failure is shown in the dialog.
 * @returns {Promise<boolean>}
 * @throws {ApiError} a conflict (409).
 */
export function ask({ title, text, action, fields = [] }, work) {
  const { promise, resolve, reject } = Promise.withResolvers();
  let isWorking = false;
  const submit = async () => {
    isWorking = true;
    try {
      await work();
      resolve(true);
    } catch (error) {
      const isOver = !dialog.open || (error instanceof ApiError && error.status === 409);
      if (!isOver) throw error;
      reject(error);
    } finally {
      isWorking = false;
    }
    dialog.close();
  };
  const cancelled = (/** @type {Event} */ event) => {
    if (isWorking) event.preventDefault();
  };
  // A running request shows its result even after the page was left.
  const closed = () => isWorking || resolve(false);
  const cancel = h("button", { onclick: () => dialog.close() }, t("cancel"));
  const id = newId();
  /** @type {HTMLDialogElement} */
  const dialog = showDialog(
    { "aria-labelledby": id, onclose: closed, oncancel: cancelled },
    h("h2", { id }, title),
    text !== undefined && h("p", text),
    form(fields, action, submit, { beside: [cancel] }),
  );
  return promise;
}

/** Its value is a JSON array; empty for none. @param {FieldRow} row @param {Choices} choices */
export function severalField(row, choices) {
  const boxes = choices.map(({ value }) => h("input", { type: "checkbox", value }));
  const labels = choices.map(({ label }, index) => h("label.choice", boxes[index], label));
  const group = h("fieldset.field", { id: newId() }, h("div.groups", labels));
  return field(row, {
    target: group,
    text() {
      const chosen = boxes.filter(({ checked }) => checked).map(({ value }) => value);
      return chosen.length === 0 ? "" : JSON.stringify(chosen);
    },
    setText(text) {
      const chosen = text === "" ? [] : JSON.parse(text);
      for (const box of boxes) box.checked = chosen.includes(box.value);
    },
  });
}

/**
 * A button that opens further controls on narrow screens; wide ones always show them.
 * @param {readonly Element[]} controls
 */
export function fold(controls) {
  if (controls.length === 0) return [];
  const onclick = () => {
    button.setAttribute("aria-expanded", String(panel.classList.toggle("open")));
  };
  const panel = h("div", { id: "filter", class: "bar" }, controls);
  const states = { "aria-controls": "filter", "aria-expanded": "false" };
  const button = h("button", { ...states, onclick }, t("filter"));
  return [button, panel];
}

/**
 * A moment. A stored one stays on its clock when it is changed; otherwise the device's zone is
 * taken when the time is entered.
 * @param {FieldRow} row
 * @param {LocalTimes} times
 */
export function timeField(row, times) {
  const input = h("input", { id: newId(), name: row.name, type: "datetime-local", step: "any" });
  let [given, drawn, whole] = ["", "", ""];
  const holder = {
    text: () => whole,
    setText(/** @type {string} */ text) {
      input.value = text === "" ? "" : times.localOf(text);
      [given, drawn, whole] = [text, input.value, text];
      clock.draw();
    },
  };
  const clock = clockNote(holder, () => input, times);
  input.addEventListener("input", () => {
    // Keeps the value while a time is being typed.
    if (input.validity.badInput) return;
    whole = input.value === drawn ? given : times.onClock(input.value, given);
    clock.draw();
  });
  const problem = () => input.validity.badInput ? t("timeUnfinished") : "";
  return field(row, { ...holder, target: input, note: clock, problem });
}

/**
 * The zone or offset of a time, and a button that sets the device's: the same local time, there.
 * @param {TextHolder} time
 * @param {() => HTMLElement | null} control Gets the focus.
 * @param {LocalTimes} times
 */
export function clockNote({ text, setText }, control, { isOfDevice, localOf, onClock, placeText }) {
  const place = h("span", { id: newId(), translate: "no" });
  const onclick = () => {
    setText(onClock(localOf(text())));
    control()?.focus();
    element.dispatchEvent(new Event("input", { bubbles: true }));
  };
  const button = h("button.plain", { onclick }, t("useDeviceZone"));
  const element = h("div.hint", { hidden: true }, place, " ", button);
  const draw = () => {
    place.textContent = placeText(text());
    button.hidden = isOfDevice(text());
    element.hidden = place.textContent === "";
  };
  return { element, id: place.id, draw };
}
