import type { Callback, Operation } from '../../model/api.js';
import type { SourceLocation } from '../../model/diagnostics/diagnostic.js';
import { DiffPlace } from '../location.js';
import { type DiffSession, OperationPair, bothPlaces } from '../diff-context.js';
import { quoteTitle, wasAndIs } from '../phrases.js';
import { compareBodies } from './compare-bodies.js';
import { compareExtensions } from './compare-extensions.js';
import { compareParameters } from './compare-parameters.js';
import { compareResponses } from './compare-responses.js';
import { compareSecurity } from './compare-security.js';
import { compareServers } from './compare-servers.js';
import { compareWords } from './compare-descriptions.js';
import { hasOwnId, matchOperations } from './match-operations.js';

/** Compares all operations and webhooks of two APIs. */
export function compareOperations(session: DiffSession): void {
  const { old, new: next } = session;
  const { pairs, removed, added } = matchOperations(old.operations, next.operations);
  for (const pair of pairs) compareOperation(new OperationPair(session, pair, false));
  for (const operation of removed)
    session.report(
      {
        kind: 'operation-removed',
        message: `${operationTitle(operation)} is gone${operation.deprecated ? '; it was deprecated' : ''}`,
        old: DiffPlace.at(operation.source),
        new: DiffPlace.at(startOf(next, '/paths')),
        anchor: 'old',
        exceptions: operation.deprecated ? ['request'] : [],
      },
      [{ operation, direction: 'request' }],
    );
  for (const operation of added)
    session.report(
      {
        kind: 'operation-added',
        message: `${operationTitle(operation)} is new`,
        old: DiffPlace.at(startOf(old, '/paths')),
        new: DiffPlace.at(operation.source),
        anchor: 'new',
      },
      [{ operation, direction: 'request' }],
    );
  const owners = { old: startOf(old, '/webhooks'), new: startOf(next, '/webhooks'), title: 'The webhook' };
  compareOutgoing(session, { old: old.webhooks, new: next.webhooks }, owners);
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
function compareOutgoing(session: DiffSession, lists: OperationLists, owners: Owners): void {
  const keyOf = ({ method, path }: Operation): string => `${method} ${path}`;
  const oldByKey = new Map(lists.old.map((operation) => [keyOf(operation), operation]));
  for (const operation of lists.new) {
    const was = oldByKey.get(keyOf(operation));
    oldByKey.delete(keyOf(operation));
    if (was !== undefined) compareOperation(new OperationPair(session, [was, operation], true));
    else
      session.report(
        {
          kind: 'webhook-added',
          message: `${owners.title} ${operationTitle(operation)} is new`,
          old: DiffPlace.at(owners.old),
          new: DiffPlace.at(operation.source),
          anchor: 'new',
        },
        [{ operation, direction: 'response' }],
      );
  }
  for (const operation of oldByKey.values())
    session.report(
      {
        kind: 'webhook-removed',
        message: `${owners.title} ${operationTitle(operation)} is gone`,
        old: DiffPlace.at(operation.source),
        new: DiffPlace.at(owners.new),
        anchor: 'old',
      },
      [{ operation, direction: 'response' }],
    );
}

function compareOperation(pair: OperationPair): void {
  compareIdentity(pair);
  compareLife(pair);
  compareParameters(pair);
  compareBodies(pair);
  compareResponses(pair);
  if (pair.asks === 'request') {
    compareSecurity(pair);
    compareServers(pair);
  }
  compareWords(pair);
  compareExtensions(pair, pair.asks, { old: pair.old, new: pair.new, title: operationTitle(pair.new) });
  compareCallbacks(pair);
}

function compareIdentity(pair: OperationPair): void {
  const { old, new: next } = pair;
  if (old.method !== next.method || shapeOfPath(old.path) !== shapeOfPath(next.path))
    pair.asking({
      kind: 'operation-moved',
      message: `${operationTitle(next)} was ${operationTitle(old)}`,
      ...bothPlaces(old, next),
    });
  const [oldId, id] = [old, next].map((operation) => (hasOwnId(operation) ? operation.id : undefined));
  if (oldId !== id)
    pair.asking({
      kind: 'operation-id-changed',
      message: `The operationId of ${operationTitle(next)} ${wasAndIs(oldId, id)}`,
      old: pair.oldPlace.child('operationId'),
      new: pair.newPlace.child('operationId'),
    });
}

/** A path without the names in its template. */
function shapeOfPath(path: string): string {
  return path.replaceAll(/\{[^{}]*\}/g, '{}');
}

function compareLife(pair: OperationPair): void {
  const { old, new: next } = pair;
  const title = operationTitle(next);
  if (old.deprecated !== next.deprecated)
    pair.asking({
      kind: next.deprecated ? 'deprecated' : 'undeprecated',
      message: `${title} is ${next.deprecated ? 'deprecated now' : 'not deprecated any more'}`,
      old: pair.oldPlace.child('deprecated'),
      new: pair.newPlace.child('deprecated'),
    });
  const [was, is] = [old.extensions['x-sunset'], next.extensions['x-sunset']];
  if (was === is) return;
  pair.asking({
    kind: was === undefined ? 'sunset-set' : 'sunset-changed',
    message: `The sunset of ${title} ${wasAndIs(was, is)}`,
    old: pair.oldPlace.child('x-sunset'),
    new: pair.newPlace.child('x-sunset'),
  });
}

function compareCallbacks(pair: OperationPair): void {
  // A callback of a webhook goes the other way again, and nobody has ever seen one.
  if (pair.asks !== 'request') return;
  const flatten = (callbacks: readonly Callback[]): Operation[] =>
    callbacks.flatMap(({ name, operations }) =>
      operations.map((operation) => ({ ...operation, path: `${name} ${operation.path}` })),
    );
  compareOutgoing(
    pair.session,
    { old: flatten(pair.old.callbacks), new: flatten(pair.new.callbacks) },
    { old: pair.old.source, new: pair.new.source, title: 'The callback' },
  );
}

function operationTitle({ method, path }: Operation): string {
  return quoteTitle(`${method.toUpperCase()} ${path}`);
}

function startOf({ files }: DiffSession['old'], pointer: string): SourceLocation {
  return { file: files[0]?.path ?? '', pointer };
}
