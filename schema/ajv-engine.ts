import type { CodeKeywordDefinition, CodeOptions } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { SchemaEnv, compileSchema } from 'ajv/dist/compile/index.js';
import type { AnyValidateFunction } from 'ajv/dist/types/index.js';

import { OWN_KEYWORDS } from './ajv-keywords.js';
import { CONDITION_KEYWORDS } from './condition-keywords.js';
import { compilePattern } from './patterns.js';
import type { PreparedSchema } from './to-ajv.js';
import { UNEVALUATED_KEYWORDS, accountForBranches } from './unevaluated-keywords.js';

export interface EngineOptions {
  /** Further keywords, `$ref` among them. */
  readonly keywords: readonly CodeKeywordDefinition[];
  /** Whether the source is what is wanted, without messages; else functions. */
  readonly source: boolean;
}

/**
 * The ajv instances that compile prepared schemas. There are up to four, each made when it is first needed, since
 * keeping account of evaluated members and asking for own ones are options of an instance and make its code longer.
 */
export class AjvEngine {
  readonly #instances = new Map<string, Ajv2020>();
  readonly #options: EngineOptions;

  constructor(options: EngineOptions) {
    this.#options = options;
  }

  /** Compiles a schema. A boolean is wrapped, because ajv writes a whole other function for it. */
  compile({ schema, tracks, ownProperties }: PreparedSchema): AnyValidateFunction {
    const ajv = this.#instance(tracks, ownProperties);
    const wrapped = typeof schema === 'boolean' ? { allOf: [schema] } : schema;
    // Its `compile` would look for ids and anchors everywhere, of which a prepared schema has none, and would keep every
    // schema and its code; ours know what is still needed.
    const { validate } = compileSchema.call(ajv, new SchemaEnv({ schema: wrapped, schemaId: '$id', localRefs: {} }));
    if (validate === undefined) throw new Error('Ajv made no function.');
    return validate;
  }

  #instance(tracks: boolean, ownProperties: boolean): Ajv2020 {
    const key = `${tracks} ${ownProperties}`;
    const known = this.#instances.get(key);
    if (known !== undefined) return known;
    const ajv = createInstance(this.#options, ownProperties);
    // Not an option of this dialect, where it is always on.
    ajv.opts.unevaluated = tracks;
    if (tracks) accountForBranches(ajv);
    addKeywords(ajv, UNEVALUATED_KEYWORDS);
    this.#instances.set(key, ajv);
    return ajv;
  }
}

function createInstance({ keywords, source }: EngineOptions, ownProperties: boolean): Ajv2020 {
  const ajv = new Ajv2020({
    strict: false,
    strictNumbers: true,
    allErrors: true,
    validateSchema: false,
    validateFormats: false,
    logger: false,
    addUsedSchema: false,
    messages: !source,
    // A loop is a tenth of the code, but it needs the schema at hand, which source has not.
    loopRequired: source ? Number.POSITIVE_INFINITY : 2,
    ownProperties,
    // Ajv's optimiser takes a quarter of the time that compiling takes, and the code runs no faster for it.
    code: { regExp: createRegExp, optimize: false, ...(source ? SOURCE_ONLY : {}) },
  });
  addKeywords(ajv, [...orderKeywords(keywords), ...CONDITION_KEYWORDS]);
  return ajv;
}

function addKeywords(ajv: Ajv2020, definitions: readonly CodeKeywordDefinition[]): void {
  for (const definition of definitions) {
    for (const keyword of [definition.keyword].flat()) ajv.removeKeyword(keyword);
    ajv.addKeyword(definition);
  }
}

/** Keywords that replace one of ours take its place, so that errors come in the same order. */
function orderKeywords(keywords: readonly CodeKeywordDefinition[]): CodeKeywordDefinition[] {
  const nameOf = ({ keyword }: CodeKeywordDefinition): string => [keyword].flat().join();
  const ours = new Set(OWN_KEYWORDS.map(nameOf));
  const placed = OWN_KEYWORDS.map((own) => keywords.find((keyword) => nameOf(keyword) === nameOf(own)) ?? own);
  return [...placed, ...keywords.filter((keyword) => !ours.has(nameOf(keyword)))];
}

/** The code is not run here, so no function is made of it. */
const SOURCE_ONLY: CodeOptions = { source: true, lines: true, process: () => 'return () => true' };

/** Patterns were checked before; one that is valid only without the `u` flag is compiled so. */
const createRegExp = Object.assign((pattern: string): RegExp => compilePattern(pattern)?.regexp ?? /(?:)/u, {
  code: 'new RegExp',
});
