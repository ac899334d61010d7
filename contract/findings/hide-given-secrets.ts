import { isHarmlessHeader } from '../../http/secrets/harmless-headers.js';
import type { ResolvedOptions } from '../resolve-options.js';
import { createRedact, type Redact } from '../../http/secrets/redaction.js';
import { findSecretNames, isSecretField, type SecretNames } from '../../http/secrets/secret-names.js';
import type { Api } from '../../model/api.js';
import type { WireRequest } from '../types.js';
import { findSentSecrets } from './sent-secrets.js';

/** Shorter values occur inside other words, so they are hidden only as whole words. */
const MIN_LENGTH = 6;
/** Shorter words occur everywhere and are not secret. */
const MIN_WORD = 3;

/** All headers that the user gave. */
type GivenHeaders = Pick<ResolvedOptions, 'headers' | 'headersFor' | 'otherHeaders'>;

/** Hides the values that the user gave and that no report may show. */
export class Redaction {
  /** By name, in lower case. A hook may give each request another value. */
  readonly #headers = new Map<string, Set<string>>();
  readonly #query = new Map<string, string>();
  /** The prefix of the variable for a header value, by value. */
  readonly #prefixes = new Map<string, string>();
  /** Other credentials that a hook has put into a request, with their variables. */
  readonly #sent = new Map<string, string>();
  readonly #names: Pick<SecretNames, 'hasField'>;
  readonly #redact: Redact | undefined;

  constructor(api?: Api) {
    this.#names = api === undefined ? { hasField: isSecretField } : findSecretNames(api);
    this.#redact = api === undefined ? undefined : createRedact(api);
  }

  /** Adds all headers that the user gave. */
  addGiven({ headers, headersFor, otherHeaders }: GivenHeaders): void {
    this.addHeaders(headers);
    for (const entry of headersFor.entries) this.addHeaders(entry.headers, entry.prefix);
    this.addHeaders(otherHeaders, 'other-');
  }

  /** Adds the user's headers. A header is secret unless it is known to be harmless. */
  addHeaders(headers: Readonly<Record<string, string>>, prefix = ''): void {
    for (const [name, value] of Object.entries(headers))
      if (!isHarmlessHeader(name) && value !== '') {
        const known = this.#headers.get(name.toLowerCase()) ?? new Set<string>();
        this.#headers.set(name.toLowerCase(), known.add(value));
        if (!this.#prefixes.has(value)) this.#prefixes.set(value, prefix);
      }
  }

  /** Adds the query parameters that the user's hook added to a URL. */
  addQuery(before: string, after: string): void {
    const known = new URL(before).searchParams;
    for (const [name, value] of new URL(after).searchParams)
      if (known.get(name) !== value && (this.#names.hasField(name) || OWN_QUERY.test(name)))
        this.#query.set(name, value);
  }

  /** Adds the credentials that the user's hook put into a request. What the run had made up is no secret. */
  addSent(made: WireRequest, sent: WireRequest, operationId: string): void {
    if (this.#redact === undefined) return;
    const known = new Set(findSentSecrets(made, this.#redact, operationId).map(([value]) => value));
    for (const [value, name] of findSentSecrets(sent, this.#redact, operationId))
      if (!known.has(value) && value.length >= MIN_WORD && !this.#sent.has(value))
        this.#sent.set(value, variableOf(name));
  }

  /** Splits a text at the credentials of {@link addSent}. */
  split(text: string): readonly SplitPart[] {
    const secrets = [...this.#sent].sort(([one], [other]) => other.length - one.length);
    return secrets.reduce<readonly SplitPart[]>(
      (parts, [value, variable]) =>
        parts.flatMap((part): readonly SplitPart[] => {
          if (part.isSecret || !part.text.includes(value)) return [part];
          const pieces = splitAt(part.text, value);
          return pieces.flatMap((piece, index): SplitPart[] => [
            ...(index === 0 ? [] : [{ isSecret: true, text: variable }]),
            ...(piece === '' ? [] : [{ isSecret: false, text: piece }]),
          ]);
        }),
      [{ isSecret: false, text }],
    );
  }

  /** Whether a header contains a value from the user, rather than one that was made up for it. */
  hasHeader(name: string, value: string): boolean {
    return [...(this.#headers.get(name) ?? [])].some((secret) => value.includes(secret));
  }

  /** The shell variable for the value of a header. */
  variableFor(name: string, value: string): string {
    // A token may be the start of another one.
    const known = [...this.#prefixes].toSorted(([one], [other]) => other.length - one.length);
    const prefix = known.find(([secret]) => value.includes(secret))?.[1] ?? '';
    return variableOf(`${prefix}${name}`);
  }

  hasQuery(name: string): boolean {
    return this.#query.has(name);
  }

  /** Removes the secrets from a server's text, which may repeat what was sent. */
  hide(text: string): string {
    const headers = [...this.#headers].flatMap(([name, known]) =>
      [...known].map((value) => [this.variableFor(name, value), value] as const),
    );
    const query = [...this.#query].map(([name, value]) => [variableOf(name), value] as const);
    const values = [...headers, ...query].flatMap(([variable, value]) =>
      partsOf(value).map((part) => [part, variable] as const),
    );
    return [...values, ...this.#sent]
      .filter(([value]) => value.length >= MIN_WORD)
      .sort(([one], [other]) => other.length - one.length)
      .reduce((hidden, [value, variable]) => replaceSecret(hidden, value, `$${variable}`), text);
  }
}

/** Matches query parameters that count as credentials if a hook adds them. */
const OWN_QUERY = /auth|key|token|secret|pass|signature|session|code|pin/i;

/**
 * The secret parts of a value: the value, the part after its scheme, values of cookies, and the user name and password
 * of Basic.
 */
function partsOf(value: string): readonly string[] {
  const bare = value.replace(/^\S+ +/, '');
  if (!/^basic /i.test(value)) return [value, bare, ...[...value.matchAll(/=([^;\s]+)/g)].map(([, own = '']) => own)];
  const pair = Buffer.from(bare, 'base64').toString('utf8');
  return [value, bare, pair, pair.slice(pair.indexOf(':') + 1)];
}

/** A part of a text; of a secret, `text` is the variable that replaces it. */
export interface SplitPart {
  readonly isSecret: boolean;
  readonly text: string;
}

function replaceSecret(text: string, secret: string, variable: string): string {
  return splitAt(text, secret).join(variable);
}

/** Splits a text at each place of a secret; a short one counts only as a whole word. */
function splitAt(text: string, secret: string): string[] {
  const pieces = text.split(secret);
  if (secret.length >= MIN_LENGTH) return pieces;
  const parts: string[][] = [];
  for (const [index, piece] of pieces.entries()) {
    const before = pieces[index - 1] ?? '';
    const isWord = index === 0 || (!/[\p{L}\p{N}_]$/u.test(before) && !/^[\p{L}\p{N}_]/u.test(piece));
    if (isWord) parts.push([piece]);
    else parts.at(-1)?.push(piece);
  }
  return parts.map((part) => part.join(secret));
}

/** The shell variable that replaces a secret. */
export function variableOf(name: string): string {
  return name
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]/g, '_')
    .replace(/^(?=\d)/, '_');
}
