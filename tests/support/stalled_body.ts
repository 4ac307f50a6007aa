/** A request body whose client stops sending. */
export interface StalledBody {
  readonly stream: ReadableStream<Uint8Array>;
  /** The client goes away. */
  breakOff(): void;
  /** Whether its reader wants no more of it. */
  isGivenUp(): boolean;
}

/** A body of which `text` has come. */
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
