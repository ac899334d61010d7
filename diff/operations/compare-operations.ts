import { wireMethod } from '../../model/http-method.js';
import type { Callback, Operation } from '../../model/api.js';
import type { SourceLocation } from '../../model/diagnostics/diagnostic.js';
import { SpecLocation } from '../location.js';
import { type DiffContext, OperationPair, bothLocations } from '../diff-context.js';
import { describeChange, quoteTitle, showValue } from '../phrases.js';
import { isUnstable } from '../stability.js';
import { compareLifecycle, isRemovalAnnounced } from './compare-lifecycle.js';
import { compareBodies } from './compare-bodies.js';
import { compareExtensions } from './compare-extensions.js';
import { compareParameters } from './compare-parameters.js';
import { compareResponses } from './compare-responses.js';
import { compareSecurity } from './compare-security.js';
import { compareServers } from './compare-servers.js';
import { compareWords } from './compare-descriptions.js';
import { hasOwnId, matchOperations } from './match-operations.js';

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
        old: SpecLocation.at(operation.source),
        new: SpecLocation.at(startOf(next, '/paths')),
        anchor: 'old',
        exceptions: isRemovalAnnounced(operation, context.now) ? ['request'] : [],
      },
      [{ operation, direction: 'request', isUnstable: isUnstable(operation) }],
    );
  for (const operation of added)
    context.report(
      {
        kind: 'operation-added',
        message: `${operationTitle(operation)} is new`,
        old: SpecLocation.at(startOf(old, '/paths')),
        new: SpecLocation.at(operation.source),
        anchor: 'new',
      },
      [{ operation, direction: 'request' }],
    );
  const owners = { old: startOf(old, '/webhooks'), new: startOf(next, '/webhooks'), title: 'The webhook' };
  compareOutgoing(context, { old: old.webhooks, new: next.webhooks }, owners);
}

interface Owners {
  readonly old: SourceLocation;
  readonly new: SourceLocation;
  readonly title: string;
}

interface OperationLists {
  readonly old: readonly Operation[];
  readonly new: readonly Operation[];
}

/** Compares requests that the server sends: webhooks by name, callbacks by name and expression. */
function compareOutgoing(context: DiffContext, lists: OperationLists, owners: Owners): void {
  const keyOf = ({ method, path }: Operation): string => `${method} ${path}`;
  const oldByKey = new Map(lists.old.map((operation) => [keyOf(operation), operation]));
  for (const operation of lists.new) {
    const was = oldByKey.get(keyOf(operation));
    oldByKey.delete(keyOf(operation));
    if (was !== undefined) compareOperation(new OperationPair(context, [was, operation], true));
    else
      context.report(
        {
          kind: 'webhook-added',
          message: `${owners.title} ${operationTitle(operation)} is new`,
          old: SpecLocation.at(owners.old),
          new: SpecLocation.at(operation.source),
          anchor: 'new',
        },
        [{ operation, direction: 'response' }],
      );
  }
  for (const operation of oldByKey.values())
    context.report(
      {
        kind: 'webhook-removed',
        message: `${owners.title} ${operationTitle(operation)} is gone`,
        old: SpecLocation.at(operation.source),
        new: SpecLocation.at(owners.new),
        anchor: 'old',
      },
      [{ operation, direction: 'response' }],
    );
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
  compareWords(pair);
  compareExtensions(pair, pair.requestDirection, { old: pair.old, new: pair.new, title: operationTitle(pair.new) });
  compareCallbacks(pair);
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

/** A path without the names in its template. */
function shapeOfPath(path: string): string {
  return path.replaceAll(/\{[^{}]*\}/g, '{}');
}

function compareCallbacks(pair: OperationPair): void {
  // Callbacks of webhooks would go the other way again; they are not compared.
  if (pair.requestDirection !== 'request') return;
  const flatten = (callbacks: readonly Callback[]): Operation[] =>
    callbacks.flatMap(({ name, operations }) =>
      operations.map((operation) => ({ ...operation, path: `${name} ${operation.path}` })),
    );
  compareOutgoing(
    pair.context,
    { old: flatten(pair.old.callbacks), new: flatten(pair.new.callbacks) },
    { old: pair.old.source, new: pair.new.source, title: 'The callback' },
  );
}

function operationTitle({ method, path }: Operation): string {
  return quoteTitle(`${wireMethod(method)} ${path}`);
}

function startOf({ files }: DiffContext['old'], pointer: string): SourceLocation {
  return { file: files[0]?.path ?? '', pointer };
}
