import type { SourceCode } from 'ajv/dist/types/index.js';

import { toLiteral } from '../../model/identifiers.js';
import { AjvEngine } from '../../schema/ajv-engine.js';
import type { AjvSchema } from '../../schema/ajv-schema.js';
import type { PreparedSchema, PreparedUnit } from '../../schema/to-ajv.js';
import { findDuplicate, isBytes, isEqual, isMultipleOf } from '../../schema/values.js';
import type { FileScope } from './file-scope.js';
import { isSharedName } from './share-units.js';
import { SHORT_KEYWORDS } from './short-keywords.js';
import { type MaskedCode, shortenCode, unmaskLiterals } from './shorten-code.js';

/** The functions of `runtime/checks.ts` that stand for those of `schema/values.ts`. */
const HELPERS: ReadonlyMap<unknown, string> = new Map<unknown, string>([
  [findDuplicate, 'rt.findDuplicate'],
  [isBytes, 'rt.isBytes'],
  [isEqual, 'rt.isEqual'],
  [isMultipleOf, 'rt.isMultipleOf'],
]);

/** The functions of `runtime/formats.ts`, by format and type of the value. */
const FORMAT_NAMES: Readonly<Record<string, string>> = {
  'date-time:string': 'dateTime',
  'date-time-local:string': 'dateTimeLocal',
  'uri-reference:string': 'uriReference',
  'uri-template:string': 'uriTemplate',
  'json-pointer:string': 'jsonPointer',
  'relative-json-pointer:string': 'relativeJsonPointer',
  'int64:string': 'int64String',
  'uint64:string': 'uint64String',
};

/** The name of the check of a view, or of a part that several schemas share. */
export function checkName(view: string): string {
  return isSharedName(view) ? `shared_${view.slice(1)}` : `check${view}`;
}

/** Prints checks: functions `(data, path, out) => void` that add what is wrong with `data` to `out`. */
export class CheckPrinter {
  readonly #engine = new AjvEngine({
    source: true,
    keywords: SHORT_KEYWORDS,
  });

  /**
   * The check of a unit, after those of its local parts.
   *
   * @param head - how the function begins, such as `export function checkCase`.
   */
  print(head: string, unit: PreparedUnit, scope: FileScope): string {
    const name = head.slice(head.lastIndexOf(' ') + 1);
    const nameOf = (view: string): string => (view.startsWith('~') ? `${name}$${view.slice(1)}` : checkName(view));
    const locals = [...unit.locals].map(([local, prepared]) =>
      this.#printFunction(`function ${nameOf(local)}`, prepared, { scope, nameOf }),
    );
    return [...locals, this.#printFunction(head, unit, { scope, nameOf })].join('');
  }

  #printFunction(head: string, prepared: PreparedSchema, place: Place): string {
    const { source } = this.#engine.compile(prepared);
    const body = source === undefined ? '' : printBody(source, prepared.schema, place);
    // What is not exported needs no types: the code is not type-checked.
    const parameters = head.startsWith('export ')
      ? 'data: unknown, path: string, out: rt.Out): void'
      : 'data, path, out)';
    return `${head}(${parameters} {\n${body === '' ? '' : `${body}\n`}}\n`;
  }
}

interface Place {
  readonly scope: FileScope;
  /** The name of the check of a view or a local part. */
  readonly nameOf: (view: string) => string;
}

function printBody(source: SourceCode, schema: AjvSchema, place: Place): string {
  const short = shortenCode(source.validateCode);
  const names = nameScopeValues(source, place);
  const code = short.code
    .replace(/func\d+\.call\(schema\d+((?:\.\w+|\["\d+"\]|\[\d+\])*), (\w+)\)/g, (_call, path: string, key: string) => {
      return `${place.scope.constant(Object.keys(Object(resolvePath(schema, path, short))))}.includes(${key})`;
    })
    .replace(/(?<![.\w$])func\d+\.call\(/g, 'rt.hasOwn(')
    .replace(/(?<![.\w$])schema\d+((?:\.\w+|\["\d+"\]|\[\d+\])*)/g, (_ref, path: string) =>
      place.scope.constant(resolvePath(schema, path, short)),
    )
    .replace(/(?<![.\w$])(?:func|obj|pattern|validate|formats)\d+\b/g, (local) => names.get(local) ?? local);
  return unmaskLiterals({ code, literals: short.literals }, printLiteral);
}

function nameScopeValues({ scopeValues }: SourceCode, { scope, nameOf }: Place): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const { str, prefix, value } of Object.values(scopeValues).flatMap((set) => [...(set ?? [])])) {
    if (prefix === 'obj') names.set(str, scope.constant(value?.ref));
    else if (prefix === 'pattern' && value?.ref instanceof RegExp) names.set(str, scope.pattern(value.ref));
    else if (prefix === 'validate') names.set(str, nameOf(noteCall(String(value?.key), scope)));
    else if (prefix === 'formats') names.set(str, nameFormat(String(value?.key), scope));
    else if (prefix === 'func') names.set(str, HELPERS.get(value?.ref) ?? str);
  }
  return names;
}

function noteCall(view: string, scope: FileScope): string {
  if (!view.startsWith('~')) scope.calls.add(view);
  return view;
}

function nameFormat(key: string, scope: FileScope): string {
  scope.usesFormats = true;
  return `fmt.${FORMAT_NAMES[key] ?? key.split(':')[0]}`;
}

/** The value at a path such as `.properties["3"].type` (a masked literal) of the schema that is compiled. */
function resolvePath(schema: AjvSchema, path: string, { literals }: MaskedCode): unknown {
  let value: unknown = schema;
  for (const [, name, literal, index] of path.matchAll(/\.(\w+)|\["(\d+)"\]|\[(\d+)\]/g)) {
    const key = name ?? index ?? String(JSON.parse(literals[Number(literal)] ?? '""'));
    value = (value as Readonly<Record<string, unknown>>)[key];
  }
  return value;
}

/** A literal of ajv is JSON, which is not yet safe in every file. */
function printLiteral(literal: string): string {
  return /^"[\w ./:-]*"$/.test(literal) && !literal.includes('</') ? literal : toLiteral(JSON.parse(literal));
}
