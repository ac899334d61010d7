import type { Operation } from '../../model/api.js';
import { escapeRegExp } from '../../model/glob.js';
import { toPointer } from '../../model/document/pointer.js';
import { isRecord } from '../../model/document/records.js';
import { isSafeMethod } from '../../model/http-method.js';
import { createdIds } from '../../resources/extract-id.js';
import { foldName } from '../../resources/inflection.js';
import type { Resource } from '../../resources/resource.js';
import { bodyAt } from '../expectations/assertion.js';
import { isResourceName } from '../reproduction/capture.js';
import type { Call, Case, Exchange } from '../types.js';
import type { ContractRun } from './contract-run.js';
import { isCreationOf } from './ids/operation-roles.js';
import { slotValue, withId } from './ids/id-slot.js';
import { pathPattern } from './path-pattern.js';

/** When an item is read again, in milliseconds after the response that shows a job. */
const DELAYS = [100, 300, 700, 1_500];
/** The most jobs of one operation that are followed. */
const MAX_JOBS = 2;

interface Job {
  readonly operation: Operation;
  readonly call: Call;
  readonly startedAt: number;
  /** When it is read next, earliest first. Milliseconds since 1970. */
  due: readonly number[];
}

/** Delayed readings of unfinished jobs. Other requests go on until they are due. */
export class DelayedReads {
  readonly #run: ContractRun;
  readonly #counts = new Map<Operation, number>();
  #jobs: Job[] = [];
  #isReading = false;

  constructor(run: ContractRun) {
    this.#run = run;
  }

  /** Schedules readings if a response shows an unfinished job. */
  note({ call, expectation }: Case, exchange: Exchange): void {
    const { operation } = call;
    const { options } = this.#run;
    const count = this.#counts.get(operation) ?? 0;
    const isOwn = call.method === undefined && call.isOther !== true && expectation.kind === 'valid';
    if (!isOwn || count >= MAX_JOBS || !options.phases.includes('stateful') || !showsJob(operation, exchange)) return;
    const reading = readingOf(this.#run, call, exchange);
    if (reading === undefined) return;
    this.#counts.set(operation, count + 1);
    const startedAt = Date.now();
    this.#jobs.push({ operation, call: reading, startedAt, due: DELAYS.map((delay) => startedAt + delay) });
  }

  async readDue(): Promise<void> {
    if (this.#isReading || this.#jobs.length === 0) return;
    this.#isReading = true;
    try {
      for (const job of this.#jobs.filter(({ due }) => (due[0] ?? Infinity) <= Date.now())) await this.#read(job);
    } finally {
      this.#isReading = false;
    }
  }

  /** Waits for the remaining readings and sends them. */
  async finish(): Promise<void> {
    while (this.#jobs.length > 0) {
      const next = Math.min(...this.#jobs.map(({ due }) => due[0] ?? 0));
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, next - Date.now())));
      await this.readDue();
    }
  }

  async #read(job: Job): Promise<void> {
    const now = Date.now();
    job.due = job.due.filter((moment) => moment > now);
    const exchange = await this.#run.client.sendValid(job.call);
    const isOpen =
      exchange?.status === 202 || (exchange?.status === 200 && findOpenStatus(exchange.json) !== undefined);
    const hasNoStatus = exchange?.status === 200 && statusesIn(exchange.json).length === 0;
    if (exchange !== undefined && isOpen) this.#checkEnd(job, exchange, now);
    if (job.due.length === 0 || !(isOpen || hasNoStatus)) this.#jobs = this.#jobs.filter((one) => one !== job);
  }

  /** Checks that a job does not take longer than its description says. */
  #checkEnd({ operation, call, startedAt }: Job, exchange: Exchange, readAt: number): void {
    const longest = [operation, call.operation].flatMap(({ description }) => durationIn(description ?? '') ?? [])[0];
    if (longest === undefined || readAt - startedAt < longest) return;
    const status = findOpenStatus(exchange.json);
    if (status === undefined) return;
    const pattern = `^(?:${[status.value, ...OPEN].map(escapeRegExp).join('|')})$`;
    const value = bodyAt(exchange, toPointer(status.path));
    this.#run.findings.expect(
      'job ends',
      { expects: 'matches not', value, pattern },
      {
        cause: operation.id,
        message: `The job started by ${operation.id} is unfinished after ${readAt - startedAt} ms; its description promises ${longest} ms.`,
        expected: 'a result',
        longestMs: longest,
      },
    );
  }
}

/** Whether a response shows an unfinished job: by 202, or by a member such as `status: queued` or `done: false`. */
export function showsJob({ method }: Operation, { status, json }: Exchange): boolean {
  if (isSafeMethod(method) || method === 'delete' || status < 200 || status > 299) return false;
  if (status === 202) return true;
  const open = findOpenStatus(json);
  // Items such as tasks have a member `done` as well: only their owner changes it.
  return open !== undefined && (open.value !== 'false' || (method === 'post' && saysProgress(json)));
}

/** Whether a body has a member with the progress of a job. */
function saysProgress(json: unknown): boolean {
  return (
    isRecord(json) &&
    Object.keys(json).some((name) => /^(?:progress|percent|eta|estimated|remaining)/.test(foldName(name)))
  );
}

/** Names of members that say whether a job is done. */
const DONE: ReadonlySet<string> = new Set([
  'done',
  'isdone',
  'finished',
  'isfinished',
  'completed',
  'iscompleted',
  'complete',
]);
const STATUS: ReadonlySet<string> = new Set(['status', 'state', 'phase', 'jobstatus', 'jobstate']);
/** Statuses of an unfinished job. */
const OPEN = [
  'queued',
  'pending',
  'running',
  'processing',
  'in_progress',
  'started',
  'starting',
  'scheduled',
  'waiting',
];

/** The status members of a body, or of an object in it. */
function statusesIn(json: unknown): { readonly value: string; readonly path: readonly string[] }[] {
  if (!isRecord(json)) return [];
  const inner = Object.entries(json).flatMap(([name, value]) => (isRecord(value) ? [[[name], value] as const] : []));
  return [[[], json] as const, ...inner].flatMap(([path, group]) =>
    Object.entries(group).flatMap(([name, value]) =>
      (STATUS.has(foldName(name)) && typeof value === 'string') ||
      (DONE.has(foldName(name)) && typeof value === 'boolean')
        ? [{ value: String(value), path: [...path, name] }]
        : [],
    ),
  );
}

function findOpenStatus(json: unknown): ReturnType<typeof statusesIn>[number] | undefined {
  return statusesIn(json).find(
    ({ value, path }) =>
      OPEN.some((one) => foldName(one) === foldName(value)) ||
      (value === 'false' && DONE.has(foldName(path.at(-1) ?? ''))),
  );
}

/**
 * The call that reads what a response shows: at its Location, else by the id in it, else the item that the call names.
 */
function readingOf(run: ContractRun, call: Call, exchange: Exchange): Call | undefined {
  const address = exchange.headers.get('location');
  const target =
    address !== null && URL.canParse(address, exchange.request.url)
      ? new URL(address, exchange.request.url)
      : undefined;
  const reader = target?.origin === run.options.url.origin ? readerOf(run, target.pathname) : undefined;
  if (target !== undefined && reader !== undefined)
    return { operation: reader, parameters: new Map(), address: `${target.pathname}${target.search}` };
  const named = readingByName(run, call, exchange);
  if (named !== undefined) return named;
  for (const resource of run.context.pool.resources) {
    const reading = readingOfItem(resource, call, exchange);
    if (reading !== undefined && run.operations.includes(reading.operation)) return reading;
  }
  return undefined;
}

/** The call that reads a job by its name, if this is the end of its path: `operations/7`, or the id of a job. */
function readingByName(run: ContractRun, { operation }: Call, { json, request }: Exchange): Call | undefined {
  const name = isRecord(json) ? (json['name'] ?? json['self']) : undefined;
  if (typeof name !== 'string' || !isResourceName(name)) return undefined;
  const base = new URL(request.url).pathname.slice(0, -pathLength(request.url, operation));
  const pathname = `${base}/${name}`;
  const reader = readerOf(run, pathname);
  return reader === undefined ? undefined : { operation: reader, parameters: new Map(), address: pathname };
}

/** The length of the part of a URL's path that the path of its operation describes. */
function pathLength(url: string, { path }: Operation): number {
  const parts = new URL(url).pathname.split('/');
  const own = path.split('/').length - 1;
  return parts.slice(-own).join('/').length + 1;
}

function readingOfItem(resource: Resource, call: Call, exchange: Exchange): Call | undefined {
  const { read, slots } = resource;
  const own = slots.get(call.operation);
  const slot = read === undefined ? undefined : slots.get(read);
  const id = isCreationOf(resource, call.operation)
    ? createdIds(exchange, resource)[0]
    : own === undefined
      ? undefined
      : slotValue(call, own);
  if (read === undefined || slot === undefined || id === undefined) return undefined;
  const around = new Map([...call.parameters].map(([{ in: place, name }, value]) => [`${place} ${name}`, value]));
  const parameters = read.parameters
    .filter(({ required }) => required)
    .map((one) => [one, around.get(`${one.in} ${one.name}`)] as const);
  const reading = withId({ operation: read, parameters: new Map(parameters) }, slot, id);
  return [...reading.parameters.values()].includes(undefined) ? undefined : reading;
}

/** The operation that reads a path. */
function readerOf({ operations }: ContractRun, pathname: string): Operation | undefined {
  return operations.find(
    (one) => one.method === 'get' && one.path.includes('{') && new RegExp(pathPattern(one)).test(pathname),
  );
}

/** The longest duration that a description gives a job, in milliseconds. */
function durationIn(description: string): number | undefined {
  if (!/\b(?:takes?|done|finish(?:es|ed)?|completed?|ready|ends?)\b/i.test(description)) return undefined;
  const found = /\b(?:less than|within|at most|no more than) (an?|one|\d{1,4}) (seconds?|milliseconds?|ms)\b/i.exec(
    description,
  );
  if (found === null) return undefined;
  const count = Number(found[1]);
  return (Number.isNaN(count) ? 1 : count) * (/^m/i.test(found[2] ?? '') ? 1 : 1_000);
}
