import type {
  BodySchema,
  EmitterOperation,
  Operation,
  Parameter,
  Schema,
  SchemaObject,
} from '../../emitter-kit/contract.js';
import { lazily, proofOf } from './print-named.js';
import { type ZodScope, call } from './scope.js';

/** The statements of an operation. */
export interface OperationConstants {
  readonly texts: readonly string[];
  readonly proofs: readonly string[];
}

/** Prints the schemas of parameters, bodies and responses of an operation. */
export function printOperation(operation: EmitterOperation, scope: ZodScope): OperationConstants {
  const groups = operation.groups.map(([group, parameters]) => printGroup(operation, { group, parameters }, scope));
  const bodies = printBodies(operation, scope);
  return {
    texts: [...groups.map(({ text }) => text), ...bodies],
    proofs: groups.flatMap(({ proof }) => (proof === '' ? [] : [proof])),
  };
}

interface Group {
  readonly group: string;
  readonly parameters: readonly Parameter[];
}

function printGroup(
  operation: EmitterOperation,
  { group, parameters }: Group,
  given: ZodScope,
): { readonly text: string; readonly proof: string } {
  const { kit } = given;
  const scope: ZodScope = { ...given, direction: 'request', isLoose: group !== 'query' };
  const names = kit.names.operation(operation);
  const constant = names.prefixed('z', `${group.charAt(0).toUpperCase()}${group.slice(1)}`);
  const own = parameters.filter((parameter) => parameter.in !== 'querystring');
  const plans = new Map(own.map((parameter) => [parameter.name, planOf(parameter, scope)]));
  const members = own.map((parameter) => printParameter(parameter, plans.get(parameter.name) ?? TEXT, scope));
  const { unknownKeys } = kit.options;
  const shape = `{\n${members.map((line) => `  ${line.replaceAll('\n', '\n  ')},\n`).join('')}}`;
  const isLoose = unknownKeys === 'loose' || scope.isLoose;
  const object = isLoose
    ? call('loose', scope, shape)
    : `z.${unknownKeys === 'strip' ? 'object' : 'strictObject'}(${shape})`;
  const spread = Object.fromEntries([...plans].filter(([, plan]) => plan.spread !== undefined));
  const collect = {
    names: own.map(({ name }) => name),
    ...(isEmptyObject(spread) ? {} : { spread }),
    ...(group === 'headers' ? { fold: true } : {}),
  };
  const needsCollecting = group === 'headers' || !isEmptyObject(spread);
  const code = needsCollecting ? call('collected', scope, object, kit.print.literal(collect)) : object;
  const comment = kit.print.comment(
    `The ${group === 'path' || group === 'query' ? `${group} parameters` : group} of \`${operation.name}\`, as text.`,
  );
  // The client makes idempotency keys itself, so the type of a request does not require them.
  // With several media types, the type of a request is a union.
  const isOne = (operation.body?.content.length ?? 0) < 2;
  const isSame =
    isOne && own.length === parameters.length && !own.some(({ name }) => name.toLowerCase() === 'idempotency-key');
  const request = (): string => kit.names.import(scope.file, names.request, { type: true });
  return {
    text: `${comment}export const ${constant} = ${lazily(code)};\n`,
    proof:
      isSame && kit.options.dates === 'types'
        ? proofOf(constant, () => `NonNullable<${request()}['${group}']>`, scope)
        : '',
  };
}

function isEmptyObject(value: object): boolean {
  return Object.keys(value).length === 0;
}

/** How `runtime/wire-text.ts` reads a text. */
interface Plan {
  readonly as: 'string' | 'number' | 'boolean' | 'json';
  readonly split?: string;
  readonly members?: Readonly<Record<string, Plan['as']>>;
  readonly equals?: true;
  readonly spread?: 'deep' | 'plain';
}

const TEXT: Plan = { as: 'string' };

function printParameter({ name, required, schema }: Parameter, plan: Plan, scope: ZodScope): string {
  const { code } = scope.print(schema, { ...scope, isLoose: false });
  const isPlain =
    plan.spread !== undefined || (plan.as === 'string' && plan.split === undefined && plan.members === undefined);
  const read = isPlain ? code : call('fromText', scope, code, scope.kit.print.literal(plan));
  // Written plainly, `__proto__` would set the prototype.
  const key = name === '__proto__' ? "['__proto__']" : scope.kit.print.key(name);
  return `${key}: ${required ? read : `z.optional(${read})`}`;
}

const SEPARATORS: Readonly<Record<string, string>> = { spaceDelimited: ' ', pipeDelimited: '|', tabDelimited: '\t' };

function planOf({ schema, style, explode, mediaType }: Parameter, scope: ZodScope): Plan {
  if (mediaType !== undefined) return { as: 'json' };
  const own = objectOf(schema, scope);
  const type = typeOf(schema, scope);
  if (type === 'array') {
    const as = wordOf(typeOf(own.items ?? true, scope));
    const isRepeated = explode && style === 'form';
    return { as, split: isRepeated ? '' : (SEPARATORS[style] ?? ',') };
  }
  if (type !== 'object') return { as: wordOf(type) };
  const members = Object.fromEntries(
    Object.entries(own.properties ?? {}).map(([name, member]) => [name, wordOf(typeOf(member, scope))]),
  );
  if (style === 'deepObject') return { as: 'string', members, spread: 'deep' };
  if (style === 'form' && explode) return { as: 'string', members, spread: 'plain' };
  return { as: 'string', members, ...(explode ? { equals: true as const } : {}) };
}

function wordOf(type: string | undefined): Plan['as'] {
  return type === 'integer' || type === 'number' ? 'number' : type === 'boolean' ? 'boolean' : 'string';
}

function objectOf(schema: Schema, { api }: ZodScope): SchemaObject {
  const own = api.resolve(schema);
  return typeof own === 'object' ? own : {};
}

/** The type of a value that is not null; `undefined` if it may be a text, or several types. */
function typeOf(schema: Schema, scope: ZodScope): string | undefined {
  const own = objectOf(schema, scope);
  const {
    type,
    allOf = [],
    oneOf = [],
    anyOf = [],
    const: value,
    enum: values = value === undefined ? [] : [value],
  } = own;
  const types = [type ?? []].flat().filter((one) => one !== 'null');
  if (types.length === 1) return types[0];
  if (types.length > 1) return undefined;
  const named = [...allOf.map((part) => typeOf(part, scope)), ...values.map((one) => typeof one)];
  const branches = [...oneOf, ...anyOf].map((part) => typeOf(part, scope));
  const found = new Set([...named, ...branches].filter((one) => one !== undefined));
  return found.size === 1 && branches.every((one) => one !== undefined) ? [...found][0] : undefined;
}

/** The forms of bodies that a schema describes as a value. */
const FORMS = new Set(['json', 'xml', 'form', 'multipart', 'text', 'any']);

/**
 * Prints the schemas of bodies. The preferred content has the plain name, the others add the words of their media type,
 * and a number if another one has the same words.
 */
export function printBodies(operation: Operation, given: ZodScope): string[] {
  const { api, kit } = given;
  const taken = new Set<string>();
  return api.bodySchemas(operation).flatMap((body): string[] => {
    const part =
      body.status === undefined ? 'Body' : `Response${body.status.charAt(0).toUpperCase()}${body.status.slice(1)}`;
    const suffix = takeSuffix(part, body, taken);
    if (!FORMS.has(body.form)) return [];
    const scope: ZodScope = { ...given, direction: body.direction };
    const constant = kit.names.operation(operation).prefixed('z', suffix);
    const code = body.form === 'text' ? 'z.string()' : scope.print(body.schema, scope).code;
    const what = body.status === undefined ? 'The body' : `The data of a response ${body.status}`;
    return [`${kit.print.comment(`${what} of \`${operation.name}\`.`)}export const ${constant} = ${lazily(code)};\n`];
  });
}

function takeSuffix(part: string, body: BodySchema, taken: Set<string>): string {
  const named = taken.has(part) ? `${part}${wordsOf(body)}` : part;
  let suffix = named;
  for (let count = 2; taken.has(suffix); count += 1) suffix = `${named}${count}`;
  taken.add(suffix);
  return suffix;
}

function wordsOf({ mediaType }: BodySchema): string {
  const [essence = ''] = mediaType.split(';');
  const words = essence.slice(essence.indexOf('/') + 1).match(/[a-z\d]+/gi) ?? [];
  return words.map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`).join('');
}
