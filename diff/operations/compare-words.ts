import type { Example, Extensions } from '../../model/api.js';
import type { SourceLocation } from '../../model/diagnostics/diagnostic.js';
import type { OperationPair } from '../diff-context.js';
import { SpecLocation } from '../location.js';
import { describeExtension } from '../phrases.js';
import type { RawChange } from '../raw-change.js';
import { canonicalJson, isSameValue } from '../schemas/canonical-json.js';
import type { Direction } from '../api-diff.js';

interface Extended {
  readonly extensions: Extensions;
  readonly source: SourceLocation;
}

/** A part of an operation with its documentation. */
interface Described extends Extended {
  readonly summary?: string;
  readonly description?: string;
  readonly examples?: readonly Example[];
}

interface BothSides<Side> {
  readonly old: Side;
  readonly new: Side;
  /** Its name in a sentence. */
  readonly title: string;
}

/** Compares summaries, descriptions, examples and `x-` members of a part of an operation. */
export function compareWords(pair: OperationPair, direction: Direction, parts: BothSides<Described>): void {
  const { old, new: next, title } = parts;
  const at = (keyword: string): Pick<RawChange, 'old' | 'new'> => ({
    old: SpecLocation.at(old.source).child(keyword),
    new: SpecLocation.at(next.source).child(keyword),
  });
  const report = (change: RawChange): void => pair.context.report(change, [pair.usage(direction)]);
  for (const keyword of ['summary', 'description'] as const)
    if (old[keyword] !== next[keyword])
      report({ kind: 'description-changed', message: `${title} has another ${keyword}`, ...at(keyword) });
  if (!hasSameExamples(old.examples, next.examples))
    report({ kind: 'examples-changed', message: `${title} has other examples`, ...at('examples') });
  for (const change of findExtensionChanges(parts)) report(change);
}

/** Whether examples are equal, ignoring their order. */
function hasSameExamples(old: readonly Example[] = [], next: readonly Example[] = []): boolean {
  if (old.length !== next.length) return false;
  const textsOf = (examples: readonly Example[]): string[] =>
    examples
      .map(({ name, summary, description, value, externalValue }) =>
        canonicalJson([name, summary, description, value, externalValue]),
      )
      .sort();
  return canonicalJson(textsOf(old)) === canonicalJson(textsOf(next));
}

/** Extensions that `compareLifecycle` compares. */
const LIFECYCLE_EXTENSIONS = ['x-sunset', 'x-stability-level'] as const;

/** The differences between the `x-` members of two parts. */
export function findExtensionChanges({ old, new: next, title }: BothSides<Extended>): RawChange[] {
  const names = new Set([...Object.keys(old.extensions), ...Object.keys(next.extensions)]);
  for (const name of LIFECYCLE_EXTENSIONS) names.delete(name);
  return [...names].flatMap((name): RawChange[] => {
    const [was, is] = [valueOf(old.extensions, name), valueOf(next.extensions, name)];
    if (isSameValue(was, is)) return [];
    return [
      {
        ...describeExtension(name, { was, is, title }),
        old: SpecLocation.at(old.source).child(name),
        new: SpecLocation.at(next.source).child(name),
      },
    ];
  });
}

function valueOf(extensions: Extensions, name: string): unknown {
  return Object.hasOwn(extensions, name) ? extensions[name as `x-${string}`] : undefined;
}
