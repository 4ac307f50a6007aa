/**
 * A headless Chromium driven by the Chrome DevTools Protocol.
 *
 * Pages record violations of the content security policy, console errors, uncaught exceptions, and
 * requests to other origins.
 */

import { assertEquals } from "@std/assert";

// deno-lint-ignore no-explicit-any -- the protocol's answers are checked by the tests' own assertions
type Message = any;

/** The first installed one. The headless shell takes half the time. */
const PROGRAMS = [
  "/usr/bin/chromium-headless-shell",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
];

/** Allows for busy machines. */
const DEADLINE_MS = 90_000;

/** Null if none is installed. */
export function findBrowser(): string | null {
  return PROGRAMS.find((path) => {
    try {
      return Deno.statSync(path).isFile;
    } catch {
      return false;
    }
  }) ?? null;
}

/** Rejects with the message at the deadline, because a test has no limit of its own. */
async function before<T>(answer: PromiseWithResolvers<T>, message: string): Promise<T> {
  const timer = setTimeout(() => answer.reject(new Error(message)), DEADLINE_MS);
  return await answer.promise.finally(() => clearTimeout(timer));
}

/** Protocol calls over one connection. */
class Connection {
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, PromiseWithResolvers<Message>>();
  readonly #listeners = new Set<(message: Message) => void>();
  readonly #closed: Promise<unknown>;
  #sent = 0;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    // A browser that exits may close it without an answer.
    this.#closed = new Promise((resolve) => socket.addEventListener("close", resolve));
    socket.addEventListener("close", () => this.#fail());
    socket.addEventListener("message", ({ data }) => this.#receive(JSON.parse(data)));
  }

  static async open(address: string): Promise<Connection> {
    const socket = new WebSocket(address);
    await new Promise((resolve, reject) => {
      socket.addEventListener("open", resolve, { once: true });
      socket.addEventListener("error", reject, { once: true });
    });
    return new Connection(socket);
  }

  #receive(message: Message): void {
    const call = this.#waiting.get(message.id);
    if (call === undefined) {
      for (const listener of this.#listeners) listener(message);
    } else if (message.error === undefined) call.resolve(message.result);
    else call.reject(new Error(message.error.message));
    this.#waiting.delete(message.id);
  }

  #fail(): void {
    for (const { reject } of this.#waiting.values()) reject(new Error("The browser has ended"));
    this.#waiting.clear();
  }

  async call(method: string, params: Message = {}, sessionId?: string): Promise<Message> {
    const id = ++this.#sent;
    const answer = Promise.withResolvers<Message>();
    this.#waiting.set(id, answer);
    this.#socket.send(JSON.stringify({ id, method, params, sessionId }));
    return await before(answer, `The browser never answered ${method}`);
  }

  listen(listener: (message: Message) => void): void {
    this.#listeners.add(listener);
  }

  async close(): Promise<void> {
    this.#socket.close();
    await this.#closed;
  }
}

export class Browser implements AsyncDisposable {
  readonly #process: Deno.ChildProcess;
  readonly #connection: Connection;
  readonly #folder: string;

  private constructor(process: Deno.ChildProcess, connection: Connection, folder: string) {
    this.#process = process;
    this.#connection = connection;
    this.#folder = folder;
  }

  /** With an empty profile. @param options Further command-line options. */
  static async start(program: string, options: readonly string[] = []): Promise<Browser> {
    const folder = await Deno.makeTempDir({ prefix: "prs-browser-" });
    const process = new Deno.Command(program, {
      args: [
        "--headless=new",
        "--no-sandbox",
        "--remote-debugging-port=0",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--no-first-run",
        // Fewer processes: none for graphics and the network, no spare renderer, and one renderer
        // for all pages of a context.
        "--in-process-gpu",
        "--enable-features=NetworkServiceInProcess2",
        "--process-per-site",
        "--disable-features=SpareRendererForSitePerProcess",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--password-store=basic",
        // A microphone that beeps, and that pages may use.
        "--use-fake-device-for-media-stream",
        "--use-fake-ui-for-media-stream",
        "--force-color-profile=srgb",
        "--lang=en-GB",
        `--user-data-dir=${folder}`,
        ...options,
        "about:blank",
      ],
      env: { HOME: folder },
      stdin: "null",
      stdout: "null",
      stderr: "piped",
    }).spawn();
    const address = await readAddress(process.stderr);
    return new Browser(process, await Connection.open(address), folder);
  }

  /** With its own cookies and storage. */
  async open(origin: string, size = { width: 1280, height: 900 }): Promise<Page> {
    return await this.openIn(await this.context(), origin, size);
  }

  /** Sharing another page's cookies and storage. */
  async openIn(
    context: string,
    origin: string,
    size = { width: 1280, height: 900 },
  ): Promise<Page> {
    const { targetId } = await this.#connection.call("Target.createTarget", {
      url: "about:blank",
      browserContextId: context,
    });
    const { sessionId } = await this.#connection.call("Target.attachToTarget", {
      targetId,
      flatten: true,
    });
    return await Page.attach(this.#connection, { sessionId, targetId }, { origin, context, size });
  }

  /** An empty context for `openIn`. */
  async context(): Promise<string> {
    return (await this.#connection.call("Target.createBrowserContext")).browserContextId;
  }

  /** Closes a context's pages and removes its cookies and storage. */
  async close(context: string): Promise<void> {
    await this.#connection.call("Target.disposeBrowserContext", { browserContextId: context });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#connection.call("Browser.close").catch(() => {});
    await this.#connection.close();
    await this.#process.status;
    await Deno.remove(this.#folder, { recursive: true });
  }
}

/** Finds the browser's address, then drains the stream. */
async function readAddress(stream: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<string> {
  const address = Promise.withResolvers<string>();
  const read = async () => {
    let text = "";
    for await (const part of stream.pipeThrough(new TextDecoderStream())) {
      text = (text + part).slice(-4_000);
      const found = /DevTools listening on (ws:\S+)/.exec(text)?.[1];
      if (found !== undefined) address.resolve(found);
    }
    address.reject(new Error("The browser ended before it listened"));
  };
  void read();
  return await address.promise;
}

interface Target {
  readonly sessionId: string;
  readonly targetId: string;
}

export class Page {
  readonly context: string;
  /** Forbidden events. */
  readonly problems: string[] = [];
  /** Failed requests that the browser logged. */
  readonly failures: string[] = [];
  readonly #connection: Connection;
  readonly #target: Target;
  readonly origin: string;
  readonly #absent: string[] = [];
  #runsScripts = true;

  private constructor(connection: Connection, target: Target, origin: string, context: string) {
    this.#connection = connection;
    this.#target = target;
    this.origin = origin;
    this.context = context;
  }

  static async attach(
    connection: Connection,
    target: Target,
    { origin, context, size }: {
      readonly origin: string;
      readonly context: string;
      readonly size: { readonly width: number; readonly height: number };
    },
  ): Promise<Page> {
    const page = new Page(connection, target, origin, context);
    connection.listen((message) => {
      if (message.sessionId === target.sessionId) page.#notice(message);
    });
    for (const domain of ["Page", "Runtime", "Log", "Network", "Audits"]) {
      await page.call(`${domain}.enable`);
    }
    await page.resize(size.width, size.height);
    return page;
  }

  async call(method: string, params: Message = {}): Promise<Message> {
    return await this.#connection.call(method, params, this.#target.sessionId);
  }

  /** Headers of its requests, by which the service knows its session and its browser. */
  async headers(): Promise<Readonly<Record<string, string>>> {
    const { cookies } = await this.call("Network.getCookies", { urls: [this.origin] });
    const { userAgent } = await this.call("Browser.getVersion");
    return {
      Cookie: cookies.map(({ name, value }: Message) => `${name}=${value}`).join("; "),
      Origin: this.origin,
      "User-Agent": userAgent,
    };
  }

  /** @param header Its name, its value and its path matter. */
  async addCookie(header: string): Promise<void> {
    const [, name, value, path] = /^([^=]+)=([^;]*);.*Path=([^;]+)/i.exec(header) ?? [];
    const url = this.origin;
    const cookie = { name, value, url, path, httpOnly: true, sameSite: "Lax" };
    await this.call("Network.setCookie", cookie);
  }

  /** Returns the window that the page opens during `open`, with the console's origin. */
  async opened(origin: string, open: () => Promise<void>): Promise<Page> {
    await open();
    const openerId = this.#target.targetId;
    for (const end = Date.now() + DEADLINE_MS; Date.now() < end;) {
      const { targetInfos } = await this.#connection.call("Target.getTargets");
      const found = targetInfos.find((info: Message) => info.openerId === openerId);
      if (found === undefined) continue;
      const { targetId } = found;
      const asked = { targetId, flatten: true };
      const { sessionId } = await this.#connection.call("Target.attachToTarget", asked);
      const about = { origin, context: this.context, size: { width: 600, height: 800 } };
      return await Page.attach(this.#connection, { sessionId, targetId }, about);
    }
    throw new Error("No window was opened");
  }

  /** Removes the cookies and the storage of its context, but not the browser's cache. */
  async clear(): Promise<void> {
    const storageTypes = "all";
    await this.call("Storage.clearDataForOrigin", { origin: this.origin, storageTypes });
    await this.#connection.call("Storage.clearCookies", { browserContextId: this.context });
  }

  /** Resolves after the page's last script, which may write to the storage. */
  async close(): Promise<void> {
    const { targetId, sessionId } = this.#target;
    const closed = Promise.withResolvers<void>();
    this.#connection.listen(({ method, params }) => {
      const isEnd = method === "Target.detachedFromTarget" && params.sessionId === sessionId;
      if (isEnd) closed.resolve();
    });
    await this.#connection.call("Target.closeTarget", { targetId });
    await before(closed, "The page never closed");
  }

  async resize(width: number, height: number): Promise<void> {
    const metrics = { width, height, deviceScaleFactor: 1, mobile: false };
    await this.call("Emulation.setDeviceMetricsOverride", metrics);
  }

  async forbidScripts(): Promise<void> {
    await this.call("Emulation.setScriptExecutionDisabled", { value: true });
    this.#runsScripts = false;
  }

  /** A media feature such as `prefers-color-scheme`. */
  async prefer(name: string, value: string): Promise<void> {
    await this.call("Emulation.setEmulatedMedia", { features: [{ name, value }] });
  }

  /** Emulates touch, or a pointer again. */
  async touch(enabled: boolean): Promise<void> {
    await this.call("Emulation.setTouchEmulationEnabled", { enabled });
    await this.until(`matchMedia("(pointer: coarse)").matches === ${enabled}`);
  }

  /** The browser's language setting. */
  async speak(language: string): Promise<void> {
    const { userAgent } = await this.call("Browser.getVersion");
    await this.call("Emulation.setUserAgentOverride", { userAgent, acceptLanguage: language });
  }

  /** The device's time zone, an IANA name. */
  async moveTo(timezoneId: string): Promise<void> {
    await this.call("Emulation.setTimezoneOverride", { timezoneId });
  }

  #notice({ method, params }: Message): void {
    if (method === "Runtime.exceptionThrown") {
      const { text, exception } = params.exceptionDetails;
      this.problems.push(`exception: ${exception?.description ?? text}`);
    }
    if (method === "Runtime.consoleAPICalled" && ["error", "assert"].includes(params.type)) {
      this.problems.push(`console: ${params.args.map(({ value }: Message) => value).join(" ")}`);
    }
    // The browser logs API errors itself. A page asks only for objects that exist.
    if (method === "Log.entryAdded" && params.entry.level === "error") {
      const { source, text, url } = params.entry;
      const isMissing = text.includes("status of 404") &&
        !this.#absent.some((path) => new URL(url).pathname.endsWith(path));
      if (source !== "network") this.problems.push(`log: ${text}`);
      else if (isMissing) this.problems.push(`missing: ${url}`);
      else this.failures.push(`${text} ${url}`);
    }
    if (method === "Audits.issueAdded" && params.issue.code === "ContentSecurityPolicyIssue") {
      this.problems.push(`policy: ${JSON.stringify(params.issue.details)}`);
    }
    if (method === "Network.requestWillBeSent") {
      const { url } = params.request;
      // The browser's own controls use data URLs; the page's are blocked.
      const isOwn = url.startsWith(`${this.origin}/`) || /^(blob|about|data):/.test(url);
      if (!isOwn) this.problems.push(`request: ${url}`);
    }
  }

  /** Allows a 404 of a journey. @param path The end of the address. */
  expectAbsent(path: string): void {
    this.#absent.push(path);
  }

  /** No forbidden event occurred. */
  assertClean(): void {
    assertEquals(this.problems, []);
  }

  async visit(path: string): Promise<void> {
    await this.call("Page.navigate", { url: new URL(path, this.origin).href });
    await this.until("document.readyState === 'complete'");
  }

  /**
   * An isolated world: the page's elements without its scripts, policy and types.
   *
   * @returns evaluates an expression in it.
   */
  async isolate(): Promise<(expression: string) => Promise<Message>> {
    const { frameTree } = await this.call("Page.getFrameTree");
    const { executionContextId } = await this.call("Page.createIsolatedWorld", {
      frameId: frameTree.frame.id,
    });
    return (expression) => this.#evaluate({ expression, contextId: executionContextId });
  }

  /** As the browser's back button. */
  async back(): Promise<void> {
    const { currentIndex, entries } = await this.call("Page.getNavigationHistory");
    await this.call("Page.navigateToHistoryEntry", { entryId: entries[currentIndex - 1].id });
  }

  async evaluate(expression: string): Promise<Message> {
    return await this.#evaluate({ expression });
  }

  async #evaluate(params: Message): Promise<Message> {
    const { result, exceptionDetails } = await this.call("Runtime.evaluate", {
      ...params,
      awaitPromise: true,
      returnByValue: true,
    });
    if (exceptionDetails !== undefined) {
      throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    }
    return result.value;
  }

  /** Looks repeatedly within the page, which costs less than a call each time. */
  async until(expression: string): Promise<void> {
    const end = Date.now() + DEADLINE_MS;
    const look = `(async () => {
      const isTrue = async () => (${expression});
      for (let times = 0; times < 25; times++) {
        if (times > 0) await new Promise((resolve) => setTimeout(resolve, 20));
        if (await isTrue().catch(() => false)) return true;
      }
      return false;
    })()`;
    while (true) {
      // Evaluation fails while a page is being replaced.
      if (await this.evaluate(this.#runsScripts ? look : expression).catch(() => false)) return;
      if (Date.now() > end) throw new Error(`Never true: ${expression}\n${await this.text()}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  /** Visible text. */
  async text(): Promise<string> {
    return await this.evaluate("document.body.innerText");
  }

  async heading(text: string): Promise<void> {
    await this.until(`document.querySelector("h1")?.innerText === ${JSON.stringify(text)}`);
  }

  /** Focuses the labelled control, empties it, and types. */
  async type(label: string, text: string): Promise<void> {
    await this.focus(label);
    await this.evaluate("document.activeElement.select?.()");
    await this.call("Input.insertText", { text });
  }

  /** Sets a control by name, as a person's choice does. */
  async set(name: string, value: string): Promise<void> {
    const control = `document.querySelector("main [name=${name}]")`;
    await this.until(`${control} !== null`);
    await this.evaluate(`${control}.value = ${JSON.stringify(value)}`);
    await this.evaluate(`${control}.dispatchEvent(new Event("input", { bubbles: true }))`);
  }

  /** Unfolds the form's further fields for one of them. */
  async focus(label: string): Promise<void> {
    // Folded labels have no inner text.
    const find = `[...document.querySelectorAll("label")].find((label) =>
      (label.innerText || label.textContent).trim() === ${JSON.stringify(label)})?.control`;
    await this.until(`${find} != null`);
    await this.evaluate(`${find}.closest("details.more")?.toggleAttribute("open", true)`);
    await this.evaluate(`${find}.focus()`);
  }

  /** On the focused element. */
  async press(key: string, modifiers = 0): Promise<void> {
    const text = key === "Enter" ? "\r" : key.length === 1 ? key : "";
    const code = { Enter: 13, Tab: 9, Escape: 27, ArrowDown: 40 }[key] ?? 0;
    const event = { key, code: key, windowsVirtualKeyCode: code, modifiers };
    await this.call("Input.dispatchKeyEvent", { type: "keyDown", ...event, text });
    await this.call("Input.dispatchKeyEvent", { type: "keyUp", ...event });
  }

  /**
   * By name, at its position on the screen; again if a part that loaded later has moved it away.
   */
  async click(name: string): Promise<void> {
    for (const end = Date.now() + DEADLINE_MS; !await this.#hit(name);) {
      if (Date.now() > end) throw new Error(`Never hit: ${name}\n${await this.text()}`);
    }
  }

  /** A click that would reach anything else reaches nothing. */
  async #hit(name: string): Promise<boolean> {
    const find = `[...document.querySelectorAll("a, button, summary")].find((element) =>
      (element.getAttribute("aria-label") ?? element.innerText).trim() === ${
      JSON.stringify(name)
    } &&
      !element.disabled && element.checkVisibility())`;
    await this.until(`globalThis.lastMiddle = null, ${find} !== undefined`);
    const middle = `(() => {
      const element = ${find};
      element?.scrollIntoView({ block: "center" });
      const { x, y, width, height } = element?.getBoundingClientRect() ?? {};
      const at = { x: x + width / 2, y: y + height / 2 };
      return element?.contains(document.elementFromPoint(at.x, at.y)) ? at : null;
    })()`;
    await this.until(`JSON.stringify(globalThis.lastMiddle) ===
      JSON.stringify(globalThis.lastMiddle = ${middle}) && globalThis.lastMiddle !== null`);
    const { x, y } = await this.evaluate(`(() => {
      const element = ${find};
      globalThis.aim?.abort();
      globalThis.aim = new AbortController();
      globalThis.hasHit = false;
      addEventListener("click", (event) => {
        hasHit = element?.contains(event.target) ?? false;
        if (hasHit) return;
        event.preventDefault();
        event.stopImmediatePropagation();
      }, { capture: true, once: true, signal: aim.signal });
      return lastMiddle;
    })()`);
    const at = { x, y, button: "left", clickCount: 1 };
    await this.call("Input.dispatchMouseEvent", { type: "mousePressed", ...at });
    await this.call("Input.dispatchMouseEvent", { type: "mouseReleased", ...at });
    // The click may have replaced the page.
    return await this.evaluate("globalThis.aim?.abort(), globalThis.hasHit !== false").catch(() =>
      true
    );
  }

  /** PNG. */
  async screenshot(): Promise<Uint8Array> {
    const { data } = await this.call("Page.captureScreenshot", { captureBeyondViewport: true });
    return Uint8Array.fromBase64(data);
  }
}
