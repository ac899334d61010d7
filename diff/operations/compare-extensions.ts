import type { Extensions } from '../../model/api.js';
import type { SourceLocation } from '../../model/diagnostics/diagnostic.js';
import { DiffPlace } from '../location.js';
import type { Fact } from '../raw-change.js';
import { HABITS } from '../known-extensions.js';
import { isSameValue } from '../schemas/same-value.js';
import type { OperationPair } from '../diff-context.js';
import type { Direction } from '../types.js';
import { quote } from '../phrases.js';

interface Extended {
  readonly extensions: Extensions;
  readonly source: SourceLocation;
}

interface ExtendedPair {
  readonly old: Extended;
  readonly new: Extended;
  readonly title: string;
}

/** Compares the `x-` members of a part of an operation. */
export function compareExtensions(pair: OperationPair, direction: Direction, parts: ExtendedPair): void {
  for (const fact of findExtensionFacts(parts)) pair.session.report(fact, [pair.touch(direction)]);
}

/** The differences between the `x-` members of two parts. `x-sunset` is compared as a part of an operation's life. */
export function findExtensionFacts({ old, new: next, title }: ExtendedPair): Fact[] {
  const names = new Set([...Object.keys(old.extensions), ...Object.keys(next.extensions)]);
  names.delete('x-sunset');
  return [...names].flatMap((name): Fact[] => {
    const [was, is] = [valueOf(old.extensions, name), valueOf(next.extensions, name)];
    if (was === is || isSameValue(was, is)) return [];
    const words = was === undefined ? 'is new' : 'has changed';
    return [
      {
        kind: HABITS.has(name) ? 'habit-changed' : 'extension-changed',
        message: `${quote(name)} of ${title} ${is === undefined ? 'is gone' : words}`,
        old: DiffPlace.at(old.source).child(name),
        new: DiffPlace.at(next.source).child(name),
      },
    ];
  });
}

function valueOf(extensions: Extensions, name: string): unknown {
  return Object.hasOwn(extensions, name) ? extensions[name as `x-${string}`] : undefined;
}
