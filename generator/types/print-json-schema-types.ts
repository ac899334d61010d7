import type { JSONSchema } from 'json-schema-to-typescript';

import { getOrInsert } from '../../model/maps.js';
import type { Api } from '../../model/api.js';
import { toPropertyKey } from '../../model/identifiers.js';
import { refName, type Schema, type SchemaObject } from '../../model/schema-types.js';
import { printSchemaComment } from './doc-comment.js';
import { printLiteralType } from './print-literal-type.js';
import { leadsToItself } from './print-schemas.js';
import { layOut } from './type-text.js';

/**
 * Prints the types of the schemas of a bare JSON Schema document, with json-schema-to-typescript.
 *
 * It receives only the structure of the schemas, none of their texts: names, keys, values and comments go in as tokens,
 * which our own printers replace afterwards. So nothing in a document can act as an instruction to it (`tsType`,
 * `tsEnumNames`, a `$ref` in a default), and nothing can break out of its output.
 */
export async function printJsonSchemaTypes(api: Api, names: ReadonlySet<string>): Promise<string> {
  const { compile } = await import('json-schema-to-typescript');
  const rootName = api.rootSchema ?? '';
  const tokens = new Tokens(rootName);
  const named = (name: string): JSONSchema => {
    const schema = leadsToItself(name, api) ? true : (api.schemas.get(name)?.schema ?? true);
    return { ...plainSchema(schema, tokens), title: tokens.ofName(name) };
  };
  const others = [...names].filter((name) => name !== rootName);
  // The root is not one of the definitions: a reference to it from there would give it a second declaration.
  const root: JSONSchema = {
    ...named(rootName),
    definitions: Object.fromEntries(others.map((name) => [tokens.ofName(name), named(name)])),
  };
  const text = await compile(root, tokens.ofName(rootName), {
    bannerComment: '',
    format: false,
    additionalProperties: false,
    unreachableDefinitions: true,
    ignoreMinAndMaxItems: true,
    declareExternallyReferenced: true,
    $refOptions: { resolve: { external: false, file: false, http: false } },
  });
  return tokens.replaceIn(tidyDeclarations(text));
}

/** Tokens for the texts of a document: identifiers that json-schema-to-typescript leaves unchanged. */
class Tokens {
  readonly #root: string;
  readonly #names = new Map<string, string>();
  readonly #texts: ((indent: string) => string)[] = [];

  constructor(root: string) {
    this.#root = root;
  }

  /** The address of a named schema in the input of json-schema-to-typescript. */
  addressOf(name: string): string {
    return name === this.#root ? '#' : `#/definitions/${this.ofName(name)}`;
  }

  ofName(name: string): string {
    return getOrInsert(this.#names, name, () => `Specmill${this.#names.size}Name`);
  }

  /** A token for a text that depends on its depth. */
  ofText(kind: 'Key' | 'Value' | 'Doc', print: (indent: string) => string): string {
    this.#texts.push(print);
    return `specmill${this.#texts.length - 1}${kind}`;
  }

  /** Lays out lines while keys and comments are still tokens, so that their contents cannot be mistaken for a type. */
  replaceIn(text: string): string {
    const names = new Map([...this.#names].map(([name, token]) => [token, name]));
    return text
      .replaceAll(/\bSpecmill\d+Name\b/g, (token) => names.get(token) ?? token)
      .replaceAll(/"specmill(\d+)Value"/g, (_match, index: string) => this.#print(index, ''))
      .replaceAll(/^( *)(export type \S+ =|specmill\d+Key\??:) (.*);$/gm, layOutLine)
      .replaceAll(/\bspecmill(\d+)Key\b/g, (_match, index: string) => this.#print(index, ''))
      .replaceAll(/^( *)specmill(\d+)Doc\n/gm, (_match, indent: string, index: string) => this.#print(index, indent));
  }

  #print(index: string, indent: string): string {
    return this.#texts[Number(index)]?.(indent) ?? '';
  }
}

function layOutLine(_line: string, indent: string, ...[start = '', type = '']: string[]): string {
  const laidOut = layOut(type, indent, start.length + 2);
  return `${indent}${start}${laidOut.startsWith('\n') ? '' : ' '}${laidOut};`;
}

/**
 * The structure of a schema as json-schema-to-typescript reads it, without conditions, which it would print as
 * `unknown`.
 */
function plainSchema(schema: Schema, tokens: Tokens): JSONSchema {
  if (typeof schema === 'boolean') return schema ? {} : { not: {} };
  const doc =
    printSchemaComment(schema, '') === ''
      ? undefined
      : tokens.ofText('Doc', (indent) => printSchemaComment(schema, indent));
  const description = doc === undefined ? {} : { description: doc };
  const values = schema.const === undefined ? schema.enum : [schema.const];
  if (values !== undefined)
    return { ...description, enum: values.map((value) => tokens.ofText('Value', () => printLiteralType(value))) };
  if (schema.$ref === undefined) return { ...description, ...plainKeywords(schema, tokens) };
  const target = { $ref: tokens.addressOf(refName(schema.$ref)) };
  const rest = plainKeywords(schema, tokens);
  // A reference with siblings would be copied under another name; inside `allOf` it is not.
  return { ...description, allOf: isEmpty(rest) ? [target] : [target, rest] };
}

function plainKeywords(schema: SchemaObject, tokens: Tokens): JSONSchema {
  const list = (schemas: readonly Schema[]): JSONSchema[] => schemas.map((child) => plainSchema(child, tokens));
  const { properties, patternProperties, additionalProperties, items, prefixItems } = schema;
  const own: JSONSchema = {
    ...(schema.type === undefined ? {} : { type: typeof schema.type === 'string' ? schema.type : [...schema.type] }),
    ...(schema.anyOf === undefined ? {} : { anyOf: list(schema.anyOf) }),
    ...(schema.oneOf === undefined ? {} : { oneOf: list(schema.oneOf) }),
    ...(properties === undefined ? {} : plainProperties(properties, schema.required ?? [], tokens)),
    ...(patternProperties === undefined
      ? {}
      : { patternProperties: { '': { anyOf: list(Object.values(patternProperties)) } } }),
    ...(additionalProperties === undefined ? {} : { additionalProperties: openOrClosed(additionalProperties, tokens) }),
    ...(prefixItems === undefined
      ? {}
      : { items: list(prefixItems), additionalItems: openOrClosed(items ?? true, tokens) }),
    ...(items === undefined || prefixItems !== undefined ? {} : { items: plainSchema(items, tokens) }),
  };
  // Beside other keywords, it cannot read an `allOf` whose parts lead back to the schema.
  return schema.allOf === undefined ? own : { allOf: [...list(schema.allOf), ...(isEmpty(own) ? [] : [own])] };
}

function isEmpty(schema: JSONSchema): boolean {
  return Object.keys(schema).length === 0;
}

function plainProperties(
  properties: Readonly<Record<string, Schema>>,
  required: readonly string[],
  tokens: Tokens,
): JSONSchema {
  const keys = new Map(Object.keys(properties).map((name) => [name, tokens.ofText('Key', () => toPropertyKey(name))]));
  const entries = Object.entries(properties).map(
    ([name, child]) => [keys.get(name), plainSchema(child, tokens)] as const,
  );
  return { properties: Object.fromEntries(entries), required: required.flatMap((name) => keys.get(name) ?? []) };
}

function openOrClosed(schema: Schema, tokens: Tokens): boolean | JSONSchema {
  return typeof schema === 'boolean' ? schema : plainSchema(schema, tokens);
}

/**
 * Formats the declarations of json-schema-to-typescript like all others: indented by depth, with semicolons, without
 * brackets around whole types, and without its notes. The text contains tokens for everything from a document, so every
 * brace is syntax.
 */
function tidyDeclarations(text: string): string {
  const open: ('interface' | 'type')[] = [];
  const lines: string[] = [];
  for (const line of joinComments(text).split('\n')) {
    const code = line.trim();
    if (code === '') continue;
    const closed = code.startsWith('}') ? open.pop() : undefined;
    const isDeclaration = open.length === 0 && closed === undefined;
    if (isDeclaration && lines.length > 0 && !isComment(lines.at(-1) ?? '')) lines.push('');
    lines.push('  '.repeat(open.length) + endLine(unwrapType(code), closed));
    if (code.endsWith('{')) open.push(code.startsWith('export interface') ? 'interface' : 'type');
  }
  return `${lines.join('\n')}\n`;
}

/** Replaces each comment with its token, on its own line; one without a token is a note about references. */
function joinComments(text: string): string {
  return text.replaceAll(
    /^[ ]*\/\*\*\n([^]*?)(?:\*\/$|(?![^]))/gm,
    (_match, body: string) => /\bspecmill\d+Doc\b/.exec(body)?.[0] ?? '',
  );
}

function isComment(line: string): boolean {
  return /^ *specmill\d+Doc$/.test(line);
}

function endLine(code: string, closed: 'interface' | 'type' | undefined): string {
  return isComment(code) || code.endsWith('{') || (closed === 'interface' && code === '}') ? code : `${code};`;
}

/** `name?: (A | B)` -> `name?: A | B`. */
function unwrapType(code: string): string {
  const [, start, type] = /^((?:export type \S+ =|\[k: string\]:|\S+:) )\((.*)\)$/.exec(code) ?? [];
  const plain = start === undefined || type === undefined || !isBalanced(type) ? code : `${start}${type}`;
  return plain.replaceAll('[k: string]', '[key: string]');
}

/** Whether every closing bracket in a text was opened in it. */
function isBalanced(text: string): boolean {
  let depth = 0;
  for (const char of text) {
    if (char === '(') depth += 1;
    else if (char === ')') depth -= 1;
    if (depth < 0) return false;
  }
  return depth === 0;
}
