/** "Add files": chosen, dropped, pasted or from the camera, several at once. */

import { iconButton } from "../../core/acts/buttons.js";
import { watchForm } from "../../core/acts/unsaved.js";
import { h } from "../../core/base/elements.js";
import { icon } from "../../core/base/icons.js";
import { t } from "../../core/base/language.js";
import { notLoaded } from "../../core/base/visits.js";
import { FileHolder } from "./holder.js";
import { smallerChoice } from "./smaller.js";

/**
 * A control that uploads files as soon as they are added.
 *
 * - `element`: the buttons, "Smaller copy", and `list`, the files with their progress; files can
 *   be dropped on it.
 * - `take(files)`: adds files, as those that were dropped or pasted elsewhere.
 * - `files()`: the finished uploads, in the order of the files; `ids()`: their identifiers.
 * - `isRunning()`: true during a recording or upload; `settled()` ends the recording, and resolves
 *   when no upload runs.
 * - `problem()`: why a form cannot be sent; empty if it can.
 * - `show(files)`: replaces finished uploads; `show([])` empties the control for the next record.
 *
 * The page warns before it is left while something is not uploaded, and without `isKept` also while
 * finished uploads are not saved.
 * @param {FileAdderOptions} [options]
 * @returns {FileAdder}
 */
export function fileAdder(options = {}) {
  const { isKept = false, ofDevice = false, ofPictures = false } = options;
  const { added = () => false, changed = () => {} } = options;
  const accept = "image/*";
  const list = h("ul.files");
  const focus = () => element.querySelector("button")?.focus();
  const holder = new FileHolder(list, { added, changed, left: focus });
  /** Icons; with words if the device makes the files. @type {typeof iconButton} */
  const button = (symbol, name, onclick) =>
    ofDevice ? h("button", { onclick }, icon(symbol), name) : iconButton(symbol, name, onclick);
  const disk = !ofDevice &&
    chooser({ multiple: true, accept: ofPictures && accept }, holder);
  const camera = (ofDevice || matchMedia("(pointer: coarse)").matches) &&
    chooser({ accept, capture: "environment" }, holder);
  /** @type {(() => Promise<void>) | null} */
  let endRecording = null;
  const record = async () => {
    const { recordVoice } = await import("../voice/recorder.js").catch(notLoaded);
    endRecording = await recordVoice(microphone, (file) => holder.take([file]));
  };
  const microphone = button("microphone", t("recordVoice"), record);
  const records = !ofPictures && "MediaRecorder" in globalThis;
  const element = h(
    "div",
    h(
      "div.bar",
      disk && [button("files", t("addFiles"), () => disk.click()), disk],
      camera && [button("camera", t("takePicture"), () => camera.click()), camera],
      records && microphone,
      !ofDevice && smallerChoice(),
    ),
    list,
  );
  // The recording takes the place of its button.
  const isRecording = () => records && !element.contains(microphone);
  receiveFiles(element, (files) => holder.take(files));
  watchForm({
    isUnsaved: () => list.isConnected && holder.entries.some(({ file }) => !file || !isKept),
    cancel: () => holder.clear(),
  });
  return {
    element,
    list,
    take: (files, place) => holder.take(files, place),
    files: () => holder.entries.flatMap(({ file }) => file ?? []),
    ids: () => holder.entries.flatMap(({ file }) => file?.attachmentId ?? []),
    isRunning: () => isRecording() || holder.isRunning,
    async settled() {
      if (isRecording()) await endRecording?.();
      await holder.settled();
    },
    problem() {
      if (holder.isRunning) return t("uploadRunning");
      return holder.entries.some(({ state }) => state === "failed") ? t("uploadFailed") : "";
    },
    show: (files) => holder.show(files),
    focus,
  };
}

/** The hidden input of a button. @type {ShowChooser} */
function chooser(about, holder) {
  const onchange = () => {
    holder.take([...input.files ?? []]);
    // So that the same file can be chosen again.
    input.value = "";
  };
  const input = h("input", { type: "file", hidden: true, ...about, onchange });
  return input;
}

/**
 * Receives files that are dropped or pasted.
 * @param {Element} element @param {(files: readonly File[], event: Event) => void} take
 * @param {AbortSignal} [signal]
 */
export function receiveFiles(element, take, signal) {
  const receive = (/** @type {Event} */ event, /** @type {DataTransfer | null} */ data) => {
    const files = [...data?.files ?? []];
    // Copied words and cells often come with a picture of themselves.
    if (files.length === 0 || data?.types.includes("text/plain")) return;
    event.preventDefault();
    event.stopPropagation();
    take(files, event);
  };
  /** @type {Readonly<Record<string, (event: any) => void>>} */
  const listeners = {
    dragover: (event) => event.dataTransfer?.types.includes("Files") && event.preventDefault(),
    drop: (event) => receive(event, event.dataTransfer),
    paste: (event) => receive(event, event.clipboardData),
  };
  for (const [name, listener] of Object.entries(listeners)) {
    element.addEventListener(name, listener, signal && { signal });
  }
}
