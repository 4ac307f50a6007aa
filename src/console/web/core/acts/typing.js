/** Questions and work that wait while the person types. */

const PATIENCE_MS = 300;

/**
 * Returns a function that asks a question and shows its answer, unless a later one was asked
 * before it arrived. Failures of earlier questions are dropped, too.
 * @template Question
 * @template Answer
 * @param {(question: Question, signal: AbortSignal) => Promise<Answer>} ask
 * @param {(answer: Answer, question: Question) => unknown} show
 * @param {(isWaiting: boolean) => unknown} waiting True after 300 ms without an answer; then
 * false, before the answer is shown.
 */
export function latest(ask, show, waiting) {
  let last = new AbortController();
  let isSaid = false;
  const say = (/** @type {boolean} */ isWaiting) => {
    if (isSaid !== isWaiting) waiting(isSaid = isWaiting);
  };
  const put = async (/** @type {Question} */ question) => {
    last.abort();
    const { signal } = last = new AbortController();
    const timer = setTimeout(() => signal.aborted || say(true), PATIENCE_MS);
    try {
      const answer = await ask(question, signal);
      if (signal.aborted) return;
      say(false);
      await show(answer, question);
    } catch (error) {
      if (signal.aborted) return;
      say(false);
      throw error;
    } finally {
      clearTimeout(timer);
    }
  };
  /** Drops the question that is not answered yet. */
  const cancel = () => {
    last.abort();
    say(false);
  };
  return Object.assign(put, { cancel });
}

/**
 * Work that waits for a pause. `soon` begins the wait again.
 * @param {() => void} work @param {number} [delay] In milliseconds.
 */
export function delayed(work, delay = 300) {
  let timer = 0;
  const cancel = () => {
    clearTimeout(timer);
    timer = 0;
  };
  const now = () => {
    cancel();
    work();
  };
  return {
    cancel,
    isDue: () => timer !== 0,
    now,
    soon() {
      clearTimeout(timer);
      timer = setTimeout(now, delay);
    },
  };
}
