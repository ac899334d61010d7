import type { NamedSchema } from '../../model/api.js';
import { parseText } from '../../model/document/parse-document.js';
import { appendPointer, resolvePointer, splitPointer } from '../../model/document/pointer.js';
import { isRecord } from '../../model/document/records.js';
import { resolveFile } from '../../model/document/source-document.js';
import { parseDuration } from '../../model/duration.js';
import type { ExpiresValue, RateLimitValue } from '../../model/helper-values.js';
import type { Schema } from '../../model/schema-types.js';
import { toMarkdownText, toStringLiteral, toValueName } from '../../model/identifiers.js';
import { printValue } from '../fixtures/print-value.js';
import { travels } from '../types/type-scope.js';
import { HelperRefusal, type HelperFunction, type HelperScope } from './helper-scope.js';

/** The two functions of each member with `x-expires`: when it expires, and whether it has. */
export function planExpiries(scope: HelperScope): HelperFunction[] {
  return [...scope.api.schemas.values()].flatMap((named) => {
    const { source } = named;
    return Object.entries(propertiesOf(named)).flatMap(([member, property]) => {
      const value = typeof property === 'object' ? property['x-expires'] : undefined;
      const pointer = ['properties', member, 'x-expires'].reduce(appendPointer, source.pointer);
      if (value === undefined || !scope.checked.isGood(source.file, pointer)) return [];
      return planExpiry(named, { member, value: value as ExpiresValue }, scope);
    });
  });
}

function propertiesOf({ schema }: NamedSchema): Readonly<Record<string, Schema>> {
  return typeof schema === 'object' ? (schema.properties ?? {}) : {};
}

function planExpiry(
  named: NamedSchema,
  { member, value }: { readonly member: string; readonly value: ExpiresValue },
  scope: HelperScope,
): HelperFunction[] {
  const what = value.what ?? (value.after === undefined ? '' : member);
  const base = `${named.originalName} ${what}`;
  const from = value.from === undefined ? undefined : splitPointer(value.from).at(-1);
  const rule = {
    member,
    ...(from === undefined ? {} : { from }),
    ...(value.after === undefined ? {} : { after: parseDuration(value.after)?.milliseconds ?? 0 }),
    ...(value.unit === 'milliseconds' ? { unit: 1 } : {}),
  };
  const members = [...new Set([member, from ?? member])];
  const codec = scope.codecOf({
    properties: Object.fromEntries(members.map((name) => [name, propertiesOf(named)[name] ?? true])),
  });
  const encoded = codec === undefined ? 'value' : `${scope.use('encodeMembers')}(value, ${codec})`;
  const [getName, testName] = [`${base} expires at`, `is ${base} expired`].map((text) =>
    scope.names.take(toValueName(text)),
  ) as [string, string];
  const subject = what === '' ? `this ${named.originalName}` : `the ${what} of this ${named.originalName}`;
  // Only the members that are read, so that other shapes of the object are accepted too.
  const type = `Pick<${typeName(named, members, scope)}, ${members.map((name) => toStringLiteral(name)).join(' | ')}>`;
  return [
    {
      name: getName,
      doc: `When ${subject} expires; \`undefined\` if it has no expiry time.`,
      usage: `\`${getName}(value)\`, \`${testName}(value, now?)\`: when ${toMarkdownText(subject)} expires`,
      parameters: [{ name: 'value', type }],
      returnType: 'Date | undefined',
      code: `${scope.use('readExpiry')}(${encoded}, ${printValue(rule, '  ')})`,
    },
    {
      name: testName,
      doc: `Whether ${subject} has expired.`,
      parameters: [
        { name: 'value', type },
        { name: 'now', type: 'Date | number', isOptional: true },
      ],
      returnType: 'boolean',
      code: `${scope.use('isPast')}(${getName}(value), now)`,
    },
  ];
}

/** The variant of a schema that has the members; responses do not contain write-only members. */
function typeName(named: NamedSchema, members: readonly string[], { api, schemaTypes }: HelperScope): string {
  const isReceived = members.every((member) =>
    travels(propertiesOf(named)[member] ?? true, { api, direction: 'output', indent: '' }),
  );
  const type = isReceived ? named.name : (named.inputName ?? named.name);
  schemaTypes.add(type);
  return type;
}

const IDEMPOTENT = ['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE', 'QUERY'];

/** The function that waits at the rate limits of `x-rate-limit`. */
export function planRateLimit(scope: HelperScope): HelperFunction | undefined {
  const { api, contextParameter } = scope;
  const value = api.extensions['x-rate-limit'] as RateLimitValue | undefined;
  const source = { file: api.files[0]?.path ?? '', pointer: '/x-rate-limit' };
  if (value === undefined || !scope.checked.isGood(source.file, source.pointer)) return undefined;
  const policy = value.policy === undefined ? value : readPolicy(value.policy.$ref, scope);
  if (policy?.headers === undefined || policy.retry === undefined || policy.statuses === undefined) {
    const problem = 'its policy cannot be read, or does not say how to retry.';
    scope.report('x-rate-limit', source, new HelperRefusal(problem, '/policy'));
    return undefined;
  }
  const { remaining, reset, retryAfter } = policy.headers;
  const plan = {
    ...{ statuses: policy.statuses, remaining, reset, retryAfter, secondary: value.secondary },
    ...policy.retry,
    methods: value.idempotent ?? IDEMPOTENT,
  };
  return {
    name: scope.names.take('waitAtLimits'),
    doc: 'Returns a context whose calls wait after a refusal because of a rate limit and are then retried. The option `retry` of the client does this for all its methods.',
    usage: 'the option `retry` of the client: waits where there were too many calls, as the service asks',
    parameters: [contextParameter, { name: 'options', type: scope.use('RetryOptions'), isOptional: true }],
    returnType: contextParameter.type,
    code: `${scope.use('waitForLimits')}(context, ${printValue(plan, '  ')}, options)`,
  };
}

type PolicyPart = Pick<RateLimitValue, 'statuses' | 'headers' | 'retry'>;

/**
 * Reads a policy in the form of specs/rate-limits/policy.schema.json. Its file was read with the document, because it
 * is a `$ref`.
 */
function readPolicy(reference: string, { api }: HelperScope): PolicyPart | undefined {
  const [file = ''] = reference.split('#', 1);
  const target = resolveFile(api.files[0]?.path ?? '', file);
  const text = api.files.find(({ path }) => path === target)?.text;
  const parsed = text === undefined ? undefined : parseText(text);
  const root = parsed?.ok === true ? parsed.value : undefined;
  const headers = listOf(root, '/headers');
  const name = (value: string): string => {
    const found = headers.find((header) => header['value'] === value)?.['name'];
    return typeof found === 'string' ? found : value;
  };
  const backOff = listOf(root, '/retry/secondary').find((rule) => resolvePointer(rule, '/wait/type') === 'exponential');
  const [firstSeconds, factor] = ['firstSeconds', 'factor'].map((key) => resolvePointer(backOff, `/wait/${key}`));
  const maxRetries = resolvePointer(root, '/retry/maxRetries');
  const statuses = ['primary', 'secondary'].flatMap((kind) => resolvePointer(root, `/answers/${kind}/statuses`) ?? []);
  if (typeof firstSeconds !== 'number' || typeof factor !== 'number' || typeof maxRetries !== 'number')
    return undefined;
  return {
    statuses: [...new Set(statuses)].filter((status) => typeof status === 'number'),
    headers: { remaining: name('remaining'), reset: name('reset'), retryAfter: name('retry-after') },
    retry: { firstSeconds, factor, maxRetries },
  };
}

function listOf(root: unknown, pointer: string): Readonly<Record<string, unknown>>[] {
  const list = resolvePointer(root, pointer);
  return Array.isArray(list) ? list.filter((item) => isRecord(item)) : [];
}
