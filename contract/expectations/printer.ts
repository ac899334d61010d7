import { toJsonLiteral, toLiteral } from '../../model/identifiers.js';
import type { Parameter } from '../../model/api.js';
import { resolvePointer } from '../../model/document/pointer.js';
import { memberPath } from '../reproduction/member-path.js';
import type { Fill, Reproduction, Step } from '../reproduction/reproduction.js';
import { splitMarks, withMarks } from '../reproduction/request-template.js';
import type { Names } from '../reproduction/variable-names.js';
import { stringifyExactJson } from '../../runtime/json-integers.js';
import type { Exchange, SpecSource } from '../types.js';
import type { Evidence, IdValue, ListPlace } from './assertion.js';

/**
 * Prints the values of assertions as code of a test, with variables for what it reads from responses. Code that uses a
 * variable declares it: the declarations stand before the code.
 */
export class Printer {
  readonly names: Names;
  readonly evidence: Evidence;
  /** The spec that the test checks with. */
  readonly source: SpecSource;
  /** Lines that declare what the code printed so far uses. */
  readonly declarations: string[] = [];
  readonly #steps: readonly Step[];

  constructor({ steps }: Pick<Reproduction, 'steps'>, names: Names, source: SpecSource) {
    this.names = names;
    this.source = source;
    this.#steps = steps;
    this.evidence = evidenceOf(steps);
  }

  /** The variable of the body of a response. */
  body(exchange: Exchange): string {
    this.declarations.push(...this.names.declareBody(exchange));
    return this.names.body(exchange);
  }

  id({ value, exchange, source }: IdValue): string {
    if (source === undefined) return toLiteral(value);
    this.declarations.push(...this.names.declareUsed(exchange, [source]));
    return this.names.id(exchange, source) ?? toLiteral(value);
  }

  /** The value at a pointer in the body of a request, with the variables in it. */
  sent(exchange: Exchange, pointer: string): string {
    const step = this.#steps.find(({ key }) => key === exchange);
    if (step === undefined) return 'undefined';
    const known = step.fills.filter((fill) => this.#variable(fill) !== undefined);
    const value = resolvePointer(withMarks(step.sent.call, known).body?.value, pointer);
    if (value === undefined) return 'undefined';
    return splitMarks(stringifyExactJson(value), known, 'json')
      .map((part) => {
        if (part.kind === 'fill') return this.#variable(part.fill);
        return part.kind === 'text' ? toJsonLiteral(part.text) : '';
      })
      .join('');
  }

  /** The variable of the value that a request takes from an earlier response for a parameter. */
  taken(exchange: Exchange, parameter: Parameter): string | undefined {
    const step = this.#steps.find(({ key }) => key === exchange);
    const fill = step?.fills.find(({ place }) => place.in === 'parameter' && place.parameter === parameter);
    return fill === undefined ? undefined : this.#variable(fill);
  }

  /** A list of `any`: the parameters of callbacks have a type, which those of methods of `any` have not. */
  items(list: ListPlace): string {
    return `[${list.pages.map((page) => `...${this.itemsOf(page, list)}`).join(', ')}]`;
  }

  itemsOf(page: Exchange, { itemsAt }: ListPlace): string {
    // An empty list may be left out.
    const body = this.body(page);
    return itemsAt === '' ? body : `(${body}${memberPath(itemsAt)} ?? [])`;
  }

  #variable({ from, source }: Fill): string | undefined {
    return this.names.id(from, source);
  }
}

/** The requests and responses of a reproduction, as last repeated. */
export function evidenceOf(steps: readonly Step[]): Evidence {
  const find = (key: Exchange): Step | undefined => steps.find((step) => step.key === key);
  return { responseTo: (key) => find(key)?.exchange ?? key, callOf: (key) => find(key)?.sent.call };
}
