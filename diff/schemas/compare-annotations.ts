import type { Fact } from '../raw-change.js';
import { HABITS } from '../known-extensions.js';
import { quote, wasAndIs } from '../phrases.js';
import type { Parts, Scope } from './schema-pairs.js';
import { type Annotation, readAnnotations } from './annotations.js';
import { isSameValue } from './same-value.js';

/** Compares what schemas say of a value beside which values are allowed. */
export function compareAnnotations(old: Parts, next: Parts, scope: Scope): void {
  const { old: oldSide, new: newSide } = scope.graph;
  const oldAnnotations = readAnnotations(old, (ref) => oldSide.sites.target(ref));
  const annotations = readAnnotations(next, (ref) => newSide.sites.target(ref));
  if (oldAnnotations.size === 0 && annotations.size === 0) return;
  for (const keyword of new Set([...oldAnnotations.keys(), ...annotations.keys()])) {
    const [was, is] = [oldAnnotations.get(keyword), annotations.get(keyword)];
    if (was !== undefined && is !== undefined && isSameValue(was.value, is.value)) continue;
    const fact = describeAnnotation(keyword, { was, is, title: next[0].place.title });
    if (fact !== undefined) scope.report({ ...fact, old: was?.place ?? old[0].place, new: is?.place ?? next[0].place });
  }
}

interface AnnotationChange {
  readonly was: Annotation | undefined;
  readonly is: Annotation | undefined;
  readonly title: string;
}

/** Nothing for `readOnly` and `writeOnly`, which mean something to members alone. */
function describeAnnotation(
  keyword: string,
  { was, is, title }: AnnotationChange,
): Pick<Fact, 'kind' | 'message'> | undefined {
  switch (keyword) {
    case 'default':
      return { kind: 'default-changed', message: `The default of ${title} ${wasAndIs(was?.value, is?.value)}` };
    case 'deprecated':
      if ((was?.value === true) === (is?.value === true)) return undefined;
      return is?.value === true
        ? { kind: 'deprecated', message: `${title} is deprecated now` }
        : { kind: 'undeprecated', message: `${title} is not deprecated any more` };
    case 'title':
    case 'description':
      return { kind: 'description-changed', message: `${title} has another ${keyword}` };
    case 'examples':
      return { kind: 'examples-changed', message: `${title} has other examples` };
    case 'readOnly':
    case 'writeOnly':
      return undefined;
    default: {
      const words = was === undefined ? 'is new' : 'has changed';
      return {
        kind: HABITS.has(keyword) ? 'habit-changed' : 'extension-changed',
        message: `${quote(keyword)} of ${title} ${is === undefined ? 'is gone' : words}`,
      };
    }
  }
}
