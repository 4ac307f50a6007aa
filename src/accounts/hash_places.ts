import { ServiceError } from "../errors/service_error.ts";

/**
 * A known caller has a session or a secret, or an address that recently signed in to the account.
 */
export type CallerKind = "known" | "stranger";

/** Any value that identifies the account. */
export type HashAccount = string | symbol;

export interface PlaceLimits {
  readonly atOnce: number;
  readonly waiting: number;
  /** The other waiting places are reserved for known callers. */
  readonly strangersWaiting: number;
}

interface Job {
  readonly caller: CallerKind;
  readonly account: HashAccount;
  /** The job's turn: lower ones run first. A caller's second job has the turn after its first. */
  readonly turn: number;
}

interface WaitingJob extends Job {
  readonly begin: () => void;
  readonly refuse: (error: ServiceError) => void;
}

/**
 * Places for expensive work, shared fairly: an account runs one job at a time, and waiting accounts
 * take turns. Within a turn, known callers go before strangers. Strangers cannot fill every waiting
 * place, and have their own turns, so that guesses at an account do not delay its owner.
 */
export class HashPlaces {
  readonly #limits: PlaceLimits;
  #atWork: readonly Job[] = [];
  #waiting: readonly WaitingJob[] = [];
  /** The highest turn that has begun. A caller without other jobs gets it. */
  #turn = 0;

  constructor(limits: PlaceLimits) {
    this.#limits = limits;
  }

  /**
   * Runs `work` in the caller's turn.
   *
   * @throws ServiceError `HTTP_429` immediately if every waiting place is taken; later if the place
   *   is given to an account with fewer jobs.
   */
  async run<T>(caller: CallerKind, account: HashAccount, work: () => Promise<T>): Promise<T> {
    const job = { caller, account, turn: this.#turnOf(caller, account) };
    if (this.#canBegin(job)) this.#begin(job);
    else await this.#wait(job);
    try {
      return await work();
    } finally {
      this.#end(account);
    }
  }

  #turnOf(caller: CallerKind, account: HashAccount): number {
    const own = [...this.#atWork, ...this.#waiting].filter((job) =>
      job.caller === caller && job.account === account
    );
    return Math.max(this.#turn, ...own.map(({ turn }) => turn + 1));
  }

  #canBegin({ account }: Job): boolean {
    return this.#atWork.length < this.#limits.atOnce &&
      this.#atWork.every((job) => job.account !== account);
  }

  #begin(job: Job): void {
    this.#atWork = [...this.#atWork, job];
    this.#turn = Math.max(this.#turn, job.turn);
  }

  #wait(job: Job): Promise<void> {
    const strangers = this.#waiting.filter(({ caller }) => caller === "stranger");
    if (job.caller === "stranger") this.#makeRoom(job, strangers, this.#limits.strangersWaiting);
    this.#makeRoom(job, this.#waiting, this.#limits.waiting);
    return new Promise((resolve, reject) => {
      this.#waiting = [...this.#waiting, { ...job, begin: resolve, refuse: reject }];
    });
  }

  /**
   * Rejects the newest job of the caller with the most jobs, if it has at least two more than the
   * new job's caller.
   */
  #makeRoom(job: Job, places: readonly WaitingJob[], limit: number): void {
    if (places.length < limit) return;
    const shareOf = ({ caller, account }: Job) =>
      places.filter((other) => other.caller === caller && other.account === account).length;
    const [last] = places.toSorted((a, b) => shareOf(b) - shareOf(a) || b.turn - a.turn);
    if (last === undefined || shareOf(last) < shareOf(job) + 2) throw new ServiceError("HTTP_429");
    this.#waiting = this.#waiting.filter((other) => other !== last);
    last.refuse(new ServiceError("HTTP_429"));
  }

  /** Ends a job and begins the next one in the same step, before any later caller can. */
  #end(account: HashAccount): void {
    this.#atWork = this.#atWork.filter((job) => job.account !== account);
    const [next] = this.#waiting.filter((waiting) => this.#canBegin(waiting)).toSorted(byTurn);
    if (next === undefined) return;
    this.#waiting = this.#waiting.filter((other) => other !== next);
    this.#begin(next);
    next.begin();
  }
}

function byTurn(a: Job, b: Job): number {
  return a.turn - b.turn || Number(a.caller === "stranger") - Number(b.caller === "stranger");
}
