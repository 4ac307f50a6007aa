/** Receives what has been done so far, in a few words. */
export type Report = (progress: string) => void;
