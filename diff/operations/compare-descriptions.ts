import { wireMethod } from '../../model/http-method.js';
import { isDeepStrictEqual } from 'node:util';

import type { Example } from '../../model/api.js';
import type { SourceLocation } from '../../model/diagnostics/diagnostic.js';
import { SpecLocation } from '../location.js';
import { canonicalJson } from '../schemas/canonical-json.js';
import type { OperationPair } from '../diff-context.js';
import type { Direction } from '../types.js';
import { quoteTitle } from '../phrases.js';

/** Compares the tags and descriptions of an operation. */
export function compareWords(pair: OperationPair): void {
  const { old, new: next } = pair;
  const title = quoteTitle(`${wireMethod(next.method)} ${next.path}`);
  compareDescriptions(pair, pair.requestDirection, { old, new: next, title });
  if (isDeepStrictEqual(new Set(old.tags), new Set(next.tags))) return;
  pair.reportInRequest({
    kind: 'tags-changed',
    message: `${title} has other tags`,
    old: pair.oldLocation.child('tags'),
    new: pair.newLocation.child('tags'),
  });
}

/** Something with descriptions or examples. */
interface Described {
  readonly summary?: string;
  readonly description?: string;
  readonly examples?: readonly Example[];
  readonly source: SourceLocation;
}

interface DescribedPair {
  readonly old: Described;
  readonly new: Described;
  readonly title: string;
}

/** Compares summaries, descriptions and examples. */
export function compareDescriptions(
  pair: OperationPair,
  direction: Direction,
  { old, new: next, title }: DescribedPair,
): void {
  for (const keyword of ['summary', 'description'] as const) {
    if (old[keyword] === next[keyword]) continue;
    pair.context.report(
      {
        kind: 'description-changed',
        message: `${title} has another ${keyword}`,
        old: SpecLocation.at(old.source).child(keyword),
        new: SpecLocation.at(next.source).child(keyword),
      },
      [pair.usage(direction)],
    );
  }
  compareExampleLists(pair, direction, { old, new: next, title });
}

/** Compares examples; those that are in another order are the same. */
export function compareExampleLists(
  pair: OperationPair,
  direction: Direction,
  { old, new: next, title }: DescribedPair,
): void {
  const textOf = (examples: readonly Example[]): string =>
    canonicalJson(
      examples
        .map(({ name, summary, description, value, externalValue }) =>
          canonicalJson([name, summary, description, value, externalValue]),
        )
        .sort(),
    );
  const [was, is] = [old.examples ?? [], next.examples ?? []];
  if ((was.length === 0 && is.length === 0) || textOf(was) === textOf(is)) return;
  pair.context.report(
    {
      kind: 'examples-changed',
      message: `${title} has other examples`,
      old: SpecLocation.at(old.source).child('examples'),
      new: SpecLocation.at(next.source).child('examples'),
    },
    [pair.usage(direction)],
  );
}
