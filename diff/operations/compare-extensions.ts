import type { Extensions } from '../../model/api.js';
import type { SourceLocation } from '../../model/diagnostics/diagnostic.js';
import { SpecLocation } from '../location.js';
import type { RawChange } from '../raw-change.js';
import { KNOWN_EXTENSIONS } from '../../model/known-extensions.js';
import { isSameValue } from '../schemas/canonical-json.js';
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
  for (const change of findExtensionChanges(parts)) pair.context.report(change, [pair.usage(direction)]);
}

/** The differences between the `x-` members of two parts. Those of the lifecycle of an operation are compared with it. */
export function findExtensionChanges({ old, new: next, title }: ExtendedPair): RawChange[] {
  const names = new Set([...Object.keys(old.extensions), ...Object.keys(next.extensions)]);
  for (const name of LIFECYCLE_EXTENSIONS) names.delete(name);
  return [...names].flatMap((name): RawChange[] => {
    const [was, is] = [valueOf(old.extensions, name), valueOf(next.extensions, name)];
    if (was === is || isSameValue(was, is)) return [];
    const words = was === undefined ? 'is new' : 'has changed';
    return [
      {
        kind: KNOWN_EXTENSIONS.has(name) ? 'helper-changed' : 'extension-changed',
        message: `${quote(name)} of ${title} ${is === undefined ? 'is gone' : words}`,
        old: SpecLocation.at(old.source).child(name),
        new: SpecLocation.at(next.source).child(name),
      },
    ];
  });
}

const LIFECYCLE_EXTENSIONS = ['x-sunset', 'x-stability-level'] as const;

function valueOf(extensions: Extensions, name: string): unknown {
  return Object.hasOwn(extensions, name) ? extensions[name as `x-${string}`] : undefined;
}
