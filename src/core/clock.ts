/** Where the service reads the time. Injected everywhere, so that expiry is testable without waiting. */
export type Clock = () => Date;

/** The machine's own clock. */
export const systemClock: Clock = (): Date => new Date();

/** The later of two moments: what is changed never becomes older, even where a clock runs backwards. */
export function laterOf(one: Date, other: Date): Date {
  return one > other ? one : other;
}
