import type { StandardSchema } from './standard-schema.js';
import { type Check, type ValidationError, type ValidationResult, fail } from './validation.js';
import { toResult, toStandard } from './validator.js';

/** A documented response: its status (`200`, `4XX`, `default`), a check by media type, and one of its headers. */
export type ResponseRule = readonly [
  status: string,
  content: readonly (readonly [mediaType: string, check?: Check])[],
  headers?: Check,
];

/** What is checked of a response. */
export interface ResponseView {
  readonly status: number;
  /** The media type of the data. Absent: the first that is documented. */
  readonly contentType?: string | undefined;
  readonly data: unknown;
  /** Absent: headers are not checked. */
  readonly headers?: Headers | Readonly<Record<string, string | undefined>> | undefined;
}

/** Checks a response: the result is the response, or its errors, such as a status that is not documented. Also a Standard Schema. */
export interface ResponseValidator extends StandardSchema<ResponseView> {
  <T extends ResponseView>(response: T): ValidationResult<T>;
}

/** Finds the errors of the data of a response. */
export type DataValidator = (status: number, mediaType: string | undefined, data: unknown) => ValidationError[];

/** Makes a validator of the responses of an operation. */
export function createResponseValidator(rules: readonly ResponseRule[]): ResponseValidator {
  const validate = <T extends ResponseView>(response: T): ValidationResult<T> => validateResponse(rules, response);
  const ofUnknown = (value: unknown): ValidationResult<ResponseView> =>
    validate(isResponse(value) ? value : { status: Number.NaN, data: undefined });
  return Object.assign(validate, { '~standard': toStandard(ofUnknown) });
}

function isResponse(value: unknown): value is ResponseView {
  return typeof value === 'object' && value !== null && 'status' in value && 'data' in value;
}

function validateResponse<T extends ResponseView>(rules: readonly ResponseRule[], response: T): ValidationResult<T> {
  const errors: ValidationError[] = [];
  const rule = findRule(rules, response.status);
  if (rule === undefined) fail(errors, '/status', 'status', { status: response.status });
  else {
    checkData(rule, response, '/data', errors);
    if (response.headers !== undefined) rule[2]?.(lowerNames(response.headers), '/headers', errors);
  }
  return toResult(response, errors);
}

/** The errors of the data of a response, with pointers into the data. Data of a status that is not documented can be anything. */
export function findResponseErrors(rules: readonly ResponseRule[], response: ResponseView): ValidationError[] {
  const errors: ValidationError[] = [];
  const rule = findRule(rules, response.status);
  if (rule !== undefined) checkData(rule, response, '', errors);
  return errors;
}

/** The exact status goes before a range, and a range before `default`. */
function findRule(rules: readonly ResponseRule[], status: number): ResponseRule | undefined {
  const keys = [String(status), `${Math.floor(status / 100)}XX`, 'default'];
  return keys.map((key) => rules.find(([documented]) => documented === key)).find((rule) => rule !== undefined);
}

function checkData(
  [, content]: ResponseRule,
  { status, contentType, data }: ResponseView,
  path: string,
  out: ValidationError[],
): void {
  if (content.length === 0) return;
  const entry = contentType === undefined ? content[0] : findContent(content, contentType);
  if (entry === undefined) fail(out, path, 'contentType', { status, contentType });
  else entry[1]?.(data, path, out);
}

function findContent(content: ResponseRule[1], contentType: string): ResponseRule[1][number] | undefined {
  const essence = essenceOf(contentType);
  const candidates = [essence, `${essence.split('/', 1)[0]}/*`, '*/*'];
  return candidates
    .map((candidate) => content.find(([mediaType]) => essenceOf(mediaType) === candidate))
    .find((entry) => entry !== undefined);
}

function essenceOf(mediaType: string): string {
  return (mediaType.split(';', 1)[0] ?? '').trim().toLowerCase();
}

function lowerNames(headers: NonNullable<ResponseView['headers']>): Record<string, string | undefined> {
  const entries = headers instanceof Headers ? [...headers] : Object.entries(headers);
  return Object.fromEntries(entries.map(([name, value]) => [name.toLowerCase(), value]));
}
