import type { Extensions } from '../api.js';
import { suggestName } from '../diagnostics/closest-name.js';
import type { DiagnosticCode } from '../diagnostics/codes.js';
import type { DiagnosticCollector } from '../diagnostics/create-diagnostic.js';
import { type RefResolver, describeAsWritten } from '../normalise/ref-resolver.js';
import { Place } from './place.js';
import { type RawRecord, isRecord } from './records.js';

/** The data that all cursors of one document set share. */
export interface CursorContext {
  readonly resolver: RefResolver;
  readonly problems: DiagnosticCollector;
  /** Collects the names of the extensions that are read. */
  readonly extensionNames: Set<string>;
}

/** The place of a cursor: under another place, or (with a text) at a pointer. */
export interface CursorPlace {
  readonly file: string;
  readonly above: Place | string;
  readonly step?: string | number;
}

const NOTHING: RawRecord = Object.freeze({});
const NO_EXTENSIONS: Extensions = Object.freeze({});
const MAX_REF_STEPS = 50;
/** Members that only inform people: a wrong one must not make the API unusable. */
const DESCRIPTIVE: ReadonlySet<string> = new Set(['title', 'version', 'summary', 'description', 'parent', 'kind']);

/**
 * A place in a raw document with its value. Reads members by their expected type, follows Reference Objects, and
 * reports values of the wrong type as diagnostics.
 */
export class Cursor extends Place {
  readonly context: CursorContext;
  readonly value: unknown;
  /** The value as an object; an empty one if it is not an object. */
  readonly record: RawRecord;

  constructor(context: CursorContext, { file, above, step }: CursorPlace, value: unknown) {
    super(file, above, step);
    this.context = context;
    this.value = value;
    this.record = isRecord(value) ? value : NOTHING;
  }

  get exists(): boolean {
    return this.value !== undefined && this.value !== null;
  }

  /** The cursor of a member, even if the member does not exist. */
  at(key: string): Cursor {
    return this.#step(key, this.#own(key));
  }

  has(key: string): boolean {
    const value = this.#own(key);
    return value !== undefined && value !== null;
  }

  /** The entries of a member that is a map. */
  entriesAt(key: string): (readonly [string, Cursor])[] {
    return this.has(key) ? this.at(key).entries() : [];
  }

  /** The items of a member that is a list. */
  itemsAt(key: string): Cursor[] {
    return this.has(key) ? this.at(key).items() : [];
  }

  /** The entries of a map, whose keys the author chooses. */
  entries(): (readonly [string, Cursor])[] {
    if (this.value === undefined || !this.#isShaped(isRecord(this.value), 'An object is expected here.')) return [];
    return Object.keys(this.record).map((key) => [key, this.#step(key, this.record[key])] as const);
  }

  /** The members of an object without its extensions (`x-` members). */
  members(): (readonly [string, Cursor])[] {
    return this.entries().filter(([key]) => !key.startsWith('x-'));
  }

  items(): Cursor[] {
    if (!Array.isArray(this.value)) {
      this.#isShaped(false, 'A list is expected here.');
      return [];
    }
    return this.value.map((item, index) => this.#step(index, item));
  }

  string(key: string): string | undefined {
    const value = this.#own(key);
    // YAML reads an unquoted version such as 1.0 as a number; the author meant its text.
    if (typeof value === 'number') return String(value);
    return typeof value === 'string' ? value : this.#reportMismatch(key, value, 'a text');
  }

  boolean(key: string): boolean | undefined {
    const value = this.#own(key);
    return typeof value === 'boolean' ? value : this.#reportMismatch(key, value, 'true or false');
  }

  strings(key: string): string[] {
    const texts: string[] = [];
    for (const item of this.itemsAt(key)) {
      if (typeof item.value === 'string') texts.push(item.value);
      else item.report('document-shape', 'A string is expected here.');
    }
    return texts;
  }

  get extensions(): Extensions {
    let found: Record<`x-${string}`, unknown> | undefined;
    for (const key in this.record) {
      if (!isExtension(key)) continue;
      (found ??= {})[key] = this.record[key];
      this.context.extensionNames.add(key);
    }
    return found ?? NO_EXTENSIONS;
  }

  /** Follows Reference Objects to their target. Returns a cursor without a value if the target does not exist. */
  deref(): Cursor {
    let here: Cursor = this;
    for (let steps = 0; typeof here.record['$ref'] === 'string'; steps += 1) {
      const reference = here.record['$ref'];
      if (steps > MAX_REF_STEPS)
        return here.#lost('ref-circular', `The reference ${JSON.stringify(reference)} leads back to itself.`);
      const base = { file: here.file, resourcePointer: '' };
      const target = this.context.resolver.resolve(reference, base);
      if (target === undefined) {
        const { code, message } = this.context.resolver.explain(reference, base);
        return here.#lost(code, message);
      }
      if (this.context.resolver.isReadAsWritten(reference))
        here.at('$ref').report('ref-as-written', describeAsWritten(reference));
      here = new Cursor(this.context, { file: target.file, above: target.pointer }, target.value);
    }
    return here;
  }

  report(code: DiagnosticCode, message: string): void {
    this.context.problems.report(code, this, message);
  }

  /** Reports a member that is missing or not one of the allowed texts. */
  reportChoice(code: DiagnosticCode, key: string, allowed: readonly string[]): void {
    const value = this.#own(key);
    const instead =
      typeof value === 'string' ? `, not ${JSON.stringify(value)}.${suggestName(value, allowed, JSON.stringify)}` : '.';
    const choices = `${allowed.slice(0, -1).join(', ')} or ${allowed.at(-1)}`;
    const place = value === undefined ? this : this.at(key);
    place.report(code, `${JSON.stringify(key)} must be ${choices}${instead}`);
  }

  #step(step: string | number, value: unknown): Cursor {
    return new Cursor(this.context, { file: this.file, above: this, step }, value);
  }

  #own(key: string): unknown {
    return Object.hasOwn(this.record, key) ? this.record[key] : undefined;
  }

  #lost(code: DiagnosticCode, message: string): Cursor {
    this.at('$ref').report(code, message);
    return new Cursor(this.context, { file: this.file, above: this.pointer }, undefined);
  }

  #reportMismatch(key: string, value: unknown, expected: string): undefined {
    if (value !== undefined && value !== null) {
      const code = DESCRIPTIVE.has(key) ? 'document-invalid' : 'document-shape';
      this.at(key).report(code, `${JSON.stringify(key)} must be ${expected}.`);
    }
  }

  /** Reports a value that has not the expected shape. */
  #isShaped(isShaped: boolean, message: string): boolean {
    if (!isShaped && this.exists) this.report('document-shape', message);
    return isShaped;
  }
}

function isExtension(key: string): key is `x-${string}` {
  return key.startsWith('x-');
}
