import { toLiteral } from '../../model/identifiers.js';
import { getOrInsert } from '../../model/maps.js';
import { linkCode } from '../expectations/next-link.js';
import type { Exchange } from '../types.js';
import { memberPath } from './member-path.js';
import type { Reproduction } from './reproduction.js';
import { type Source, nameOfSource } from './capture.js';

/** The variable names of a test. */
export class Names {
  readonly #reproduction: Reproduction;
  /** Variables for values, by step and place. */
  readonly #ids = new Map<Exchange, Map<string, string>>();
  #count = 0;
  /** Steps whose bodies are declared. */
  readonly #bodies = new Set<Exchange>();
  /** Steps whose responses the test reads. */
  readonly #read = new Set<Exchange>();

  constructor(reproduction: Reproduction) {
    this.#reproduction = reproduction;
  }

  response(key: Exchange): string {
    this.#read.add(key);
    return this.#responseName(key);
  }

  /** The start of a request's statement: a variable that is not read is an error under strict compilers. */
  declareResponse(key: Exchange): string {
    return this.#read.has(key) ? `const ${this.#responseName(key)} = await` : 'await';
  }

  /** The same for requests that are sent at the same time. */
  declareResponses(keys: readonly Exchange[]): string {
    const names = keys.map((key) => (this.#read.has(key) ? this.#responseName(key) : ''));
    return names.every((name) => name === '') ? 'await' : `const [${names.join(', ')}] = await`;
  }

  /** The variable of a value from a response, if it was declared. */
  id(key: Exchange, source: Source): string | undefined {
    return this.#ids.get(key)?.get(nameOfSource(source));
  }

  /** Lines that read the JSON of a response; empty if it was read before. */
  declareBody(key: Exchange): string[] {
    if (this.#bodies.has(key)) return [];
    this.#bodies.add(key);
    return [`const ${this.body(key)} = ${bodyCode(this.response(key))};`];
  }

  body(key: Exchange): string {
    return `body${this.#number(key)}`;
  }

  /** Lines that read the values that later requests need from a response. */
  declareUsed(key: Exchange, sources: readonly Source[]): string[] {
    const known = getOrInsert(this.#ids, key, () => new Map<string, string>());
    return sources.flatMap((source) => {
      if (known.has(nameOfSource(source))) return [];
      const name = `id${(this.#count += 1)}`;
      known.set(nameOfSource(source), name);
      const lines = source.in === 'header' ? [] : this.declareBody(key);
      return [...lines, `const ${name} = ${absoluteCode(this.#shown(key, source), source)};`];
    });
  }

  #shown(key: Exchange, source: Source): string {
    if (source.in === 'header') return headerCode(this.response(key), source);
    const value = `${this.body(key)}${memberPath(source.pointer)}`;
    if (source.in === 'count') return `${value}.length`;
    return source.isLast ? `${value}.split('/').at(-1)` : value;
  }

  #responseName(key: Exchange): string {
    return this.#reproduction.steps.length === 1 ? 'response' : `response${this.#number(key)}`;
  }

  /** Counts from 1. */
  #number(key: Exchange): number {
    return this.#reproduction.steps.findIndex((step) => step.key === key) + 1;
  }
}

/** The JSON of a response, as `any`: what `json()` returns is `unknown` where only the types of Node are known. */
export function bodyCode(response: string): string {
  return `JSON.parse(await ${response}.text())`;
}

/** An expression for the absolute URL that a response shows. */
export function absoluteCode(shown: string, { base }: Source): string {
  return base === undefined ? shown : `new URL(${shown}, ${toLiteral(base)}).href`;
}

function headerCode(response: string, source: Source & { readonly in: 'header' }): string {
  return segmentCode(`(${response}.headers.get(${toLiteral(source.name)}) ?? '')`, source);
}

/** An expression for the segment of an address that a header has, or for a link in it; else for the header. */
export function segmentCode(header: string, { fromEnd, relation }: Source & { readonly in: 'header' }): string {
  if (relation !== undefined) return `(${linkCode(relation, header)} ?? '')`;
  if (fromEnd === undefined) return header;
  return `decodeURIComponent(${header}.split(/[?#]/)[0]?.split('/').at(-${fromEnd}) ?? '')`;
}
