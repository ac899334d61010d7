import type { Parameter } from '../../model/api.js';
import { resolvePointer } from '../../model/document/pointer.js';
import type { Exchange } from '../types.js';
import type { Assertion, IdValue, ListPlace, Value } from './assertion.js';
import { sentAt } from './evaluate-assertion.js';
import { literal, memberPath, toCode } from './js-literals.js';
import type { Reproduction } from './reproduction.js';
import { type Part, splitMarks, withMarks } from './request-template.js';
import type { Names } from './variable-names.js';

/** Writes an assertion as `expect` calls of a test. */
export class AssertionWriter {
  readonly #reproduction: Reproduction;
  readonly #names: Names;

  constructor(reproduction: Reproduction, names: Names) {
    this.#reproduction = reproduction;
    this.#names = names;
  }

  /** @returns lines of a test whose responses have been declared. */
  write(assertion: Assertion): string[] {
    const names = this.#names;
    switch (assertion.expects) {
      case 'response':
        return [];
      case 'status':
        return [`expect(${names.response(assertion.exchange)}.status)${statusMatcher(assertion.status)};`];
      case 'header': {
        const value = `expect(${names.response(assertion.exchange)}.headers.get(${literal(assertion.name)}))`;
        return [
          `${value}${assertion.pattern === undefined ? '.not.toBeNull()' : `.toMatch(new RegExp(${literal(assertion.pattern)}))`};`,
        ];
      }
      case 'no next link':
        return [
          `expect(${names.response(assertion.exchange)}.headers.get('link') ?? '').not.toMatch(/rel="?next\\b/);`,
        ];
      case 'text':
        return [`expect(await ${names.response(assertion.exchange)}.text()).toContain(${literal(assertion.text)});`];
      case 'same':
      case 'other':
        return this.#compare(assertion);
      case 'listed':
      case 'not listed': {
        const declared = [...this.#declare(assertion.list.pages), ...this.#declareId(assertion.id)];
        const ids = `${this.#items(assertion.list)}.map((item) => ${lastOf(idCode(assertion.list, '?'))})`;
        const id = lastOf(this.#id(assertion.id));
        return [...declared, `expect(${ids})${assertion.expects === 'listed' ? '' : '.not'}.toContain(${id});`];
      }
      case 'that':
        return [
          ...this.#declare(assertion.exchanges),
          `expect(${assertion.code(
            assertion.exchanges.map((exchange) => names.body(exchange)),
            (exchange, parameter) => this.#taken(exchange, parameter),
          )}).toBe(true);`,
        ];
      case 'page size':
        return [
          ...this.#declare(assertion.list.pages),
          ...assertion.list.pages.map(
            (page) => `expect(${this.#itemsOf(page, assertion.list)}.length).toBeLessThanOrEqual(${assertion.most});`,
          ),
        ];
      case 'each once':
        return [
          ...this.#declare(assertion.list.pages),
          `const ids = ${this.#ids(assertion.list)};`,
          'expect(ids).toEqual([...new Set(ids)]);',
        ];
      default: {
        const last = assertion.list.pages.at(-1) ?? assertion.whole;
        const next = assertion.nextAt === undefined ? undefined : memberPath(assertion.nextAt, '?');
        const isEnd =
          next === undefined
            ? `${this.#itemsOf(last, assertion.list)}.length < ${assertion.size}`
            : `!${this.#names.body(last)}${next}`;
        return [
          ...this.#declare([assertion.whole, ...assertion.list.pages]),
          `const ids = ${this.#ids(assertion.list)};`,
          `const all = ${this.#ids({ ...assertion.list, pages: [assertion.whole] })};`,
          `expect(ids.sort()).toEqual(all.slice(0, ${isEnd} ? all.length : ids.length).sort());`,
        ];
      }
    }
  }

  #compare({ expects, left, right }: Assertion & { readonly expects: 'same' | 'other' }): string[] {
    const wanted = right.from === 'request' ? sentAt(right, this.#reproduction.steps) : undefined;
    const lines = [...this.#declareValue(left), ...this.#declareValue(right)];
    const shown = this.#value(left);
    if (expects === 'other') return [...lines, `expect(${shown}).not.toEqual(${this.#value(right)});`];
    if (Array.isArray(wanted) && wanted.some((item) => typeof item === 'object' && item !== null))
      return [...lines, `expect(${shown}).toHaveLength(${wanted.length});`];
    if (typeof wanted === 'object' && wanted !== null && !Array.isArray(wanted))
      return [...lines, `expect(${shown}).toBeTypeOf('object');`];
    // A time may be written in more than one way.
    if (typeof wanted === 'string' && isMoment(wanted))
      return [...lines, `expect(Date.parse(${shown})).toBe(Date.parse(${literal(wanted)}));`];
    // A null member may be left out.
    if (wanted === null) return [...lines, `expect(${shown} ?? null).toBeNull();`];
    return [...lines, `expect(${shown}).toEqual(${this.#value(right)});`];
  }

  #value(value: Value): string {
    switch (value.from) {
      case 'response':
        return `${this.#names.body(value.exchange)}${memberPath(value.pointer, '?')}`;
      case 'header':
        return `${this.#names.response(value.exchange)}.headers.get(${literal(value.name)})`;
      case 'text':
        return `await ${this.#names.response(value.exchange)}.text()`;
      case 'literal':
        return toCode(JSON.stringify(value.value) ?? 'undefined');
      case 'request':
        return this.#sent(value);
      case 'id':
        return this.#id(value.id);
      default: {
        const item = `${this.#items(value.list)}.find((item) => ${lastOf(idCode(value.list, '?'))} === ${lastOf(this.#id(value.id))})`;
        return `${item}${memberPath(value.pointer, '?')}`;
      }
    }
  }

  /** The code for a value in the body of a request, with the variables in it. */
  #sent({ exchange, pointer }: Value & { readonly from: 'request' }): string {
    const step = this.#reproduction.steps.find(({ key }) => key === exchange);
    if (step === undefined) return 'undefined';
    const known = step.fills.filter(({ from, source }) => this.#names.id(from, source) !== undefined);
    const json = JSON.stringify(resolvePointer(withMarks(step.sent.call, known).body?.value, pointer)) ?? 'undefined';
    return splitMarks(json, known, 'json')
      .map((part) => (part.kind === 'fill' ? this.#names.id(part.fill.from, part.fill.source) : partText(part)))
      .join('');
  }

  #taken(exchange: Exchange, parameter: Parameter): string | undefined {
    const step = this.#reproduction.steps.find(({ key }) => key === exchange);
    const fill = step?.fills.find(({ place }) => place.in === 'parameter' && place.parameter === parameter);
    return fill === undefined ? undefined : this.#names.id(fill.from, fill.source);
  }

  #declareValue(value: Value): string[] {
    if (value.from === 'response') return this.#declare([value.exchange]);
    if (value.from === 'id') return this.#declareId(value.id);
    return value.from === 'item' ? [...this.#declare(value.list.pages), ...this.#declareId(value.id)] : [];
  }

  #declare(keys: readonly Exchange[]): string[] {
    return keys.flatMap((key) => this.#names.declareBody(key));
  }

  #declareId({ exchange, source }: IdValue): string[] {
    if (source === undefined || this.#names.id(exchange, source) !== undefined) return [];
    return this.#names.declareUsed(exchange, [source]);
  }

  #id({ value, exchange, source }: IdValue): string {
    return (source === undefined ? undefined : this.#names.id(exchange, source)) ?? toCode(JSON.stringify(value));
  }

  #items(list: ListPlace): string {
    // A list of `any`: the parameters of callbacks have a type, which those of methods of `any` have not.
    return `[${list.pages.map((page) => `...${this.#itemsOf(page, list)}`).join(', ')}]`;
  }

  #itemsOf(page: Exchange, { itemsAt }: ListPlace): string {
    // An empty list may be left out.
    return itemsAt === '' ? this.#names.body(page) : `(${this.#names.body(page)}${memberPath(itemsAt)} ?? [])`;
  }

  #ids(list: ListPlace): string {
    const id = list.idAt === undefined ? 'JSON.stringify(item)' : idCode(list, '?');
    return `${this.#items(list)}.map((item) => ${id})`;
  }
}

function partText(part: Part): string {
  return part.kind === 'text' ? toCode(part.text) : '';
}

function idCode({ idAt }: ListPlace, step: '' | '?'): string {
  return idAt === undefined ? 'item' : `item${memberPath(idAt, step)}`;
}

/** Last segment of a resource name (`files/abc` -> `abc`). */
function lastOf(code: string): string {
  return `String(${code}).split('/').at(-1)`;
}

function statusMatcher(status: 'good' | 'refused' | number): string {
  if (status === 'good') return '.toBeLessThan(300)';
  return status === 'refused' ? '.toBeGreaterThanOrEqual(400)' : `.toBe(${status})`;
}

function isMoment(text: string): boolean {
  return /^\d{4}-\d\d-\d\dT/i.test(text) && !Number.isNaN(Date.parse(text));
}
