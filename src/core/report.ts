export type Report = (progress: string) => void;
