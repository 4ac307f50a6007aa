/** Where the service reads the time. Injected everywhere, so that expiry is testable without waiting. */
export type Clock = () => Date;

/** The machine's own clock. */
export const systemClock: Clock = (): Date => new Date();
