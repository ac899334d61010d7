import { spawn } from 'node:child_process';

import { isSuccess } from '../../http/messages.js';
import { isSafeMethod } from '../../model/http-method.js';
import { isRecord } from '../../model/document/records.js';
import { problem } from '../checks/problem.js';
import { SERVER_ENDED } from '../findings/finding-collector.js';
import type { LogEntry } from '../reproduction/exchange-log.js';
import { buildReproduction } from '../reproduction/build-reproduction.js';
import { fillCall, type Reproduction, type Step } from '../reproduction/reproduction.js';
import type { Case, Exchange, WireRequest } from '../types.js';
import type { ContractRun } from './contract-run.js';
import { checkReachable } from './http/check-reachable.js';
import { hasStatus } from '../expectations/assertion.js';
import { NO_HEADERS } from './http/connection.js';
import { ServerEnded } from './http/request-sender.js';

/** How long a server may take to start again, in milliseconds, unless `wait` gives it more. */
const RESTART_MS = 30_000;
/** The most earlier requests that a reproduction has because they may matter. */
const MAX_SPARE = 5;
/** The most restarts of a run: each reproduction needs at least two. */
const MAX_RESTARTS = 40;

export interface SendAgain {
  /** Sends a case once, without checks. Throws `ServerEnded` if the server ends. */
  (tried: Case): Promise<Exchange | undefined>;
}

/** Reports requests that end the server, and starts the server again if the user gave a command for it. */
export class ServerEnds {
  readonly #run: ContractRun;
  readonly #sendAgain: SendAgain;
  readonly #forgetFailures: () => void;
  /** Operations with a request that ended the server. They are not sent again. */
  readonly deadly: Set<string> = new Set();
  #restarts = 0;
  #isRunning = false;

  constructor(run: ContractRun, { sendAgain, forgetFailures }: ServerEndsOptions) {
    this.#run = run;
    this.#sendAgain = sendAgain;
    this.#forgetFailures = forgetFailures;
  }

  /**
   * Reports that a request ended the server.
   *
   * @param tried - the case of the request.
   * @param unanswered - the requests that had no response.
   * @returns whether the server runs again.
   */
  async handle(tried: Case, unanswered: readonly WireRequest[]): Promise<boolean> {
    const { findings, log, coverage, options, secrets } = this.#run;
    const [request] = unanswered;
    if (request === undefined) return false;
    this.deadly.add(tried.call.operation.id);
    findings.dropUnanswered(new Set(unanswered));
    const exchange = {
      request,
      status: 0,
      headers: NO_HEADERS,
      text: '',
      durationMs: 0,
      failure: 'connection',
    } as const;
    log.add(tried, exchange);
    coverage.add(tried, exchange);
    const ended = {
      assertion: hasStatus(exchange, 'no failure'),
      ...problem('server responds', {
        cause: SERVER_ENDED,
        message: `The server ended during ${request.method} ${secrets.hide(new URL(request.url).pathname)}.`,
        expected: 'a response',
        actual: 'no response, and then every connection was refused',
      }),
    };
    const spare = this.#findSpare(log.find(exchange));
    const assertion = { expects: 'response', matches: () => true } as const;
    const built = buildReproduction(this.#run, { exchange, assertion, others: [], spare, pointer: '' });
    findings.reportServerEnd(ended, tried, built);
    const { restart } = options;
    if (restart === undefined || !(await this.#restart(restart))) return false;
    const proven = await this.#prove(built, restart);
    findings.reportServerEnd(ended, tried, proven ?? { ...built, uncertain: 'requests' });
    return this.#isRunning || this.#restart(restart);
  }

  /** Starts the server again and waits until it responds. */
  async #restart(command: string): Promise<boolean> {
    const { options, findings } = this.#run;
    if (this.#restarts >= MAX_RESTARTS) return false;
    this.#restarts += 1;
    this.#isRunning = false;
    const problemOfCommand = runCommand(command);
    const isUp = checkReachable({ ...options, waitMs: Math.max(RESTART_MS, options.waitMs) }).then(
      () => undefined,
      () => 'the server did not respond after it',
    );
    const failure = await Promise.race([problemOfCommand, isUp]);
    if (failure !== undefined) findings.note('restart', `The command of --restart did not help: ${failure}.`);
    this.#isRunning = failure === undefined;
    if (this.#isRunning) this.#forgetFailures();
    return this.#isRunning;
  }

  /** Repeats a reproduction until the server ends, then without each spare step. `undefined` if the server survives. */
  async #prove(reproduction: Reproduction, command: string): Promise<Reproduction | undefined> {
    if (!(await this.#ends(reproduction.steps))) return undefined;
    let kept = reproduction.steps;
    for (const step of reproduction.steps.filter(({ isSpare }) => isSpare === true)) {
      const steps = kept.filter((one) => one.key !== step.key);
      if (steps.some(({ fills }) => fills.some(({ from }) => from === step.key))) continue;
      if (!this.#isRunning && !(await this.#restart(command))) break;
      if (await this.#ends(steps)) kept = steps;
    }
    return { ...reproduction, steps: kept };
  }

  /** Whether the last request of a reproduction ends the server again. */
  async #ends(steps: readonly Step[]): Promise<boolean> {
    const made = new Map<Exchange, Exchange>();
    for (const { key, sent, fills } of steps) {
      const call = fillCall(sent.call, fills, (from) => made.get(from));
      if (call === undefined) return false;
      try {
        const exchange = await this.#sendAgain({ ...sent, call });
        if (exchange === undefined) return false;
        made.set(key, exchange);
      } catch (error) {
        if (!(error instanceof ServerEnded)) throw error;
        this.#isRunning = false;
        return key === steps.at(-1)?.key;
      }
    }
    return false;
  }

  /** Accepted changes before a request that may matter: those with a common value, then those of the same folder. */
  #findSpare(entry: LogEntry | undefined): Exchange[] {
    if (entry === undefined) return [];
    const changes = this.#run.log
      .goodBefore(entry)
      .filter(({ sent: { call }, exchange }) => !isSafeMethod(call.operation.method) && isSuccess(exchange))
      .toReversed();
    const distinct = [...new Map(changes.map((one) => [textOf(one.exchange.request), one])).values()];
    const values = textsIn(entry.sent);
    const folder = folderOf(entry.sent);
    const near = distinct.filter(({ sent }) => folderOf(sent) === folder);
    const common = distinct.filter(({ sent }) => [...textsIn(sent)].some((text) => values.has(text)));
    const chosen = new Set([...common.slice(0, MAX_SPARE - 2), ...near.slice(0, 2)]);
    return [...chosen].map(({ exchange }) => exchange);
  }
}

interface ServerEndsOptions {
  readonly sendAgain: SendAgain;
  readonly forgetFailures: () => void;
}

/**
 * Runs the user's own command in a shell. It may be the server itself, so the run does not wait for its end.
 *
 * @returns why it failed; it never resolves if it does not fail.
 */
async function runCommand(command: string): Promise<string> {
  const child = spawn(command, { shell: true, stdio: 'ignore', detached: true });
  child.unref();
  return new Promise((resolve) => {
    child.once('error', ({ message }) => resolve(message));
    child.once('exit', (status) => {
      if (status !== 0 && status !== null) resolve(`it ended with status ${status}`);
    });
  });
}

function textOf({ method, url, body = '' }: WireRequest): string {
  return `${method} ${url}\n${body}`;
}

/** The static part of a path, without its last word. */
function folderOf({ call }: Case): string {
  return call.operation.path.split('/{', 1)[0]?.replace(/\/[^/]*$/, '') ?? '';
}

/** The texts of at least two characters in the parameters and the body of a request. */
function textsIn({ call }: Case): ReadonlySet<string> {
  const found = new Set<string>();
  const open: unknown[] = [...call.parameters.values(), call.body?.value];
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value === 'string' && value.length > 1) found.add(value);
    else if (Array.isArray(value)) open.push(...(value as unknown[]));
    else if (isRecord(value)) open.push(...Object.values(value));
  }
  return found;
}
