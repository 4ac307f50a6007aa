/** Times of memories. */

interface StatedTime {
  occurredAt: string | null;
  timePrecision: string | null;
  timeRange: { from: string; to: string } | null;
}

type TimedMemory = StatedTime & { timeText: string | null };
