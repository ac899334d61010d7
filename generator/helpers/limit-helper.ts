import { resolveFile } from '../../model/document/source-document.js';
import { parseText } from '../../model/document/parse-document.js';
import { resolvePointer } from '../../model/document/pointer.js';
import { isRecord } from '../../model/document/records.js';
import type { NameAllocator } from '../../model/identifiers.js';
import { printValue } from '../fixtures/print-value.js';
import { reportExtension } from './check-extensions.js';
import type { HelperScope } from './helper-scope.js';
import type { RateLimitValue } from '../../model/helper-values.js';

const IDEMPOTENT = ['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE', 'QUERY'];

/** The function that waits at rate limits. */
export interface LimitView {
  readonly name: string;
  readonly plan: object;
  /** Local name of the type of its options. */
  readonly optionsType: string;
  readonly code: string;
}

/** Reads `x-rate-limit` of the document. */
export function readRateLimit(scope: HelperScope, names: NameAllocator): LimitView | undefined {
  const plan = readPlan(scope);
  if (plan === undefined) return undefined;
  return {
    name: names.take('waitAtLimits'),
    plan,
    optionsType: scope.imports.use('RetryOptions'),
    code: `${scope.imports.use('waitForLimits')}(context, ${printValue(plan, '  ')}, options)`,
  };
}

function readPlan(scope: HelperScope): object | undefined {
  const { api } = scope;
  const value = api.extensions['x-rate-limit'] as RateLimitValue | undefined;
  const source = { file: api.files[0]?.path ?? '', pointer: '/x-rate-limit' };
  if (value === undefined || !scope.isGood(source)) return undefined;
  const policy = value.policy === undefined ? value : readPolicy(value.policy.$ref, scope);
  if (policy?.headers === undefined || policy.retry === undefined || policy.statuses === undefined) {
    const problem = 'its policy cannot be read, or does not say how to retry.';
    scope.problems.push(reportExtension(api, 'x-rate-limit', { source, member: '/policy', problem }));
    return undefined;
  }
  const { remaining, reset, retryAfter } = policy.headers;
  return {
    statuses: policy.statuses,
    remaining,
    reset,
    retryAfter,
    secondary: value.secondary,
    ...policy.retry,
    methods: value.idempotent ?? IDEMPOTENT,
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
