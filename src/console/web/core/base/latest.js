/** Questions that are asked while the person types. */

const PATIENCE_MS = 300;

/**
 * Returns a function that asks a question and shows its answer, unless a later one was asked
 * before it arrived. Without an answer after 300 ms it calls `waiting`. Failures of earlier
 * questions are dropped, too.
 * @template Question
 * @template Answer
 * @param {(question: Question, signal: AbortSignal) => Promise<Answer>} ask
 * @param {(answer: Answer, question: Question) => unknown} show
 * @param {() => unknown} [waiting] Says "Loading…".
 */
export function latest(ask, show, waiting = () => {}) {
  let last = new AbortController();
  /** Drops the question that is not answered yet. */
  const cancel = () => last.abort();
  const put = async (/** @type {Question} */ question) => {
    cancel();
    const { signal } = last = new AbortController();
    const timer = setTimeout(() => signal.aborted || waiting(), PATIENCE_MS);
    try {
      const answer = await ask(question, signal);
      if (!signal.aborted) await show(answer, question);
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      clearTimeout(timer);
    }
  };
  return Object.assign(put, { cancel });
}
