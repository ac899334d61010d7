import type { Api } from '../model/api.js';
import type { SourceLocation } from '../model/diagnostics/diagnostic.js';
import { quoteTitle } from './phrases.js';

type Step = string | number;

/** The root of a {@link SpecLocation}. */
interface LocationRoot {
  readonly source: SourceLocation;
  /** Its name in a sentence: `the body`, or the name of a schema. */
  readonly name: string;
  readonly isSchema: boolean;
}

/**
 * The location of a part of a normalised API: a place in its document, and the normalised steps from there. Its pointer
 * and its title are computed only if something has changed.
 */
export class SpecLocation {
  readonly root: LocationRoot;
  readonly #above: SpecLocation | undefined;
  readonly #own: readonly Step[];
  /** Whether its own steps are omitted from its title. */
  readonly #isSilent: boolean;
  /** The place to use if the document does not have this one. */
  readonly fallback: SpecLocation | undefined;

  private constructor(root: LocationRoot, below?: BelowRoot, fallback?: SpecLocation) {
    this.root = root;
    this.#above = below?.above;
    this.#own = below?.steps ?? [];
    this.#isSilent = below?.isSilent ?? false;
    this.fallback = fallback;
  }

  /** A part of the document. `name`: its name in a sentence, such as `the query parameter "take"`. */
  static at(source: SourceLocation, name = ''): SpecLocation {
    return new SpecLocation({ source, name, isSchema: false });
  }

  /** The document of an API. `pointer`: a part of it. */
  static ofApi({ files }: Api, pointer = ''): SpecLocation {
    return SpecLocation.at({ file: files[0]?.path ?? '', pointer });
  }

  static ofSchema(source: SourceLocation, name: string): SpecLocation {
    return new SpecLocation({ source, name, isSchema: true });
  }

  /** Whether it is the root itself. */
  get isRoot(): boolean {
    return this.#above === undefined;
  }

  child(...steps: readonly Step[]): SpecLocation {
    return new SpecLocation(this.root, { above: this, steps, isSilent: false });
  }

  /** A child with the title of this place, such as the only alternative of a choice. */
  silentChild(...steps: readonly Step[]): SpecLocation {
    return new SpecLocation(this.root, { above: this, steps, isSilent: true });
  }

  /** The same place, with one to use if the document does not have it. */
  orElse(fallback: SpecLocation): SpecLocation {
    return new SpecLocation(this.root, { above: this, steps: [], isSilent: false }, fallback);
  }

  /** The steps from the root. */
  get steps(): string[] {
    return this.#path().flatMap((location) => location.#own.map(String));
  }

  /** Its name in a sentence: `"Case.parties[].email"`, `"parties[].email" of the body`, `the body`. */
  get title(): string {
    const { name, isSchema } = this.root;
    const path = pathWords(this.#path().flatMap((location) => (location.#isSilent ? [] : location.#own.map(String))));
    if (isSchema) return quoteTitle(`${name}${path}`);
    return path === '' ? name : `${quoteTitle(path.replace(/^\./, ''))} of ${name}`;
  }

  /** The places from the root to this one. */
  #path(): SpecLocation[] {
    const locations: SpecLocation[] = [];
    for (let here: SpecLocation | undefined = this; here !== undefined; here = here.#above) locations.push(here);
    return locations.toReversed();
  }
}

/** A place in each spec. */
export interface LocationPair {
  readonly old: SpecLocation;
  readonly new: SpecLocation;
}

type Placed = SpecLocation | { readonly source: SourceLocation };

function placeOf(placed: Placed): SpecLocation {
  return placed instanceof SpecLocation ? placed : SpecLocation.at(placed.source);
}

/** The places of something that is in both specs. */
export function bothLocations(old: Placed, next: Placed): LocationPair {
  return { old: placeOf(old), new: placeOf(next) };
}

/** The places of an addition, which only its new place identifies. */
export function whereAdded(owner: Placed, added: Placed): LocationPair & { readonly anchor: 'new' } {
  return { ...bothLocations(owner, added), anchor: 'new' };
}

/** The places of a removal, which only its old place identifies. */
export function whereRemoved(removed: Placed, owner: Placed): LocationPair & { readonly anchor: 'old' } {
  return { ...bothLocations(removed, owner), anchor: 'old' };
}

interface BelowRoot {
  readonly above: SpecLocation;
  readonly steps: readonly Step[];
  readonly isSilent: boolean;
}

/** Steps through a schema in the usual notation: `.parties[].email`. */
function pathWords(steps: readonly string[]): string {
  let words = '';
  for (let index = 0; index < steps.length; index += 1) {
    const step = steps[index] ?? '';
    const inner = steps[index + 1] ?? '';
    const [own, takesInner] = STEP_WORDS.get(step)?.(inner) ?? [`.${step}`, false];
    words += own;
    if (takesInner) index += 1;
  }
  return words;
}

/** Returns the words of a keyword, and whether they include the next step. */
type StepWords = (inner: string) => readonly [string, boolean];

const STEP_WORDS: ReadonlyMap<string, StepWords> = new Map<string, StepWords>([
  ['schema', () => ['', false]],
  ['itemSchema', () => ['', false]],
  ['content', () => ['', true]],
  ['properties', (inner) => [`.${inner}`, true]],
  ['patternProperties', (inner) => [`./${inner}/`, true]],
  ['additionalProperties', () => ['.*', false]],
  ['unevaluatedProperties', () => ['.*', false]],
  ['items', () => ['[]', false]],
  ['prefixItems', (inner) => [`[${inner}]`, true]],
  ['anyOf', (inner) => [`.anyOf[${inner}]`, true]],
  ['oneOf', (inner) => [`.oneOf[${inner}]`, true]],
  ['dependentSchemas', (inner) => [`.dependentSchemas.${inner}`, true]],
]);
