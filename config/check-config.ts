import { suggestName } from '../model/diagnostics/closest-name.js';
import { isRecord } from '../model/document/records.js';
import { appendPointer } from '../model/document/pointer.js';
import { parseVendor } from '../model/rename-vendor.js';
import { DATE_TYPES, ID_TYPES, IMPORT_EXTENSIONS, INT64_TYPES, type SpecmillConfig } from './config-types.js';

/** The first problem of a configuration: a plain sentence and a JSON pointer. */
export interface ConfigProblem {
  readonly pointer: string;
  readonly message: string;
}

type Check = (value: unknown, pointer: string) => ConfigProblem | undefined;

/** Returns the first problem of a value as a configuration, or `undefined` if it is valid. */
export function findConfigProblem(value: unknown, isEmitter: (value: unknown) => boolean): ConfigProblem | undefined {
  const api = checkMembers(
    {
      ...API_CHECKS,
      emitters: checkList((item) => isEmitter(item), 'an emitter: an object with a name and a function emit'),
    },
    ['spec', 'output'],
  );
  const apis: Check = (all, pointer) => {
    if (!isRecord(all))
      return { pointer, message: 'The apis of the configuration must be an object from name to API.' };
    return firstProblem(
      Object.entries(all),
      ([name, one]) => checkApiName(name, appendPointer(pointer, name)) ?? api(one, appendPointer(pointer, name)),
    );
  };
  return checkMembers({ apis, diff: checkDiff, $schema: checkText }, ['apis'])(value, '');
}

/** {@link findConfigProblem} as a type guard. */
export function isConfig<TEmitter>(
  value: unknown,
  isEmitter: (value: unknown) => value is TEmitter,
): value is SpecmillConfig<TEmitter> {
  return findConfigProblem(value, isEmitter) === undefined;
}

/** Whether HTTP can transmit a header. */
export function isHeader(name: string, value: unknown): value is string {
  return (
    /^[!#$%&'*+.^_`|~\w-]+$/.test(name) && typeof value === 'string' && /^[\t\u0020-\u007e\u0080-\u00ff]*$/.test(value)
  );
}

/** Checks the name of an API, which is used on the command line and in type names. */
function checkApiName(name: string, pointer: string): ConfigProblem | undefined {
  if (/^[A-Za-z][A-Za-z0-9._-]*$/.test(name)) return undefined;
  return {
    pointer,
    message: `The API name ${JSON.stringify(name)} must start with a letter and have only letters, digits, dots, dashes and underscores.`,
  };
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
const checkText: Check = (value, pointer) => (isText(value) ? undefined : mustBe(pointer, 'a text that is not empty'));
/** For secrets: an environment variable that is not set must not break commands that do not need it. */
const checkString: Check = (value, pointer) => (typeof value === 'string' ? undefined : mustBe(pointer, 'a text'));
const checkFormats: Check = (value, pointer) =>
  value === 'assert' || value === 'annotate' ? undefined : mustBe(pointer, '"assert" or "annotate"');
const checkTexts: Check = checkList(isText, 'a text that is not empty');
const checkTextOrTexts: Check = (value, pointer) => {
  if (Array.isArray(value) && value.length > 0) return checkTexts(value, pointer);
  return isText(value) ? undefined : mustBe(pointer, 'a path or a list of paths');
};
const checkSelection: Check = (value, pointer) =>
  Array.isArray(value)
    ? checkTexts(value, pointer)
    : checkMembers({ tags: checkTexts, paths: checkTexts, operations: checkTexts }, [])(value, pointer);

const checkVendor: Check = (value, pointer) => {
  if (!isText(value)) return checkText(value, pointer);
  try {
    parseVendor(value);
    return undefined;
  } catch (error) {
    return { pointer, message: (error as Error).message };
  }
};

function checkOneOf(known: readonly string[]): Check {
  return (value, pointer) =>
    known.some((one) => one === value) ? undefined : mustBe(pointer, `one of ${known.join(', ')}`);
}

const checkGroup: Check = (value, pointer) =>
  value === 'tags' || value === 'paths' ? undefined : mustBe(pointer, '"tags" or "paths"');

const checkFunction: Check = (value, pointer) =>
  typeof value === 'function' ? undefined : mustBe(pointer, 'a function');
const checkHeaders: Check = checkRecord((name, value) =>
  isHeader(name, value) ? undefined : 'a header: a name, and a text without line breaks',
);
const checkSkips: Check = (value, pointer) => {
  if (!Array.isArray(value)) return mustBe(pointer, 'a list');
  return firstProblem(value.entries(), ([index, item]: [number, unknown]) => {
    const place = appendPointer(pointer, index);
    const problem = checkMembers({ operation: checkText, check: checkText }, [])(item, place);
    return (
      problem ??
      (Object.values(item as object).some((member) => member !== undefined)
        ? undefined
        : mustBe(place, 'an operation, a check, or both'))
    );
  });
};

const checkHelpers: Check = checkRecord((_name, value) =>
  isRecord(value) && Object.keys(value).every((key) => key.startsWith('x-'))
    ? undefined
    : 'an object of x- extensions, such as { "x-pagination": { ... } }',
);

const CONTRACT_CHECKS: Readonly<Record<string, Check>> = {
  headers: checkHeaders,
  parameters: checkRecord(() => undefined),
  skip: checkSkips,
  oauth2: checkMembers(
    {
      clientId: checkText,
      clientSecret: checkString,
      tokenUrl: checkText,
      scopes: checkTexts,
      refreshToken: checkText,
    },
    ['clientId', 'clientSecret'],
  ),
  before: checkFunction,
  beforeEach: checkFunction,
  after: checkFunction,
};

const LEVELS = ['breaking', 'risky', 'safe'];
const isLevel = (value: unknown): boolean => LEVELS.some((level) => level === value);
const isLevels = (value: unknown): boolean =>
  isLevel(value) ||
  (isRecord(value) &&
    Object.entries(value).every(([key, level]) => ['request', 'response'].includes(key) && isLevel(level)));

const checkWaivers: Check = (value, pointer) => {
  if (!Array.isArray(value)) return mustBe(pointer, 'a list');
  const check = checkMembers(
    { kind: checkText, operation: checkText, message: checkText, reason: checkText, until: checkDay },
    ['reason'],
  );
  return firstProblem(value.entries(), ([index, item]: [number, unknown]) =>
    check(item, appendPointer(pointer, index)),
  );
};

const checkDay: Check = (value, pointer) =>
  isText(value) && /^\d{4}-\d{2}-\d{2}$/.test(value) ? undefined : mustBe(pointer, 'a day such as 2027-01-31');

const checkDiff: Check = checkMembers(
  {
    levels: checkRecord((_kind, value) =>
      isLevels(value) ? undefined : 'breaking, risky or safe, or one for each direction',
    ),
    strictResponses: (value, pointer) => (typeof value === 'boolean' ? undefined : mustBe(pointer, 'true or false')),
    versionRule: (value, pointer) => (value === 'semver' ? undefined : mustBe(pointer, 'semver')),
    waivers: (value, pointer) => checkWaivers(value, pointer),
  },
  [],
);

const API_CHECKS: Readonly<Record<string, Check>> = {
  spec: checkTextOrTexts,
  headers: checkHeaders,
  overlays: checkTexts,
  helpers: checkHelpers,
  root: checkText,
  output: checkText,
  mock: checkText,
  include: checkSelection,
  exclude: checkSelection,
  only: checkTexts,
  vendor: checkVendor,
  importExtension: checkOneOf(IMPORT_EXTENSIONS),
  group: checkGroup,
  names: checkFunction,
  dates: checkOneOf(DATE_TYPES),
  int64: checkOneOf(INT64_TYPES),
  ids: checkOneOf(ID_TYPES),
  header: checkText,
  formats: checkFormats,
  contract: checkMembers(CONTRACT_CHECKS, []),
  diff: checkDiff,
};

const API_MEMBERS: ReadonlySet<string> = new Set([...Object.keys(API_CHECKS), 'emitters']);

function checkList(isItem: (item: unknown) => boolean, what: string): Check {
  return (value, pointer) => {
    if (!Array.isArray(value)) return mustBe(pointer, 'a list');
    return firstProblem(value.entries(), ([index, item]) =>
      isItem(item) ? undefined : mustBe(appendPointer(pointer, index), what),
    );
  };
}

function checkRecord(findWanted: (name: string, value: unknown) => string | undefined): Check {
  return (value, pointer) => {
    if (!isRecord(value)) return mustBe(pointer, 'an object');
    return firstProblem(Object.entries(value), ([name, member]) => {
      const wanted = findWanted(name, member);
      return wanted === undefined ? undefined : mustBe(appendPointer(pointer, name), wanted);
    });
  };
}

function checkMembers(checks: Readonly<Record<string, Check>>, required: readonly string[]): Check {
  return (value, pointer) => {
    if (!isRecord(value)) return mustBe(pointer, `an object with ${Object.keys(checks).join(', ')}`);
    const known = Object.keys(checks);
    const unknown = (name: string): ConfigProblem => ({
      pointer: appendPointer(pointer, name),
      message: `${describe(pointer)} has no member ${name}.${suggestName(name, known) || suggestPlace(pointer, name)}`,
    });
    const missing = required.find((name) => value[name] === undefined);
    if (missing !== undefined) {
      // If a required member is misspelt, reports the typo instead of the missing member.
      const typo = Object.keys(value).find(
        (name) => !Object.hasOwn(checks, name) && suggestName(name, [missing]) !== '',
      );
      return typo === undefined ? { pointer, message: `${describe(pointer)} has no ${missing}.` } : unknown(typo);
    }
    return firstProblem(Object.entries(value), ([name, member]) => {
      const check = Object.hasOwn(checks, name) ? checks[name] : undefined;
      if (check === undefined) return unknown(name);
      return member === undefined ? undefined : check(member, appendPointer(pointer, name));
    });
  };
}

/** Members of an API that stand beside `apis` are easily meant for all of them. */
function suggestPlace(pointer: string, name: string): string {
  return pointer === '' && API_MEMBERS.has(name) ? ` It belongs to an API: apis.<name>.${name}.` : '';
}

function mustBe(pointer: string, what: string): ConfigProblem {
  return { pointer, message: `${describe(pointer)} must be ${what}.` };
}

function describe(pointer: string): string {
  return pointer === '' ? 'The configuration' : `The member ${pointer} of the configuration`;
}

function firstProblem<T>(items: Iterable<T>, check: (item: T) => ConfigProblem | undefined): ConfigProblem | undefined {
  for (const item of items) {
    const problem = check(item);
    if (problem !== undefined) return problem;
  }
  return undefined;
}
