import { expect, test } from 'vitest';

import type { Api, ApiResponse, Operation } from '../../../model/api.js';
import type { Schema, SchemaObject } from '../../../model/schema-types.js';
import { compileValidator } from '../../../schema/compile-validator.js';
import { applicableParts } from '../../../schema/facts/parts.js';
import type { Direction } from '../../../schema/variants.js';
import { loadSpec } from './load-spec.js';

/**
 * Whether a value is accepted where the rule applies: `Case` and `Case response` (a named schema, as it is sent and as it
 * is received), `createcase body`, `getcase 200` (bodies of an operation), `findcases query Take` (a parameter),
 * `getThread 200 header Last-Modified`. The value {@link ABSENT} leaves a parameter, header or body out.
 */
export type ValueRow = readonly [rule: string, target: string, value: unknown, accepted: boolean];

/** What a member of a named schema is marked as: `['…', 'Case.Status', { readOnly: true }]`. */
export type MemberRow = readonly [
  rule: string,
  member: string,
  marks: Pick<SchemaObject, 'readOnly' | 'writeOnly' | 'default' | 'deprecated'>,
];

/** An operation with the responses that its documentation names: `['GET', '/api/v2/getcase', ['200', '401']]`. */
export type EndpointRow = readonly [method: string, path: string, statuses: readonly string[]];

export const ABSENT: unique symbol = Symbol('absent');

export interface SeedRules {
  readonly endpoints?: readonly EndpointRow[];
  readonly members?: readonly MemberRow[];
  readonly values?: readonly ValueRow[];
}

/** Tests that a spec says what the document behind it says, row by row. */
export function testSeedRules(spec: string, { endpoints = [], members = [], values = [] }: SeedRules): void {
  test.each(endpoints)('%s %s', async (method, path, statuses) => {
    const api = await loadSpec(spec);
    const operation = api.operations.find((one) => one.path === path && one.method === method.toLowerCase());
    const documented = operation?.responses.map(({ status }) => status) ?? [];
    expect(documented).toEqual(expect.arrayContaining([...statuses]));
  });

  test.each(members.map((row) => [titleOfMember(row), row] as const))('%s', async (_title, [, member, marks]) => {
    expect(readMarks(await loadSpec(spec), member)).toMatchObject(marks);
  });

  test.each(values.map((row) => [titleOfValue(row), row] as const))(
    '%s',
    async (_title, [, target, value, accepted]) => {
      const errors = findErrors(await loadSpec(spec), target, value);
      expect({ accepted: errors.length === 0, errors }).toEqual({ accepted, errors });
    },
  );
}

function titleOfMember([rule, member]: MemberRow): string {
  return `${member}: ${rule}`;
}

function titleOfValue([rule, target, value, accepted]: ValueRow): string {
  const text = value === ABSENT ? 'nothing' : JSON.stringify(value);
  const short = text.length > 80 ? `${text.slice(0, 79)}…` : text;
  return `${rule}: ${target} ${accepted ? 'accepts' : 'refuses'} ${short}`.replaceAll('%', '%%');
}

function findErrors(api: Api, target: string, value: unknown): readonly unknown[] {
  const { schema, direction, required } = findTarget(api, target);
  if (value === ABSENT) return required ? ['It is required.'] : [];
  return compileValidator(api, schema, { direction })(value);
}

interface Target {
  readonly schema: Schema;
  readonly direction: Direction;
  readonly required: boolean;
}

function findTarget(api: Api, target: string): Target {
  const [name = '', part, ...rest] = target.split(' ');
  const operation = api.operations.find(({ id }) => id === name);
  const found = operation === undefined ? findNamed(api, name, part) : findPart(operation, part, rest);
  if (found === undefined) throw new Error(`The spec has no ${target}.`);
  return found;
}

function findNamed(api: Api, name: string, direction: string | undefined): Target | undefined {
  const schema = [...api.schemas.values()].find((entry) => entry.originalName === name || entry.name === name)?.schema;
  return schema === undefined
    ? undefined
    : { schema, direction: direction === 'response' ? 'response' : 'request', required: true };
}

function findPart(operation: Operation, part = '', rest: readonly string[]): Target | undefined {
  if (part === 'body') {
    const { content, required } = operation.body ?? { content: [], required: false };
    return content[0] && { schema: content[0].schema ?? true, direction: 'request', required };
  }
  const response = operation.responses.find(({ status }) => status === part);
  if (response !== undefined) return findInResponse(response, rest);
  const parameter = operation.parameters.find((one) => one.in === part && one.name === rest.join(' '));
  return parameter && { schema: parameter.schema, direction: 'request', required: parameter.required };
}

function findInResponse({ headers, content }: ApiResponse, [, name]: readonly string[]): Target | undefined {
  const found =
    name === undefined ? content[0] : headers.find((header) => header.name.toLowerCase() === name.toLowerCase());
  return (
    found && { schema: found.schema ?? true, direction: 'response', required: 'required' in found && found.required }
  );
}

/** The marks of a member, its own and those of the schemas that it refers to. */
function readMarks(api: Api, member: string): SchemaObject {
  const [name = '', ...steps] = member.split('.');
  const start = findNamed(api, name, undefined)?.schema;
  const parts = steps.reduce<readonly SchemaObject[]>(
    (owners, step) => owners.flatMap((owner) => memberParts(api, owner, step)),
    start === undefined ? [] : applicableParts(start, api),
  );
  if (parts.length === 0) throw new Error(`The spec has no member ${member}.`);
  return Object.assign({}, ...parts.toReversed()) as SchemaObject;
}

function memberParts(api: Api, owner: SchemaObject, step: string): SchemaObject[] {
  const schema = step === '[]' ? owner.items : owner.properties?.[step];
  return schema === undefined ? [] : applicableParts(schema, api);
}

/** Rows that say that a named schema has members of these names, separated by spaces. */
export function named(schema: string, members: string): MemberRow[] {
  return words(members).map((member) => ['named', `${schema}.${member}`, {}]);
}

/** Rows that say which values a place takes, and some that it does not. */
export function choices(
  rule: string,
  target: string,
  accepted: readonly unknown[],
  refused: readonly unknown[] = [],
): ValueRow[] {
  return [
    ...accepted.map((value): ValueRow => [rule, target, value, true]),
    ...refused.map((value): ValueRow => [rule, target, value, false]),
  ];
}

/** The words of a text. */
export function words(text: string): string[] {
  return text.trim().split(/\s+/);
}
