import type { Operation } from '../../model/api.js';
import { Coverage } from '../findings/coverage.js';
import { FindingCollector } from '../findings/finding-collector.js';
import { RefusalLog } from '../findings/refusals.js';
import { RunObservations } from '../findings/run-observations.js';
import { TryLog } from '../findings/try-log.js';
import { Redaction } from '../findings/hide-given-secrets.js';
import { CaseChooser } from '../plan/choose-cases.js';
import type { CallContext } from '../plan/build-request-values.js';
import { ExchangeLog } from '../reproduction/exchange-log.js';
import type { ResolvedOptions } from '../resolve-options.js';
import type { Call } from '../types.js';
import { RunClient } from './client.js';
import type { ContractRun, Aside } from './contract-run.js';
import { DelayedReads } from './delayed-reads.js';
import { ShownMembers } from './repair/shown-members.js';
import { HarmGuard } from './harm/harm-guard.js';
import { IdPool } from './ids/id-pool.js';
import { UnnamedItems } from './unnamed-items.js';
import { CallPreparation } from './prepare-calls.js';
import { watchWork } from '../../schema/sample/watched-work.js';

interface AsideWork {
  readonly work: () => Promise<void>;
  /** When it can go on. Milliseconds since 1970. */
  readonly due: number;
}

/** Work that stopped at the limit of an operation. It goes on when the limit ends, and other work goes on meanwhile. */
class AsideQueue implements Aside {
  readonly #run: ContractRun;
  #waiting: AsideWork[] = [];

  constructor(run: ContractRun) {
    this.#run = run;
  }

  async attempt(work: () => Promise<void>): Promise<void> {
    for (let due = this.#takeDue(); due !== undefined; due = this.#takeDue()) await this.#do(due.work);
    await this.#do(work);
  }

  async #do(work: () => Promise<void>): Promise<void> {
    const { client } = this.#run;
    client.takeReset();
    await work();
    const due = client.takeReset();
    if (due !== undefined && due < client.deadline) this.#waiting.push({ work, due });
  }

  #takeDue(): AsideWork | undefined {
    const found = this.#waiting.find(({ due }) => due <= Date.now());
    this.#waiting = this.#waiting.filter((one) => one !== found);
    return found;
  }

  async finish(): Promise<void> {
    while (this.#waiting.length > 0) {
      await this.#run.client.waitUntil(Math.min(...this.#waiting.map(({ due }) => due)));
      const next = this.#takeDue();
      if (next !== undefined) await this.#do(next.work);
    }
  }
}

/** Puts the parts of a run together. */
export class TestRun implements ContractRun {
  readonly coverage: Coverage = new Coverage();
  readonly refusals: RefusalLog = new RefusalLog();
  readonly tries: TryLog | undefined;
  readonly observations: RunObservations | undefined;
  readonly shown: ShownMembers = new ShownMembers();
  readonly notSent: Map<string, string> = new Map();
  readonly context: CallContext;
  readonly harm: HarmGuard;
  readonly log: ExchangeLog = new ExchangeLog();
  readonly secrets: Redaction;
  readonly client: RunClient;
  readonly items: CallPreparation;
  readonly findings: FindingCollector;
  readonly delayedReads: DelayedReads;
  readonly aside: AsideQueue;
  readonly unnamed: UnnamedItems;
  readonly chooser: CaseChooser = new CaseChooser();

  constructor(options: ResolvedOptions) {
    const { api, operations, parameters, touchExisting } = options;
    const pool = new IdPool(api, { operations, given: parameters, touchExisting });
    this.harm = new HarmGuard(api, pool);
    const sparesExisting = (call: Call): boolean => touchExisting || this.harm.harmOf(call) !== 'harmful';
    const inTime: CallContext['inTime'] = (work) => watchWork(() => this.client.checkTime(), work);
    this.context = { api, pool, sparesExisting, inTime };
    this.secrets = new Redaction(api);
    this.secrets.addGiven(options);
    this.tries = options.given.explain === undefined ? undefined : new TryLog(this.secrets);
    this.observations = options.writeOverlay === undefined ? undefined : new RunObservations(api, this.secrets);
    this.aside = new AsideQueue(this);
    this.unnamed = new UnnamedItems(this);
    this.delayedReads = new DelayedReads(this);
    this.items = new CallPreparation(this, async () => this.delayedReads.readDue());
    this.findings = new FindingCollector(this);
    this.client = new RunClient(this, options, {
      onResponse: (tried, exchange) => this.delayedReads.note(tried, exchange),
      countFindings: () => this.findings.count,
    });
  }

  /** Restores the single things that the run has written, such as `/settings`. */
  async restoreThings(): Promise<void> {
    for (const { operation, url } of await this.client.singletons.restore()) this.harm.noteChange(operation, url);
  }

  get options(): ResolvedOptions {
    return this.client.options;
  }

  /** The operations that can be sent. */
  get operations(): readonly Operation[] {
    return this.options.operations.filter((operation) => this.options.shard.has(operation) && canBeSent(operation));
  }
}

/** HTTP requests do not open WebSockets, and servers need not support TRACE. */
function canBeSent({ method, extensions }: Operation): boolean {
  return method !== 'trace' && extensions['x-websocket'] === undefined;
}
