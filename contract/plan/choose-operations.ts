import type { Operation } from '../../model/api.js';
import { InputError } from '../../model/diagnostics/input-error.js';
import type { ContractSkip } from '../../config/contract-config.js';
import { compileGlob } from '../../model/glob.js';
import { suggestName } from '../../model/diagnostics/closest-name.js';
import { type CheckName, CHECKS } from '../types.js';
import { stringifyExactJson } from '../../runtime/json-integers.js';

const KINDS = ['tag', 'path', 'operation', 'method'] as const;

/** The operations that a run includes and excludes. */
export interface OperationChoice {
  readonly include?: readonly string[] | undefined;
  readonly exclude?: readonly string[] | undefined;
}

/**
 * Keeps the chosen operations.
 *
 * @throws InputError if a pattern is invalid, or matches no operation.
 */
export function chooseOperations(operations: readonly Operation[], choice: OperationChoice): readonly Operation[] {
  const matchAny = (patterns: readonly string[]): ((operation: Operation) => boolean) => {
    const matchers = patterns.map((pattern) => readPattern(pattern, operations));
    return (operation) => matchers.some((matches) => matches(operation));
  };
  const isIncluded = choice.include === undefined ? () => true : matchAny(choice.include);
  const isExcluded = matchAny(choice.exclude ?? []);
  return operations.filter((operation) => isIncluded(operation) && !isExcluded(operation));
}

/**
 * Whether a run with this choice may send a method. An excluded method is never sent, not even to test for 405: the
 * server may implement it undocumented.
 */
export function allowsMethod(method: string, { include, exclude = [] }: OperationChoice): boolean {
  const fits = (patterns: readonly string[]): boolean =>
    patterns.some(
      (pattern) =>
        isForMethods(pattern) && compileGlob(pattern.slice('method:'.length), { ignoreCase: true }).test(method),
    );
  return !fits(exclude) && (include?.every(isForMethods) !== true || fits(include));
}

function isForMethods(pattern: string): boolean {
  return pattern.startsWith('method:');
}

/**
 * Reads `tag:…`, `path:…`, `operation:…` or `method:…`.
 *
 * @param owner - where the pattern was given, for the message.
 * @throws InputError if the pattern is invalid, or matches no operation.
 */
export function readPattern(
  pattern: string,
  operations: readonly Operation[],
  owner?: string,
): (operation: Operation) => boolean {
  const place = pattern.indexOf(':');
  const kind = KINDS.find((one) => one === pattern.slice(0, place));
  const text = pattern.slice(place + 1);
  const shown = `${stringifyExactJson(pattern)}${owner === undefined ? '' : ` of ${owner}`}`;
  if (kind === undefined || text === '')
    throw new InputError(`${shown} is not written ${KINDS.map((one) => `${one}:…`).join(', ')}.`);
  const expression = compileGlob(text, { ignoreCase: kind === 'method' });
  const matches = (operation: Operation): boolean => valuesOf(operation, kind).some((value) => expression.test(value));
  if (operations.some(matches)) return matches;
  const known = new Set(operations.flatMap((operation) => valuesOf(operation, kind)));
  const suggestion = suggestName(text, known, (name) => stringifyExactJson(`${kind}:${name}`));
  throw new InputError(`No operation fits ${shown}.${suggestion}`);
}

function valuesOf({ tags, path, id, method }: Operation, kind: (typeof KINDS)[number]): readonly string[] {
  if (kind === 'tag') return tags;
  if (kind === 'path') return [path];
  return [kind === 'operation' ? id : method];
}

/**
 * Returns the operations of one shard. Paths with the same first segment stay together, so that one run tests all
 * operations of an item.
 *
 * @throws InputError if the shard is not written as `1/4`.
 */
export function shardOperations(operations: readonly Operation[], shard: string | undefined): ReadonlySet<Operation> {
  if (shard === undefined) return new Set(operations);
  const { part = '', of = '' } = /^(?<part>\d+)\/(?<of>\d+)$/.exec(shard)?.groups ?? {};
  const [index, count] = [Number(part), Number(of)];
  if (part === '' || index < 1 || index > count)
    throw new InputError('A shard is written as 1/4: the first of four parts.');
  const groups = [...new Set(operations.map(groupOf))].toSorted((one, other) => (one < other ? -1 : 1));
  return new Set(operations.filter((operation) => groups.indexOf(groupOf(operation)) % count === index - 1));
}

function groupOf({ path }: Operation): string {
  return path.split('/').find((word) => word !== '' && !word.startsWith('{')) ?? '';
}

/** The user's rules for what to skip. */
export class SkipRules {
  readonly #rules: readonly { readonly operation: RegExp; readonly check: string | undefined }[];

  /** @throws InputError if a rule matches no operation or no check: a typo would skip nothing. */
  constructor(skips: readonly ContractSkip[], operations: readonly Operation[]) {
    this.#rules = skips.map(({ operation = '*', check }) => {
      const pattern = compileGlob(operation);
      if (!operations.some(({ id }) => pattern.test(id)))
        throw new InputError(
          `There is no operation ${stringifyExactJson(operation)} to skip.${suggestName(
            operation,
            operations.map(({ id }) => id),
          )}`,
        );
      if (check !== undefined && !CHECKS.some((known) => known === check))
        throw new InputError(`There is no check ${stringifyExactJson(check)} to skip.${suggestName(check, CHECKS)}`);
      return { operation: pattern, check };
    });
  }

  /** Whether an operation must not be called. */
  hasOperation({ id }: Operation): boolean {
    return this.#rules.some(({ operation, check }) => check === undefined && operation.test(id));
  }

  /** Whether the findings of a check are ignored at an operation. */
  hasCheck(check: CheckName, { id }: Operation): boolean {
    return this.#rules.some((rule) => rule.check === check && rule.operation.test(id));
  }
}
