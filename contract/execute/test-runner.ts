import { isSuccess } from '../../http/messages.js';
import type { Operation } from '../../model/api.js';
import { isSafeMethod } from '../../model/http-method.js';
import { checkExpectation } from '../checks/judge-status.js';
import { checkPathIds } from '../checks/check-path-ids.js';
import { checkWritten } from '../checks/check-written.js';
import { checkResponse } from '../checks/check-documented-response.js';
import type { CallContext } from '../plan/build-request-values.js';
import { CurrentTags } from './current-tags.js';
import { DueReadings } from './due-readings.js';
import { Coverage } from '../findings/coverage.js';
import { FindingCollector, keyOf } from '../findings/finding-collector.js';
import { type Told, expectOf } from '../expect.js';
import type { Assertion } from '../expectations/assertion.js';
import type { Occurrence } from '../reproduction/reproduction.js';
import { CallPreparation } from './prepare-calls.js';
import { ExchangeLog } from '../reproduction/exchange-log.js';
import { IdPool } from './ids/id-pool.js';
import { demandsCredential } from './http/dummy-credentials.js';
import { withoutCredentials, writeCall } from './http/write-call.js';
import { Sender } from './http/request-sender.js';
import type { ResolvedOptions } from '../resolve-options.js';
import { mapConcurrent } from './map-concurrent.js';
import type { ContractRun, SentCase } from './contract-run.js';
import { findSecretNames } from '../../http/secrets/secret-names.js';
import { Redaction } from '../findings/hide-given-secrets.js';
import { meansTheSame, shrinkRequest } from '../findings/shrink-request.js';
import type {
  Call,
  Case,
  CheckName,
  ContractProgress,
  Exchange,
  Finding,
  Outcome,
  Phase,
  Problem,
  WireRequest,
} from '../types.js';

/** The most requests spent on shrinking the request of one finding. */
const MAX_SHRINKS = 25;

/** After this many late responses, an operation is no longer called. */
const MAX_LATE = 3;

/** Runs a test: sends cases, checks responses, and keeps knowledge and findings. */
export class TestRunner implements ContractRun {
  options: ResolvedOptions;
  readonly sender: Sender;
  readonly coverage: Coverage = new Coverage();
  readonly context: CallContext;
  readonly log: ExchangeLog = new ExchangeLog();
  readonly secrets: Redaction;
  readonly notes: Map<string, string> = new Map();
  readonly #findings = new FindingCollector(this);
  readonly #preparation = new CallPreparation(this);
  readonly #tags: CurrentTags;
  readonly #dueReadings = new DueReadings(this);
  /** How often an operation was late. */
  readonly #late = new Map<string, number>();
  /** Whether the credential has been accepted since the last login. */
  #isLoggedIn = false;
  #spareWork: () => void = () => {};
  #shown: ContractProgress = { phase: 'examples', operationId: '', requests: 0, findings: 0 };

  constructor(options: ResolvedOptions) {
    this.options = options;
    const { api, operations, parameters, headers, touchExisting } = options;
    this.context = { api, pool: new IdPool(api, { operations, given: parameters, touchExisting }) };
    this.#tags = new CurrentTags(api, {
      pathOf: (call) => {
        const request = writeCall(call, this.options);
        return request === undefined ? undefined : new URL(request.url).pathname;
      },
      read: async (reading) => void (await this.send({ ...reading, expectation: { kind: 'valid' } })),
    });
    this.secrets = new Redaction(findSecretNames(api));
    this.secrets.addHeaders(headers);
    this.secrets.addHeaders(options.otherHeaders, 'other-');
    this.sender = new Sender({
      transport: options.transport,
      origin: options.url.origin,
      timeLimitMs: options.timeLimitMs,
      deadline: Date.now() + options.maxTimeMs,
      signal: options.signal,
      onWait: (waitMs) => this.#progress({ waitMs }),
      onLeft: () => this.#spareWork(),
    });
  }

  get findings(): readonly Finding[] {
    return this.#findings.report();
  }

  /** The operations that can be sent. */
  get operations(): readonly Operation[] {
    return this.options.operations.filter((operation) => this.options.shard.has(operation) && canBeSent(operation));
  }

  /** Sends a case, checks the response and keeps the problems found; `undefined` if HTTP cannot send it. */
  async try(tried: Case): Promise<Exchange | undefined> {
    const outcome = await this.send(tried);
    if (outcome === undefined) return undefined;
    await this.keep(tried, outcome);
    return outcome.exchange;
  }

  /** Sends a valid call in the phase `stateful`, like `try`. */
  async tryValid(call: Call): Promise<Exchange | undefined> {
    return this.try({ phase: 'stateful', call, expectation: { kind: 'valid' } });
  }

  /** Sends a case and checks the response, without keeping the problems found. */
  async send(tried: Case): Promise<Outcome | undefined> {
    const [sent] = await this.sendTogether([tried]);
    return sent?.outcome;
  }

  /**
   * Sends cases concurrently, up to the option `concurrency`, and checks the responses in the order of the cases,
   * without keeping the problems found. Cases that HTTP cannot send are left out.
   */
  async sendTogether(cases: readonly Case[]): Promise<readonly SentCase[]> {
    const written: { readonly tried: Case; readonly request: WireRequest }[] = [];
    for (const given of cases) {
      if (this.#isTooSlow(given.call.operation)) continue;
      const call = this.context.pool.withFreshKey(given.call);
      const tried = await this.#tags.withTag(call === given.call ? given : { ...given, call });
      const request = await this.#write(tried);
      if (request !== undefined) written.push({ tried, request });
    }
    const [only] = written;
    if (written.length === 1 && only !== undefined) {
      const exchange = await this.#resend(only.tried, await this.sender.send(only.request));
      return [{ tried: only.tried, outcome: this.#judge(only.tried, exchange) }];
    }
    const tasks = written.map(
      ({ request }) =>
        () =>
          this.sender.send(request),
    );
    const { results, failure } = await mapConcurrent(tasks, this.options.concurrency);
    const sent: SentCase[] = [];
    for (const [index, { tried }] of written.entries()) {
      const exchange = results[index];
      if (exchange === undefined) continue;
      const last = failure === undefined ? await this.#resend(tried, exchange) : exchange;
      sent.push({ tried, outcome: this.#judge(tried, last) });
    }
    if (failure === undefined) return sent;
    // Responses that arrived before the failure still count.
    for (const { tried, outcome } of sent)
      for (const found of outcome.problems) this.report(found, tried, outcome.exchange);
    throw failure as Error;
  }

  /** Whether an operation was late too often. It is given up so that the others get their time. */
  #isTooSlow(operation: Operation): boolean {
    return (this.#late.get(operation.id) ?? 0) >= MAX_LATE;
  }

  /** If a session that worked before is refused, logs in again and repeats the request. */
  async #resend(tried: Case, exchange: Exchange): Promise<Exchange> {
    const { hooks } = this.options;
    const { call } = tried;
    const isOwn =
      call.isAnonymous !== true && call.isOther !== true && demandsCredential(call.operation, this.options.api);
    if (isOwn && isSuccess(exchange)) this.#isLoggedIn = true;
    if (exchange.status !== 401 || !isOwn || !hooks.hasBefore || !this.#isLoggedIn) return exchange;
    this.#isLoggedIn = false;
    const { headers = {} } = await hooks.before();
    this.secrets.addHeaders(headers);
    this.options = { ...this.options, headers: { ...this.options.headers, ...headers } };
    const request = await this.#write(tried);
    return request === undefined ? exchange : this.sender.send(request);
  }

  /** Runs some work each time a request has been sent, until other work replaces it. It must not need the server. */
  workMeanwhile(work: () => void): void {
    this.#spareWork = work;
  }

  async #write({ call, phase }: Case): Promise<WireRequest | undefined> {
    const { options } = this;
    const wire =
      call.isOther === true ? { ...options, headers: { ...options.headers, ...options.otherHeaders } } : options;
    const request = writeCall(call, wire);
    if (request === undefined) return undefined;
    const change = await options.hooks.beforeEach({ ...request, operationId: call.operation.id, phase });
    this.secrets.addHeaders(change.headers ?? {});
    if (change.url !== undefined) this.secrets.addQuery(request.url, change.url);
    const changed = { ...request, ...change, headers: { ...request.headers, ...change.headers, ...call.headers } };
    return call.isAnonymous === true ? withoutCredentials(changed, call, options.api) : changed;
  }

  #judge(tried: Case, exchange: Exchange): Outcome {
    const { api, skip } = this.options;
    if (exchange.failure === 'timeout')
      this.#late.set(tried.call.operation.id, (this.#late.get(tried.call.operation.id) ?? 0) + 1);
    this.coverage.add(tried, exchange);
    this.log.add(tried, exchange);
    this.#tags.learn(tried.call, exchange);
    this.#dueReadings.note(tried, exchange);
    if (tried.call.method === undefined && tried.call.isOther !== true) this.context.pool.learn(tried.call, exchange);
    this.#progress({ phase: tried.phase, operationId: tried.call.operation.id });
    const kind = this.context.pool.roles.writeKind(tried.call.operation);
    const problems = [
      ...checkResponse(tried, exchange, api),
      ...checkExpectation(tried, exchange),
      ...(kind === undefined ? [] : checkWritten(tried, exchange, api, kind)),
      ...checkPathIds(tried, exchange, (one) => this.context.pool.namesItem(tried.call.operation, one)),
    ];
    return { exchange, problems: problems.filter(({ check }) => !skip.hasCheck(check, tried.call.operation)) };
  }

  #progress(update: Partial<ContractProgress>): void {
    const { waitMs: _, ...last } = this.#shown;
    this.#shown = { ...last, ...update, requests: this.sender.count, findings: this.#findings.count };
    this.options.onProgress(this.#shown);
  }

  /** Keeps the problems of a response, each cause with the smallest request that shows it. */
  async keep(tried: Case, { exchange, problems }: Outcome): Promise<void> {
    for (const problem of problems) await this.#keep(problem, tried, exchange);
  }

  /** Keeps a problem that was found by a check of more than one request. */
  report(problem: Problem, tried: Occurrence, exchange: Exchange): void {
    const { operation } = tried.call;
    if (this.options.skip.hasCheck(problem.check, operation)) return;
    this.#findings.add(problem, tried, exchange);
  }

  expect(check: CheckName, assertion: Assertion, told: Told): boolean {
    return expectOf(
      { log: this.log, report: (found, tried, exchange) => this.report(found, tried, exchange) },
      check,
      assertion,
      told,
    );
  }

  note(key: string, sentence: string): void {
    if (!this.notes.has(key)) this.notes.set(key, sentence);
  }

  /** Waits for the due times of unfinished jobs and reads them. */
  async finishReadings(): Promise<void> {
    await this.#dueReadings.finish();
  }

  /** Shrinks the reproductions of the findings. */
  async shrinkFindings(): Promise<void> {
    await this.#findings.shrink();
  }

  isKnown(problem: Problem, operation: Operation, status: number): boolean {
    return this.#findings.has(problem, operation, status);
  }

  async #keep(problem: Problem, tried: Case, exchange: Exchange): Promise<void> {
    const isKnown = this.isKnown(problem, tried.call.operation, exchange.status);
    if (isKnown || tried.expectation.kind === 'unsupported' || this.#isStep(tried)) {
      this.report(problem, tried, exchange);
      return;
    }
    const wanted = keyOf(problem, tried.call.operation, exchange.status);
    let smallest = { problem, exchange };
    await shrinkRequest(tried.call, MAX_SHRINKS, async (call) => {
      if (!meansTheSame(tried, call, this.options.api)) return false;
      const outcome = await this.send({ ...tried, call: await this.ready(call, tried.phase) });
      const same = outcome?.problems.find((one) => keyOf(one, call.operation, outcome.exchange.status) === wanted);
      if (same !== undefined && outcome !== undefined) smallest = { problem: same, exchange: outcome.exchange };
      return same !== undefined;
    });
    this.report(smallest.problem, tried, smallest.exchange);
  }

  /** Whether a case is a change whose effect a check examines next. Smaller changes in between would distort it. */
  #isStep({ phase, call }: Case): boolean {
    const { operation } = call;
    return phase === 'stateful' && !isSafeMethod(operation.method) && !this.context.pool.roles.isCreation(operation);
  }

  async base(operation: Operation, phase: Phase): Promise<Call | undefined> {
    await this.#dueReadings.readDue();
    return this.#preparation.base(operation, phase);
  }

  async findBase(operation: Operation, phase: Phase): Promise<void> {
    await this.#preparation.findBase(operation, phase);
  }

  async ready(call: Call, phase: Phase): Promise<Call> {
    return this.#preparation.ready(call, phase);
  }
}

/** HTTP requests do not open WebSockets, and servers need not support TRACE. */
function canBeSent({ method, extensions }: Operation): boolean {
  return method !== 'trace' && extensions['x-websocket'] === undefined;
}
