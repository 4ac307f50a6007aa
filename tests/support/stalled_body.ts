/** The client stops sending. */
export interface StalledBody {
  readonly stream: ReadableStream<Uint8Array>;
  /** Disconnects the client. */
  breakOff(): void;
  /** True if the reader has cancelled the body. */
  isGivenUp(): boolean;
}

/** Stalls after sending `text`. */
export function stalledBody(text: string): StalledBody {
  let breakOff = () => {};
  let isGivenUp = false;
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(new TextEncoder().encode(text));
      breakOff = () => controller.error(new Error("The client went away"));
    },
    cancel() {
      isGivenUp = true;
    },
  });
  return { stream, breakOff: () => breakOff(), isGivenUp: () => isGivenUp };
}
