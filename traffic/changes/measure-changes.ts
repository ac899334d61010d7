import type { ApiComparison, ApiDiff, Change } from '../../diff/index.js';
import { clientOf } from '../../http/credentials/account-of.js';
import { UseTally } from '../../http/recording/use-tally.js';
import type { RecordedExchange } from '../../http/recording/read-exchanges.js';
import { type FindRoute, type RouteMatch, createRouter, splitTarget } from '../../http/routing/router.js';
import { wireMethod } from '../../model/http-method.js';
import type { Api, Operation } from '../../model/api.js';
import { basePaths } from '../../model/base-url.js';
import { getOrInsert } from '../../model/maps.js';
import type { Level } from '../../reports/diff/diff-report.js';
import { CallView, ReadCall, type ViewedOperation, viewOperation } from './call-view.js';
import { type Probe, type ViewedCall, createProbe } from './probe.js';

/** The two specs, and their changes. */
export interface MeasuredApis {
  readonly old: Api;
  readonly new: Api;
}

/**
 * Counts for each change the recorded calls that it affects: those that use the changed place. Changes of documentation are
 * not counted.
 */
export async function measureChanges(
  apis: MeasuredApis,
  { diff, placesOf }: ApiComparison,
  exchanges: AsyncIterable<RecordedExchange>,
): Promise<ApiDiff> {
  const counter = new ChangeCounter(apis, diff.changes, placesOf);
  for await (const exchange of exchanges) counter.add(exchange);
  return counter.addTo(diff);
}

const LEVELS: readonly Level[] = ['breaking', 'risky', 'safe'];

interface OperationPlan {
  readonly old: ViewedOperation | undefined;
  readonly new: ViewedOperation | undefined;
  readonly probes: readonly { readonly change: Change; readonly probe: Probe }[];
}

type Matched = RouteMatch & { readonly kind: 'operation' };

class ChangeCounter {
  readonly #apis: MeasuredApis;
  readonly #changes: readonly Change[];
  readonly #placesOf: ApiComparison['placesOf'];
  readonly #routes: Readonly<Record<'old' | 'new', FindRoute>>;
  readonly #plans = new Map<Operation | undefined, Map<Operation | undefined, OperationPlan>>();
  readonly #tallies = new Map<Change, UseTally>();
  readonly #affected: Record<Level, number> = { breaking: 0, risky: 0, safe: 0 };
  #calls = 0;
  #matched = 0;

  constructor(apis: MeasuredApis, changes: readonly Change[], placesOf: ApiComparison['placesOf']) {
    this.#apis = apis;
    this.#changes = changes.filter(({ wordsOnly }) => !wordsOnly);
    this.#placesOf = placesOf;
    this.#routes = { old: createRouter(apis.old), new: createRouter(apis.new) };
    for (const change of this.#changes) this.#tallies.set(change, new UseTally());
  }

  add(exchange: RecordedExchange): void {
    this.#calls += 1;
    const read = new ReadCall(exchange);
    const [old, next] = [this.#match('old', read), this.#match('new', read)];
    if (old === undefined && next === undefined) return;
    this.#matched += 1;
    const plan = this.#planOf(old?.operation, next?.operation);
    if (plan.probes.length === 0) return;
    const call: ViewedCall = {
      old: plan.old && old && new CallView(plan.old, read, old.values),
      new: plan.new && next && new CallView(plan.new, read, next.values),
    };
    this.#count(plan, call, exchange);
  }

  #count({ probes }: OperationPlan, call: ViewedCall, exchange: RecordedExchange): void {
    const client = clientOf(exchange.request.headers);
    const counted = new Set<Change>();
    for (const { change, probe } of probes) {
      if (counted.has(change) || !probe(call)) continue;
      counted.add(change);
      this.#tallies.get(change)?.add(client, exchange.at);
    }
    const levels = new Set([...counted].map(({ level }) => level));
    for (const level of levels) this.#affected[level] += 1;
  }

  /** Adds what was counted to the changes. */
  addTo(diff: ApiDiff): ApiDiff {
    const countOf = (level: Level): number =>
      this.#changes.filter((change) => change.level === level && (this.#tallies.get(change)?.calls ?? 0) > 0).length;
    const changes = diff.changes.map((change) => {
      const tally = this.#tallies.get(change);
      return tally === undefined ? change : { ...change, traffic: tally.report };
    });
    const affecting = Object.fromEntries(
      LEVELS.map((level) => [level, { changes: countOf(level), calls: this.#affected[level] }]),
    ) as Record<Level, { changes: number; calls: number }>;
    return { ...diff, changes, traffic: { calls: this.#calls, unknown: this.#calls - this.#matched, affecting } };
  }

  #match(side: 'old' | 'new', { exchange, target }: ReadCall): Matched | undefined {
    const match = this.#routes[side](exchange.method, target.path);
    return match.kind === 'operation' ? match : undefined;
  }

  #planOf(old: Operation | undefined, next: Operation | undefined): OperationPlan {
    const plans = getOrInsert(this.#plans, old, () => new Map<Operation | undefined, OperationPlan>());
    return getOrInsert(plans, next, () => this.#plan(old, next));
  }

  #plan(old: Operation | undefined, next: Operation | undefined): OperationPlan {
    const viewed = {
      old: old && viewOperation(this.#apis.old, old),
      new: next && viewOperation(this.#apis.new, next),
    };
    const names = new Set([old, next].flatMap((one) => (one === undefined ? [] : [nameOf(one)])));
    const probes = this.#changes.flatMap((change) => {
      const places = this.#placesOf(change);
      if (places === undefined) return [];
      if (change.operations.length === 0) return this.#ofDocument(change);
      const own = change.operations.filter((one) => names.has(nameOf(one)));
      const directions = new Set(own.flatMap((one) => one.directions));
      return [...directions].map((direction) => ({
        change,
        probe: createProbe({ change, places, direction }, (side, key, all) => {
          const wanted = viewed[side]?.wanted[direction];
          wanted?.set(key, all || wanted.get(key) === true);
        }),
      }));
    });
    return { ...viewed, probes };
  }

  /** Changes of the servers affect the calls that went to them, other changes of the document none. */
  #ofDocument(change: Change): OperationPlan['probes'] {
    if (!/^(?:base-path-changed|server-removed)$/.test(change.kind)) return [];
    const probe: Probe = ({ old, new: next }) => {
      const target = (old ?? next)?.exchange.target ?? '';
      return isServed(this.#apis.old, target) && !isServed(this.#apis.new, target);
    };
    return [{ change, probe }];
  }
}

function nameOf({ method, path }: Pick<Operation, 'method' | 'path'>): string {
  return `${wireMethod(method)} ${path}`;
}

/** Whether a server of an API has the host, if both are known, and the base path of a call. */
function isServed({ servers }: Api, target: string): boolean {
  const { path } = splitTarget(target);
  const host = URL.canParse(target) ? new URL(target).host : undefined;
  return servers.some((server) => {
    const own = URL.canParse(server.url) ? new URL(server.url).host : undefined;
    const isHost = host === undefined || own === undefined || own === host;
    return isHost && basePaths([server]).some((base) => path === base || path.startsWith(`${base}/`));
  });
}
