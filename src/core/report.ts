/** Receives a short progress message. */
export type Report = (progress: string) => void;
