/** Records the microphone as a file. */

import { watchForm } from "../../core/acts/unsaved.js";
import { announce, fill, h } from "../../core/base/elements.js";
import { t } from "../../core/base/language.js";

const SECOND_MS = 1_000;
/** Clear speech, about 22 MB an hour. */
const BITS_PER_SECOND = 48_000;

/** By media type, as browsers record. */
const ENDINGS = { "audio/webm": "webm", "audio/mp4": "m4a" };

/**
 * Asks for the microphone, and shows the elapsed time, "Stop" and "Discard" in place of a button.
 * Returns a function that ends the recording, and resolves when it was taken; null without one.
 * @param {HTMLButtonElement} button
 * @param {(file: File) => void} take
 */
export async function recordVoice(button, take) {
  const stream = await openMicrophone();
  if (stream === null) return null;
  const endStream = () => {
    for (const track of stream.getTracks()) track.stop();
  };
  // The page was left while the browser asked.
  if (!button.isConnected) {
    endStream();
    return null;
  }
  const began = Date.now();
  const recorder = new MediaRecorder(stream, { audioBitsPerSecond: BITS_PER_SECOND });
  /** @type {Blob[]} */
  const pieces = [];
  let isWanted = true;
  const time = h("span", { role: "timer" }, elapsed(0));
  const timer = setInterval(() => fill(time, elapsed(Date.now() - began)), SECOND_MS);
  const ended = Promise.withResolvers();
  const end = async () => {
    if (recorder.state !== "inactive") recorder.stop();
    await ended.promise;
  };
  const discard = () => {
    isWanted = false;
    void end();
  };
  const stop = h("button", { onclick: end }, t("stop"));
  const named = { role: "group", "aria-label": t("recording") };
  const panel = h(
    "div.bar",
    named,
    h("span", t("recording"), " ", time),
    stop,
    h("button", { onclick: discard }, t("discard")),
  );
  recorder.addEventListener("dataavailable", ({ data }) => pieces.push(data));
  recorder.addEventListener("stop", () => {
    clearInterval(timer);
    endStream();
    const hadFocus = panel.contains(document.activeElement);
    panel.replaceWith(button);
    if (hadFocus) button.focus();
    if (isWanted) take(fileOfPieces(pieces, recorder.mimeType, new Date(began)));
    ended.resolve(null);
  });
  watchForm({ isUnsaved: () => recorder.state !== "inactive", cancel: discard });
  recorder.start();
  button.replaceWith(panel);
  stop.focus();
  return end;
}

/** Null if there is none, or the person does not allow it. */
async function openMicrophone() {
  try {
    return await navigator.mediaDevices.getUserMedia({ audio: true });
  } catch (error) {
    const isRefused = error instanceof DOMException && error.name === "NotAllowedError";
    announce(t(isRefused ? "microphoneRefused" : "microphoneMissing"));
    return null;
  }
}

/** @param {number} milliseconds */
function elapsed(milliseconds) {
  const seconds = Math.floor(milliseconds / SECOND_MS);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** @param {readonly Blob[]} pieces @param {string} mimeType With its codecs. @param {Date} began */
function fileOfPieces(pieces, mimeType, began) {
  const [type = ""] = mimeType.split(";");
  const { [type]: ending = "webm" } = /** @type {Texts} */ (ENDINGS);
  return new File([...pieces], `${voiceName(began)}.${ending}`, { type });
}

/** On the clock of the device. @param {Date} began */
function voiceName(began) {
  const parts = [
    began.getFullYear(),
    began.getMonth() + 1,
    began.getDate(),
    began.getHours(),
    began.getMinutes(),
  ];
  return ["voice", ...parts.map((part) => String(part).padStart(2, "0"))].join("-");
}
