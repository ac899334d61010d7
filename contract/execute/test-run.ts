import type { Operation } from '../../model/api.js';
import { findSecretNames } from '../../http/secrets/secret-names.js';
import { Coverage } from '../findings/coverage.js';
import { FindingCollector } from '../findings/finding-collector.js';
import { Redaction } from '../findings/hide-given-secrets.js';
import type { CallContext } from '../plan/build-request-values.js';
import { ExchangeLog } from '../reproduction/exchange-log.js';
import type { ResolvedOptions } from '../resolve-options.js';
import type { Call } from '../types.js';
import { RunClient } from './client.js';
import type { ContractRun } from './contract-run.js';
import { AsideQueue } from './aside-work.js';
import { DelayedReads } from './delayed-reads.js';
import { HarmGuard } from './harm/harm-guard.js';
import { IdPool } from './ids/id-pool.js';
import { UnnamedItems } from './unnamed-items.js';
import { CallPreparation } from './prepare-calls.js';

/** Puts the parts of a run together. */
export class TestRun implements ContractRun {
  readonly coverage: Coverage = new Coverage();
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

  constructor(options: ResolvedOptions) {
    const { api, operations, parameters, touchExisting } = options;
    const pool = new IdPool(api, { operations, given: parameters, touchExisting });
    this.harm = new HarmGuard(api, pool);
    const sparesExisting = (call: Call): boolean => touchExisting || this.harm.harmOf(call) !== 'harmful';
    this.context = { api, pool, sparesExisting };
    this.secrets = new Redaction(findSecretNames(api));
    this.secrets.addGiven(options);
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
