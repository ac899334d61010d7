import { isSuccess } from '../../http/messages.js';
import type { Operation } from '../../model/api.js';
import { checkStatus } from '../checks/check-status.js';
import { checkPathIds } from '../checks/check-path-ids.js';
import { checkWritten } from '../checks/check-written.js';
import { checkDocumented } from '../checks/check-documented-response.js';
import type { ResolvedOptions } from '../resolve-options.js';
import type { Call, Case, CheckName, ContractProgress, Exchange, WireRequest } from '../types.js';
import type { Client, ContractRun, SentCase } from './contract-run.js';
import { CurrentTags } from './current-tags.js';
import { Singletons } from './harm/singletons.js';
import { credentialPlaces, demandsCredential } from './http/made-up-credentials.js';
import { RunStopped, Sender, ServerEnded } from './http/request-sender.js';
import { givenHeaders, hasMadeUpCredential, withoutCredentials, writeCall } from './http/write-call.js';
import { CREDENTIAL_CHECKS } from '../findings/find-rule.js';
import { ServerEnds } from './server-end.js';
import { mapConcurrent } from './map-concurrent.js';
import type { Outcome } from '../checks/problem.js';

/** After this many late responses, an operation is no longer called. */
const MAX_LATE = 3;

interface WrittenCase {
  readonly tried: Case;
  readonly request: WireRequest;
}

const NOT_SENT = 'it may change items that were there before; --touch-existing';

interface Hooks {
  readonly onResponse: (tried: Case, exchange: Exchange) => void;
  readonly countFindings: () => number;
}

/** Whether a response refuses the credential of a request, by its status or the words of an error. */
function refusesCredential({ status, text }: Exchange): boolean {
  if (status === 401 || status === 403) return true;
  return status >= 400 && ABOUT_CREDENTIAL.test(text) && !IS_OFF.test(text);
}

const ABOUT_CREDENTIAL = /\bauth|\btoken\b|\bcredential|\bapi.?key\b/i;
/** Matches errors of a server that looks at no credential. */
const IS_OFF = /\b(?:not enabled|disabled|turned off|not configured)\b/i;

/** Sends cases over HTTP, checks the responses, and keeps what they show. */
export class RunClient implements Client {
  /** A new login changes the headers. */
  options: ResolvedOptions;
  readonly #run: ContractRun;
  readonly #hooks: Hooks;
  readonly #sender: Sender;
  readonly #serverEnds: ServerEnds;
  readonly #sentCases = new WeakMap<WireRequest, Case>();
  /** When the next operation that was put aside can be sent again. Milliseconds since 1970. */
  #reset: number | undefined;
  readonly deadline: number;
  readonly #tags: CurrentTags;
  readonly singletons: Singletons;
  /** Calls that `--touch-existing` allows. */
  readonly #risky = new WeakSet<Call>();
  /** How often an operation was late. */
  readonly #late = new Map<string, number>();
  /** Whether the credential has been accepted since the last login. */
  #isLoggedIn = false;
  /** Whether the hook `beforeEach` adds a credential. */
  #hasChangedCredential = false;
  #spareWork: () => void = () => {};
  /** Whether the tests are over, and the run only tidies up. */
  #isOver = false;
  #shown: ContractProgress = { phase: 'examples', operationId: '', requests: 0, findings: 0 };

  constructor(run: ContractRun, options: ResolvedOptions, hooks: Hooks) {
    this.options = options;
    this.#run = run;
    this.deadline = Date.now() + options.maxTimeMs;
    this.#hooks = hooks;
    this.#tags = new CurrentTags(options.api, {
      pathOf: (call) => {
        const request = writeCall(call, this.options);
        return request === undefined ? undefined : new URL(request.url).pathname;
      },
      read: async (reading) => void (await this.probe({ ...reading, expectation: { kind: 'valid' } })),
    });
    this.singletons = new Singletons(options, async (tried) => (await this.probe(tried))?.exchange);
    this.#sender = new Sender({
      transport: options.transport,
      origin: options.url.origin,
      href: options.url.href,
      timeLimitMs: options.timeLimitMs,
      deadline: this.deadline,
      signal: options.signal,
      onWait: (waitMs) => this.#progress({ waitMs }),
      onLeft: () => this.#spareWork(),
      onLimited: (operationId, status) => run.coverage.addLimited(operationId, status),
    });
    this.#serverEnds = new ServerEnds(run, {
      sendAgain: async (tried) => {
        const request = await this.#write(tried);
        const exchange = request === undefined ? undefined : await this.#sender.send(request, tried.call.operation.id);
        if (exchange !== undefined) this.#learnItems(tried, exchange);
        return exchange;
      },
      forgetFailures: () => this.#sender.forgetFailures(),
    });
  }

  get count(): number {
    return this.#sender.count;
  }

  get hasCredential(): boolean {
    const { headers, headersFor } = this.options;
    const given = [headers, ...headersFor.entries.map((entry) => entry.headers)];
    return this.#hasChangedCredential || given.some((one) => this.#isCredential(one));
  }

  #isCredential(headers: Readonly<Record<string, string>>): boolean {
    const places = credentialPlaces(this.options.api);
    return Object.keys(headers).some((name) => places.headers.has(name));
  }

  async send(tried: Case): Promise<Exchange | undefined> {
    const outcome = await this.probe(tried);
    if (outcome === undefined) return undefined;
    await this.#run.findings.recordProblems(tried, outcome);
    return outcome.exchange;
  }

  async sendValid(call: Call): Promise<Exchange | undefined> {
    return this.send({ phase: 'stateful', call, expectation: { kind: 'valid' } });
  }

  async probe(tried: Case): Promise<Outcome | undefined> {
    const [sent] = await this.sendTogether([tried]);
    return sent?.outcome;
  }

  async sendTogether(cases: readonly Case[]): Promise<readonly SentCase[]> {
    try {
      return await this.#sendAll(cases);
    } catch (error) {
      const [first] = error instanceof ServerEnded ? error.requests : [];
      const tried = first === undefined ? undefined : this.#sentCases.get(first);
      if (!(error instanceof ServerEnded) || tried === undefined) throw error;
      if (await this.#serverEnds.handle(tried, error.requests)) return [];
      this.#sender.giveUp();
      throw error;
    }
  }

  async #sendAll(cases: readonly Case[]): Promise<readonly SentCase[]> {
    const written: WrittenCase[] = [];
    for (const given of cases) {
      if (this.#isGivenUp(given.call.operation)) continue;
      if (this.#sender.limits.resetOf(given.call.operation.id) !== undefined) {
        this.#notePutAside(given);
        continue;
      }
      const call = this.#run.context.pool.withFreshKey(given.call);
      if (!(await this.#mayBeSent(call))) continue;
      const tried = await this.#tags.withCurrent(call === given.call ? given : { ...given, call });
      if (tried.call !== call && this.#risky.has(call)) this.#risky.add(tried.call);
      const request = await this.#write(tried);
      if (request === undefined) continue;
      this.#sentCases.set(request, tried);
      written.push({ tried, request });
    }
    const [only] = written;
    if (written.length === 1 && only !== undefined) {
      const exchange = await this.#sendOnce(only);
      return exchange === undefined ? [] : [{ tried: only.tried, outcome: this.#judge(only.tried, exchange) }];
    }
    const tasks = written.map(
      ({ tried, request }) =>
        () =>
          this.#sender.send(request, tried.call.operation.id),
    );
    const { results, failure } = await mapConcurrent(tasks, this.options.concurrency);
    const sent: SentCase[] = [];
    for (const [index, { tried }] of written.entries()) {
      const exchange = results[index];
      if (exchange === undefined) {
        if (failure === undefined) this.#notePutAside(tried);
        continue;
      }
      const last =
        failure === undefined ? await this.#resend(tried, await this.#withoutRefused(tried, exchange)) : exchange;
      if (last === undefined) continue;
      sent.push({ tried, outcome: this.#judge(tried, last) });
    }
    if (failure === undefined) return sent;
    // Responses that arrived before the failure still count.
    for (const { tried, outcome } of sent)
      for (const found of outcome.problems) this.#run.findings.report(found, tried, outcome.exchange);
    throw failure as Error;
  }

  /** Whether a request spares the things that were there before the run, or the user allows to change them. */
  async #mayBeSent(call: Call): Promise<boolean> {
    const found = this.#run.harm.harmOf(call);
    if (found === 'none') return true;
    if (found === 'restorable' && (await this.singletons.mayWrite(call))) {
      this.singletons.noteWrite(call);
      return true;
    }
    if (this.options.touchExisting) this.#risky.add(call);
    else this.#run.notSent.set(call.operation.id, NOT_SENT);
    return this.options.touchExisting;
  }

  /** Whether an operation ended the server, or was late too often. It is given up so that the others get their time. */
  #isGivenUp(operation: Operation): boolean {
    return this.#serverEnds.deadly.has(operation.id) || (this.#late.get(operation.id) ?? 0) >= MAX_LATE;
  }

  /**
   * If a made-up credential is refused and the same request without one is not, the run goes on without it: a server
   * whose authentication is off may know no credential at all.
   */
  async #withoutRefused(tried: Case, exchange: Exchange): Promise<Exchange> {
    const { call } = tried;
    const { madeUp } = this.options;
    if (call.isOther === true || !madeUp.isUnknown(call.operation) || !hasMadeUpCredential(call, this.options))
      return exchange;
    // A success does not show that the credential was looked at: some operations need none, whatever the spec says.
    if (!refusesCredential(exchange)) return exchange;
    const bare = await this.#write({ ...tried, call: { ...call, isAnonymous: true } });
    const again = bare === undefined ? undefined : await this.#sender.send(bare, call.operation.id);
    if (again === undefined || again.status === 0) return exchange;
    const isRefused = !refusesCredential(again);
    madeUp.learn(call.operation, isRefused);
    if (!isRefused) return exchange;
    this.#run.findings.note(
      'made-up credential',
      `The server refused a made-up credential (${exchange.status} of ${call.operation.id}) but not the same request without one, so the run made up none. --header gives a real one.`,
    );
    return again;
  }

  async #sendOnce({ tried, request }: WrittenCase): Promise<Exchange | undefined> {
    const exchange = await this.#sender.send(request, tried.call.operation.id);
    if (exchange === undefined) this.#notePutAside(tried);
    return exchange === undefined ? undefined : this.#resend(tried, await this.#withoutRefused(tried, exchange));
  }

  #notePutAside({ call: { operation } }: Case): void {
    const reset = this.#sender.limits.resetOf(operation.id) ?? Date.now();
    this.#reset = Math.min(this.#reset ?? Infinity, reset);
  }

  takeReset(): number | undefined {
    const reset = this.#reset;
    this.#reset = undefined;
    return reset;
  }

  get hasPutAside(): boolean {
    return this.#reset !== undefined;
  }

  isLimited(operationId: string): boolean {
    return this.#sender.limits.resetOf(operationId) !== undefined;
  }

  limitOf(operationId: string): string | undefined {
    return this.#sender.limits.describe(operationId);
  }

  async waitUntil(moment: number): Promise<void> {
    await this.#sender.waitUntil(moment);
  }

  /** If a session that worked before is refused, logs in again and repeats the request. */
  async #resend(tried: Case, exchange: Exchange): Promise<Exchange | undefined> {
    const { hooks } = this.options;
    const { call } = tried;
    const isOwn =
      call.isAnonymous !== true && call.isOther !== true && demandsCredential(call.operation, this.options.api);
    if (isOwn && isSuccess(exchange)) this.#isLoggedIn = true;
    if (exchange.status !== 401 || !isOwn || !hooks.hasBefore || !this.#isLoggedIn) return exchange;
    this.#isLoggedIn = false;
    const { headers = {}, headersFor } = await hooks.before();
    this.options = {
      ...this.options,
      headers: { ...this.options.headers, ...headers },
      headersFor: this.options.headersFor.with(headersFor),
    };
    this.#run.secrets.addGiven(this.options);
    const request = await this.#write(tried);
    return request === undefined ? exchange : this.#sender.send(request, call.operation.id);
  }

  /** @throws RunStopped if the time of the tests is up. */
  checkTime(): void {
    if (!this.#isOver && Date.now() >= this.deadline) throw new RunStopped('max-time');
  }

  /** Lets the end of a run take some more time, whatever has stopped it. What is sent from now on is no test. */
  grantTime(milliseconds: number): void {
    this.#isOver = true;
    this.#sender.grantTime(milliseconds);
  }

  workMeanwhile(work: () => void): void {
    this.#spareWork = work;
  }

  async #write({ call, phase }: Case): Promise<WireRequest | undefined> {
    const { options } = this;
    const request = writeCall(call, options);
    if (request === undefined) return undefined;
    const change = await options.hooks.beforeEach({ ...request, operationId: call.operation.id, phase });
    this.#run.secrets.addHeaders(change.headers ?? {});
    if (change.url !== undefined || this.#isCredential(change.headers ?? {})) this.#hasChangedCredential = true;
    if (change.url !== undefined) this.#run.secrets.addQuery(request.url, change.url);
    const changed = { ...request, ...change, headers: { ...request.headers, ...change.headers, ...call.headers } };
    if (Object.keys(change).length > 0) this.#run.secrets.addSent(request, changed, call.operation.id);
    return call.isAnonymous === true ? withoutCredentials(changed, call, options.api) : changed;
  }

  #judge(tried: Case, exchange: Exchange): Outcome {
    const { api, skip } = this.options;
    if (exchange.failure === 'timeout')
      this.#late.set(tried.call.operation.id, (this.#late.get(tried.call.operation.id) ?? 0) + 1);
    this.#tags.learn(tried.call, exchange);
    this.#progress({ phase: tried.phase, operationId: tried.call.operation.id });
    if (this.#isOver) return { exchange, problems: [] };
    this.#run.coverage.add(tried, exchange);
    this.#run.refusals.add(tried, exchange);
    this.#run.tries?.add(tried, exchange);
    this.#run.observations?.add(tried, exchange);
    if (isSuccess(exchange)) this.#run.shown.learn(tried.call.operation, exchange);
    this.#run.log.add(tried, exchange);
    if (this.#risky.has(tried.call) && exchange.status < 400)
      this.#run.harm.noteChange(tried.call.operation, exchange.request.url);
    this.#hooks.onResponse(tried, exchange);
    this.#learnItems(tried, exchange);
    const { pool } = this.#run.context;
    const { operation } = tried.call;
    const kind = pool.roles.writeKind(operation);
    const isOwnId = (place: readonly string[]): boolean => pool.ownIds.isAt(operation, place);
    const problems = [
      ...checkDocumented(tried, exchange, api),
      ...checkStatus(tried, exchange),
      ...(kind === undefined ? [] : checkWritten(tried, exchange, { api, kind, isOwnId })),
      ...checkPathIds(tried, exchange, {
        item: (one) => pool.namesItem(operation, one) && !pool.hasOtherName(operation, one),
        own: (one) => pool.ownIdBeside(operation, one),
      }),
    ];
    return {
      exchange,
      problems: problems.filter(
        ({ check }) => !skip.hasCheck(check, tried.call.operation) && !this.#isOpen(check, tried),
      ),
    };
  }

  #learnItems({ call, expectation }: Case, exchange: Exchange): void {
    const { pool } = this.#run.context;
    // A server that is mended will refuse what makes these items.
    const isValid = expectation.kind !== 'invalid' && expectation.kind !== 'unauthenticated';
    if (call.method === undefined && call.isOther !== true) pool.learn(call, exchange, isValid);
    else pool.learnElsewhere(call, exchange);
  }

  /** Whether a check would only show that the run itself has no credential. */
  #isOpen(check: CheckName, { call: { operation } }: Case): boolean {
    if (!CREDENTIAL_CHECKS.has(check) || !this.options.madeUp.isLeftOut(operation)) return false;
    return !this.#isCredential(givenHeaders({ operation }, this.options));
  }

  #progress(update: Partial<ContractProgress>): void {
    const { waitMs: _, ...last } = this.#shown;
    this.#shown = { ...last, ...update, requests: this.count, findings: this.#hooks.countFindings() };
    this.options.onProgress(this.#shown);
  }
}
