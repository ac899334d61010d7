import { isDeepStrictEqual } from 'node:util';

import type { Example } from '../../model/api.js';
import type { SourceLocation } from '../../model/diagnostics/diagnostic.js';
import { DiffPlace } from '../location.js';
import { stableText } from '../schemas/canonical-json.js';
import type { OperationPair } from '../diff-context.js';
import type { Direction } from '../types.js';
import { quoteTitle } from '../phrases.js';

/** Compares what an operation says of itself. */
export function compareWords(pair: OperationPair): void {
  const { old, new: next } = pair;
  const title = quoteTitle(`${next.method.toUpperCase()} ${next.path}`);
  compareDescriptions(pair, pair.asks, { old, new: next, title });
  if (isDeepStrictEqual(new Set(old.tags), new Set(next.tags))) return;
  pair.asking({
    kind: 'tags-changed',
    message: `${title} has other tags`,
    old: pair.oldPlace.child('tags'),
    new: pair.newPlace.child('tags'),
  });
}

/** Something that has words or examples, and stands somewhere. */
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
    pair.session.report(
      {
        kind: 'description-changed',
        message: `${title} has another ${keyword}`,
        old: DiffPlace.at(old.source).child(keyword),
        new: DiffPlace.at(next.source).child(keyword),
      },
      [pair.touch(direction)],
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
    stableText(
      examples
        .map(({ name, summary, description, value, externalValue }) =>
          stableText([name, summary, description, value, externalValue]),
        )
        .sort(),
    );
  const [was, is] = [old.examples ?? [], next.examples ?? []];
  if ((was.length === 0 && is.length === 0) || textOf(was) === textOf(is)) return;
  pair.session.report(
    {
      kind: 'examples-changed',
      message: `${title} has other examples`,
      old: DiffPlace.at(old.source).child('examples'),
      new: DiffPlace.at(next.source).child('examples'),
    },
    [pair.touch(direction)],
  );
}
