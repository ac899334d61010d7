import type { DiagnosticCode } from '../diagnostics/codes.js';
import type { DiagnosticCollector } from '../diagnostics/create-diagnostic.js';
import type { Extensions } from '../api.js';
import type { SourceLocation } from '../diagnostics/diagnostic.js';
import type { RefResolver } from '../normalise/ref-resolver.js';
import { appendPointer } from './pointer.js';
import { type RawRecord, isRecord } from './records.js';

/** What every cursor of one document set shares. */
export interface CursorContext {
  readonly resolver: RefResolver;
  readonly problems: DiagnosticCollector;
}

/**
 * A place in a raw document with its value. Reads members by their expected type, follows Reference Objects, and says
 * in a diagnostic where a document does not have the shape that it should.
 */
export class Cursor {
  readonly context: CursorContext;
  readonly file: string;
  readonly pointer: string;
  readonly value: unknown;

  constructor(context: CursorContext, location: SourceLocation, value: unknown) {
    this.context = context;
    this.file = location.file;
    this.pointer = location.pointer;
    this.value = value;
  }

  get source(): SourceLocation {
    return { file: this.file, pointer: this.pointer };
  }

  get record(): RawRecord {
    return isRecord(this.value) ? this.value : {};
  }

  get exists(): boolean {
    return this.value !== undefined && this.value !== null;
  }

  /** The cursor of a member; it exists even where the member does not. */
  at(key: string): Cursor {
    const value = Object.hasOwn(this.record, key) ? this.record[key] : undefined;
    return new Cursor(this.context, { file: this.file, pointer: appendPointer(this.pointer, key) }, value);
  }

  /** The members of an object, each with a cursor; `x-` members left out. */
  members(): (readonly [string, Cursor])[] {
    if (this.exists && !isRecord(this.value)) this.report('document-shape', 'An object is expected here.');
    return Object.keys(this.record)
      .filter((key) => !key.startsWith('x-'))
      .map((key) => [key, this.at(key)] as const);
  }

  /** The items of a list. */
  items(): Cursor[] {
    if (!Array.isArray(this.value)) {
      if (this.exists) this.report('document-shape', 'A list is expected here.');
      return [];
    }
    return this.value.map(
      (item, index) => new Cursor(this.context, { file: this.file, pointer: appendPointer(this.pointer, index) }, item),
    );
  }

  string(key: string): string | undefined {
    return this.#typed(key, 'string', 'a text');
  }

  boolean(key: string): boolean | undefined {
    return this.#typed(key, 'boolean', 'true or false');
  }

  strings(key: string): string[] {
    return this.at(key)
      .items()
      .map((item) => item.value)
      .filter((item) => typeof item === 'string');
  }

  /** `x-` members. */
  get extensions(): Extensions {
    const entries = Object.entries(this.record).filter(([key]) => key.startsWith('x-'));
    return Object.fromEntries(entries);
  }

  /** Follows Reference Objects to what they mean. One that leads nowhere gives a cursor without a value. */
  deref(): Cursor {
    let here: Cursor = this;
    for (let steps = 0; typeof here.record['$ref'] === 'string'; steps += 1) {
      const reference = here.record['$ref'];
      const target =
        steps > 50 ? undefined : this.context.resolver.resolve(reference, { file: here.file, resourcePointer: '' });
      if (target === undefined) {
        if (steps > 50) here.report('ref-circular', `The reference ${JSON.stringify(reference)} leads back to itself.`);
        else here.report('ref-unresolved', `The reference ${JSON.stringify(reference)} leads nowhere.`);
        return new Cursor(this.context, here.source, undefined);
      }
      here = new Cursor(this.context, target, target.value);
    }
    return here;
  }

  report(code: DiagnosticCode, message: string): void {
    this.context.problems.report(code, this.source, message);
  }

  #typed(key: string, type: 'string', expected: string): string | undefined;
  #typed(key: string, type: 'boolean', expected: string): boolean | undefined;
  #typed(key: string, type: 'string' | 'boolean', expected: string): unknown {
    const value = this.record[key];
    if (value === undefined || value === null) return undefined;
    // YAML reads an unquoted version such as 1.0 as a number; its text is what was meant.
    if (type === 'string' && typeof value === 'number') return String(value);
    if (typeof value === type) return value;
    this.at(key).report('document-shape', `${JSON.stringify(key)} must be ${expected}.`);
    return undefined;
  }
}
