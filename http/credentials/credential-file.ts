import { readDataFile } from '../../model/document/read-input-file.js';
import { InputError } from '../../model/diagnostics/input-error.js';
import { appendPointer } from '../../model/document/pointer.js';
import { isRecord } from '../../model/document/records.js';
import type { Caller } from './caller.js';

/** An entry in the list of accepted credentials. It has a key, a token, or both. */
export interface Credential {
  readonly key?: string;
  /** Default: any secret is accepted. */
  readonly secret?: string;
  readonly token?: string;
  /** The account whose state the caller sees. Default: the key or token itself. */
  readonly account?: string;
  readonly kind?: CredentialKind;
  /** Default: all scopes. */
  readonly scopes?: readonly string[];
  /** Data for handlers, such as a plan or a quota. */
  readonly properties?: Readonly<Record<string, string | number | boolean>>;
}

type CredentialKind = Exclude<Caller['kind'], 'anonymous'>;

const KINDS: readonly string[] = [
  'user',
  'enterprise',
  'app-installation',
  'oauth-app',
  'workflow',
] satisfies CredentialKind[];
const TEXTS = ['key', 'secret', 'token', 'account'] as const;

/**
 * Reads the list of `--credentials`.
 *
 * @param file - absolute path.
 * @throws InputError if the file cannot be read, or is not a list of credentials; with the place in the file.
 */
export async function readCredentials(file: string): Promise<readonly Credential[]> {
  const { value, text } = await readDataFile(file, 'The credentials');
  if (isCredentials(value)) return value;
  const problem = findProblem(value) ?? { pointer: '', message: 'The credentials are invalid.' };
  const { locate } = await import('../../model/diagnostics/locate.js');
  throw new InputError(problem.message, { file, pointer: problem.pointer, ...locate(text, problem.pointer) });
}

/** Checks credentials that are given as a value. @throws InputError */
export function checkCredentials(value: unknown): readonly Credential[] {
  if (isCredentials(value)) return value;
  const problem = findProblem(value) ?? { pointer: '', message: 'The credentials are invalid.' };
  throw new InputError(problem.message, { pointer: problem.pointer });
}

function isCredentials(value: unknown): value is readonly Credential[] {
  return findProblem(value) === undefined;
}

interface Problem {
  readonly pointer: string;
  readonly message: string;
}

function findProblem(value: unknown): Problem | undefined {
  if (!Array.isArray(value)) return { pointer: '', message: 'The credentials must be a list.' };
  for (const [index, item] of value.entries()) {
    const problem = findItemProblem(item, appendPointer('', index));
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function findItemProblem(item: unknown, pointer: string): Problem | undefined {
  if (!isRecord(item)) return { pointer, message: 'A credential must be an object with a key or a token.' };
  for (const [name, member] of Object.entries(item)) {
    const place = appendPointer(pointer, name);
    const isText = typeof member === 'string' && member !== '';
    if (TEXTS.some((text) => text === name)) {
      if (!isText)
        return {
          pointer: place,
          message: `The ${name} of a credential must be a text that is not empty; quote a number.`,
        };
    } else if (name === 'kind') {
      if (!isText || !KINDS.includes(member))
        return { pointer: place, message: `The kind of a credential must be one of ${KINDS.join(', ')}.` };
    } else if (name === 'scopes') {
      const isList = Array.isArray(member) && member.every((scope) => typeof scope === 'string');
      if (!isList) return { pointer: place, message: 'The scopes of a credential must be a list of texts.' };
    } else if (name === 'properties') {
      const isMap = isRecord(member) && Object.values(member).every(isScalar);
      if (!isMap)
        return { pointer: place, message: 'The properties of a credential must be texts, numbers, true or false.' };
    } else
      return {
        pointer: place,
        message: `A credential has no member ${name}; it has ${[...TEXTS, 'kind', 'scopes', 'properties'].join(', ')}.`,
      };
  }
  const isNamed = item['key'] !== undefined || item['token'] !== undefined;
  return isNamed ? undefined : { pointer, message: 'A credential must have a key or a token.' };
}

function isScalar(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}
