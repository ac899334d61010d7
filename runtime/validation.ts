/** An error of a value, with its place. */
export interface ValidationError {
  /** JSON pointer (RFC 6901) into the value; empty for the value itself. */
  readonly pointer: string;
  /** The rule that the value breaks, such as `must be string`. */
  readonly message: string;
  /** The JSON Schema keyword that failed, such as `type`. */
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** The result of a validator. */
export type ValidationResult<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly errors: ValidationError[] };

/** Thrown for a value that does not match its schema. */
export class ValidationFailure extends Error {
  override readonly name = 'ValidationFailure';
  readonly errors: readonly ValidationError[];

  /** @param subject - what is not valid, such as the name of its schema. */
  constructor(subject: string, errors: readonly ValidationError[]) {
    const [first] = errors;
    const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : '';
    super(
      first === undefined
        ? `${subject}: not valid`
        : `${subject}: ${first.pointer === '' ? 'the value' : first.pointer} ${first.message}${more}`,
    );
    this.errors = errors;
  }
}

/** Maximum number of errors of a value that are collected; the check stops there. */
export const MAX_ERRORS = 100;

/** Where checks add errors; `undefined` if the caller only asks whether there is one. */
export type Out = ValidationError[] | undefined;

/** The members and items of a value that some keyword has evaluated, for `unevaluatedProperties` and `unevaluatedItems`. */
export type Evaluated = Set<string | number>;

/**
 * A generated check of `data`, which is at `path` of the whole value. Returns true if the check stops early: at the
 * first error without `out`, or when `out` is full. So `check(data)` is true for an invalid value.
 */
export type Check = (data: unknown, path?: string, out?: Out, evaluated?: Evaluated) => boolean;

/** Adds an error. Returns whether the check stops. */
export function fail(out: Out, error: ValidationError): boolean {
  return out === undefined || out.push(error) >= MAX_ERRORS;
}

/** Depth to which recursive schemas follow a value: far below the limit of the call stack. */
const MAX_DEPTH = 500;

let depth = 0;
/** Whether a value is valid, by check and value, for one run. */
let known: Map<Check, Map<unknown, boolean>> | undefined;

/** Calls the check of a schema that contains itself. */
export function descend(check: Check, data: unknown, path = '', out?: Out): boolean {
  if (depth >= MAX_DEPTH)
    return fail(out, {
      pointer: path,
      keyword: 'depth',
      message: 'must NOT be nested so deeply',
      params: { limit: MAX_DEPTH },
    });
  const before = depth;
  depth += 1;
  try {
    return check(data, path, out);
  } finally {
    depth = before;
    if (before === 0) known = undefined;
  }
}

/**
 * {@link descend} for schemas that check the same value in several branches. Remembers which values are valid, so that
 * the work does not double with each level.
 */
export function descendOnce(check: Check, data: unknown, path?: string, out?: Out): boolean {
  if (typeof data !== 'object' || data === null) return descend(check, data, path, out);
  known ??= new Map();
  let results = known.get(check);
  if (results === undefined) known.set(check, (results = new Map()));
  const isValid = results.get(data);
  if (isValid === true) return false;
  if (out !== undefined) return descend(check, data, path, out);
  const fails = isValid === false || descend(check, data);
  results.set(data, !fails);
  return fails;
}

/** The errors of a value: none if it is valid, at most {@link MAX_ERRORS}. */
export function findErrors(check: Check, value: unknown): ValidationError[] {
  const errors: ValidationError[] = [];
  if (check(value)) check(value, '', errors);
  return errors;
}

/**
 * Returns only for a valid value.
 *
 * @throws ValidationFailure with all errors.
 */
export function assertValid(check: Check, value: unknown, subject: string): void {
  const errors = findErrors(check, value);
  if (errors.length > 0) throw new ValidationFailure(subject, errors);
}

/**
 * The interface of Standard Schema, version 1 (https://standardschema.dev): which form libraries and frameworks call.
 */
export interface StandardSchema<T> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: 'specmill';
    readonly validate: (value: unknown) => { readonly value: T } | { readonly issues: readonly StandardIssue[] };
    readonly types?: { readonly input: T; readonly output: T } | undefined;
  };
}

/** A violation; `path` leads from the value to its place. */
export interface StandardIssue {
  readonly message: string;
  readonly path: readonly (string | number)[];
}

/** Checks a value: the result is the value with its type, or its errors. Also a Standard Schema. */
export interface Validator<T> extends StandardSchema<T> {
  (value: unknown): ValidationResult<T>;
}

/** A validator of requests. A request without any parts can be omitted. */
export interface RequestValidator<T> extends StandardSchema<T> {
  (request?: unknown): ValidationResult<T>;
}

/** Makes a validator from a check. */
export function createValidator<T>(check: Check): Validator<T> {
  const validate = (value: unknown): ValidationResult<T> => toResult(value as T, findErrors(check, value));
  return Object.assign(validate, { '~standard': toStandard(validate) });
}

/** Makes a validator of requests from a check. */
export function createRequestValidator<T>(check: Check): RequestValidator<T> {
  const validate = (request: unknown = {}): ValidationResult<T> => toResult(request as T, findErrors(check, request));
  return Object.assign(validate, { '~standard': toStandard(validate) });
}

/** The result for a value with these errors. */
export function toResult<T>(value: T, errors: ValidationError[]): ValidationResult<T> {
  return errors.length === 0 ? { ok: true, value } : { ok: false, errors };
}

/** The interface of Standard Schema for a validator. */
export function toStandard<T>(validate: (value: unknown) => ValidationResult<T>): StandardSchema<T>['~standard'] {
  return {
    version: 1,
    vendor: 'specmill',
    validate: (value) => {
      const result = validate(value);
      return result.ok ? { value: result.value } : { issues: result.errors.map((error) => toIssue(error, value)) };
    },
  };
}

/** Converts an error; array indexes in its path become numbers. */
function toIssue({ pointer, message }: ValidationError, root: unknown): StandardIssue {
  let value = root;
  const path = pointer
    .split('/')
    .slice(1)
    .map((segment) => {
      const name = segment.replace(/~1/g, '/').replace(/~0/g, '~');
      const step = Array.isArray(value) ? Number(name) : name;
      value = (value as Readonly<Record<string | number, unknown>> | undefined)?.[step];
      return step;
    });
  return { message, path };
}

/**
 * A documented response: its status (`200`, `4XX`, `default`), checks of its data or of each item by media type, and a
 * check of its headers.
 */
export type ResponseRule = readonly [
  status: string,
  content: readonly (readonly [mediaType: string, check?: Check, of?: 'items'])[],
  headers?: Check,
];

/** The parts of a response that are checked. */
export interface ResponseView {
  readonly status: number;
  /** The media type of the data. Default: the first documented one. */
  readonly contentType?: string | undefined;
  readonly data: unknown;
  /** Default: headers are not checked. */
  readonly headers?: Headers | Readonly<Record<string, string | undefined>> | undefined;
}

/**
 * Checks a response: the result is the response, or its errors, such as an undocumented status. Also a Standard Schema.
 */
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
  const { status } = response;
  if (rule === undefined) {
    const message = `status ${status} is not documented`;
    fail(errors, { pointer: '/status', keyword: 'status', message, params: { status } });
  } else {
    checkData(rule, response, '/data', errors);
    if (response.headers !== undefined) rule[2]?.(lowerNames(response.headers), '/headers', errors);
  }
  return toResult(response, errors);
}

/**
 * The errors of the data of a response, or of one item of a stream, with pointers into it. With an undocumented status,
 * any data is valid.
 */
export function findResponseErrors(rules: readonly ResponseRule[], response: ResponseView): ValidationError[] {
  const errors: ValidationError[] = [];
  const rule = findRule(rules, response.status);
  if (rule !== undefined) checkData(rule, response, '', errors);
  return errors;
}

/** An exact status takes precedence over a range, and a range over `default`. */
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
  if (entry === undefined) {
    const message = `media type ${contentType} is not documented for status ${status}`;
    fail(out, { pointer: path, keyword: 'contentType', message, params: { status, contentType } });
  } else if (entry[2] === undefined || path === '') entry[1]?.(data, path, out);
  else if (Array.isArray(data)) data.some((item, index) => entry[1]?.(item, `${path}/${index}`, out));
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
  const entries: [string, string | undefined][] = [];
  // Works without the `dom.iterable` library.
  if (headers instanceof Headers) headers.forEach((value, name) => entries.push([name, value]));
  else
    entries.push(
      ...Object.entries(headers).map(([name, value]): [string, string | undefined] => [name.toLowerCase(), value]),
    );
  return Object.fromEntries(entries);
}

/** Returns the violations of a response. */
export type ResponseCheck = (status: number, mediaType: string | undefined, data: unknown) => ValidationError[];

/** The generated validators of responses, by operation. */
export interface ResponseChecks {
  readonly responseValidators: Readonly<Record<string, ResponseCheck>>;
}

/**
 * Checks responses. The validators are loaded with the first response.
 *
 * @throws ValidationFailure if a response does not match the API description.
 */
export function checkResponsesWith(
  load: () => Promise<ResponseChecks>,
): (operation: string, status: number, mediaType: string | undefined, data: unknown) => Promise<void> {
  return async (operation, status, mediaType, data) => {
    const { responseValidators } = await load();
    const validator = Object.hasOwn(responseValidators, operation) ? responseValidators[operation] : undefined;
    const errors = validator?.(status, mediaType, data) ?? [];
    if (errors.length > 0) throw new ValidationFailure(`${operation} responded ${status}`, errors);
  };
}
