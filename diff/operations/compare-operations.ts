import type { RawChange } from '../raw-change.js';
import { isDeepStrictEqual } from 'node:util';

import type { Callback, Operation } from '../../model/api.js';
import { type DiffContext, OperationPair } from '../diff-context.js';
import { type LocationPair, SpecLocation, bothLocations, whereAdded, whereRemoved } from '../location.js';
import { type Match, matchByKey } from '../match-by-key.js';
import { describeChange, operationTitle, showValue, describeDeprecation } from '../phrases.js';
import { isUnstable, showStability, stabilityOf } from '../stability.js';
import { compareBodies } from './compare-bodies.js';
import { compareParameters } from './compare-parameters.js';
import { compareResponses } from './compare-responses.js';
import { compareSecurity } from './compare-security.js';
import { compareServers } from './compare-servers.js';
import { compareWords } from './compare-words.js';

/** Compares all operations and webhooks of two APIs. */
export function compareOperations(context: DiffContext): void {
  const { old, new: next } = context;
  const { pairs, removed, added } = matchOperations(old.operations, next.operations);
  for (const pair of pairs) compareOperation(new OperationPair(context, pair, false));
  for (const operation of removed)
    context.report(
      {
        kind: 'operation-removed',
        message: `${operationTitle(operation)} is gone${describeAnnouncement(operation)}`,
        ...whereRemoved(operation, SpecLocation.ofApi(next, '/paths')),
        exceptions: isRemovalAnnounced(operation, context.now) ? ['request'] : [],
      },
      [{ operation, direction: 'request', isUnstable: isUnstable(operation) }],
    );
  for (const operation of added) {
    const message = `${operationTitle(operation)} is new`;
    const locations = whereAdded(SpecLocation.ofApi(old, '/paths'), operation);
    context.report({ kind: 'operation-added', message, ...locations }, [{ operation, direction: 'request' }]);
  }
  const owners = {
    old: SpecLocation.ofApi(old, '/webhooks'),
    new: SpecLocation.ofApi(next, '/webhooks'),
    title: 'The webhook',
  };
  compareOutgoing(context, [old.webhooks, next.webhooks], owners);
}

/** Compares requests that the server sends: webhooks by name, callbacks by name and expression. */
function compareOutgoing(
  context: DiffContext,
  [old, next]: readonly [readonly Operation[], readonly Operation[]],
  owners: LocationPair & { readonly title: string },
): void {
  const { pairs, removed, added } = matchByKey(old, next, ({ method, path }) => `${method} ${path}`);
  for (const pair of pairs) compareOperation(new OperationPair(context, pair, true));
  for (const operation of added) {
    const message = `${owners.title} ${operationTitle(operation)} is new`;
    const change = { kind: 'webhook-added' as const, message, ...whereAdded(owners.old, operation) };
    context.report(change, [{ operation, direction: 'response' }]);
  }
  for (const operation of removed) {
    const message = `${owners.title} ${operationTitle(operation)} is gone`;
    const change = { kind: 'webhook-removed' as const, message, ...whereRemoved(operation, owners.new) };
    context.report(change, [{ operation, direction: 'response' }]);
  }
}

function compareOperation(pair: OperationPair): void {
  compareIdentity(pair);
  compareLifecycle(pair);
  compareParameters(pair);
  compareBodies(pair);
  compareResponses(pair);
  if (pair.requestDirection === 'request') {
    compareSecurity(pair);
    compareServers(pair);
  }
  const title = operationTitle(pair.new);
  compareWords(pair, pair.requestDirection, { old: pair.old, new: pair.new, title });
  if (!isDeepStrictEqual(new Set(pair.old.tags), new Set(pair.new.tags)))
    pair.reportInRequest({
      kind: 'tags-changed',
      message: `${title} has other tags`,
      old: pair.oldLocation.child('tags'),
      new: pair.newLocation.child('tags'),
    });
  // Callbacks of webhooks would reverse the direction again; they are not compared.
  if (pair.requestDirection === 'request')
    compareOutgoing(pair.context, [flattenCallbacks(pair.old.callbacks), flattenCallbacks(pair.new.callbacks)], {
      ...bothLocations(pair.old, pair.new),
      title: 'The callback',
    });
}

function describeAnnouncement({ deprecated, extensions }: Operation): string {
  if (!deprecated) return '';
  const sunset = extensions['x-sunset'];
  return sunset === undefined ? '; it was deprecated' : `; it was deprecated with the sunset ${showValue(sunset)}`;
}

function compareIdentity(pair: OperationPair): void {
  const { old, new: next } = pair;
  if (old.method !== next.method || shapeOfPath(old.path) !== shapeOfPath(next.path))
    pair.reportInRequest({
      kind: 'operation-moved',
      message: `${operationTitle(next)} was ${operationTitle(old)}`,
      ...bothLocations(old, next),
    });
  const [oldId, id] = [old, next].map((operation) => (hasOwnId(operation) ? operation.id : undefined));
  if (oldId !== id)
    pair.reportInRequest({
      kind: 'operation-id-changed',
      message: `The operationId of ${operationTitle(next)} ${describeChange(oldId, id)}`,
      old: pair.oldLocation.child('operationId'),
      new: pair.newLocation.child('operationId'),
    });
}

function flattenCallbacks(callbacks: readonly Callback[]): Operation[] {
  return callbacks.flatMap(({ name, operations }) =>
    operations.map((operation) => ({ ...operation, path: `${name} ${operation.path}` })),
  );
}

/** Whether the id of an operation comes from the document; otherwise the model derives it from method and path. */
function hasOwnId({ id, method, path }: Operation): boolean {
  return !id.startsWith(`${method} ${path}`);
}

/** A path without the names of its parameters. */
function shapeOfPath(path: string): string {
  return path.replaceAll(/\{[^{}]*\}/g, '{}');
}

/**
 * Finds the operations that belong together: by method and path, then by method and path without parameter names, then
 * (if an operation has moved) by its id in the document.
 */
function matchOperations(old: readonly Operation[], next: readonly Operation[]): Match<Operation> {
  const exact = matchByKey(old, next, ({ method, path }) => `${method} ${path}`);
  const shaped = matchByKey(exact.removed, exact.added, ({ method, path }) => `${method} ${shapeOfPath(path)}`);
  const moved = matchByKey(shaped.removed, shaped.added, (one) => (hasOwnId(one) ? one.id : undefined));
  return { ...moved, pairs: [...exact.pairs, ...shaped.pairs, ...moved.pairs] };
}

/** Whether a removal was announced: the operation was deprecated, and its sunset is past or was never set. */
function isRemovalAnnounced({ deprecated, extensions }: Operation, now: Date): boolean {
  const sunset = extensions['x-sunset'];
  if (!deprecated) return false;
  const time = sunset === undefined ? -Infinity : timeOf(sunset);
  return time !== undefined && time <= now.getTime();
}

/** Compares deprecation, sunset date and stability of an operation. */
function compareLifecycle(pair: OperationPair): void {
  const { old, new: next } = pair;
  const title = operationTitle(next);
  const report = (keyword: string, change: Omit<RawChange, 'old' | 'new'>): void =>
    pair.reportInRequest({ ...change, old: pair.oldLocation.child(keyword), new: pair.newLocation.child(keyword) });
  if (old.deprecated !== next.deprecated) report('deprecated', describeDeprecation(title, next.deprecated));
  const [was, is] = [old.extensions['x-sunset'], next.extensions['x-sunset']];
  if (was !== is) {
    const isSooner = was !== undefined && !isLater(is, was) && next.deprecated === old.deprecated;
    report('x-sunset', {
      kind: was === undefined ? 'sunset-set' : 'sunset-changed',
      message: `The sunset of ${title} ${describeChange(was, is)}`,
      exceptions: isSooner ? ['request'] : [],
    });
  }
  const [oldLevel, level] = [stabilityOf(old), stabilityOf(next)];
  if (oldLevel !== level)
    report('x-stability-level', {
      kind: level < oldLevel ? 'stability-lowered' : 'stability-raised',
      message: `The stability of ${title} is ${showStability(level)}, was ${showStability(oldLevel)}`,
    });
}

/** Whether a sunset is a date, and not before the old one. */
function isLater(sunset: unknown, old: unknown): boolean {
  const [time, oldTime] = [timeOf(sunset), timeOf(old)];
  return time !== undefined && (oldTime === undefined || time >= oldTime);
}

/** The time of a sunset date in milliseconds; `undefined` if it is not a date. */
function timeOf(sunset: unknown): number | undefined {
  const time = typeof sunset === 'string' && /^\d{4}-\d{2}-\d{2}/.test(sunset) ? Date.parse(sunset) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}
