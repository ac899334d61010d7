import { isHarmlessHeader } from '../../http/secrets/harmless-headers.js';
import { isSecretField, type SecretNames } from '../../http/secrets/secret-names.js';

/** Shorter texts would be found in anything, so they are hidden only where they are their own word. */
const MIN_LENGTH = 6;
/** Shorter words are part of every text, and no secret. */
const MIN_WORD = 3;

/** Values that the user gave and that no report may show. */
export class Redaction {
  /** By name, in lower case. A hook may give another value to each request. */
  readonly #headers = new Map<string, Set<string>>();
  readonly #query = new Map<string, string>();
  /** The name of a value that differs from its header. */
  readonly #prefixes = new Map<string, string>();
  readonly #names: Pick<SecretNames, 'hasField'>;

  constructor(names: Pick<SecretNames, 'hasField'> = { hasField: isSecretField }) {
    this.#names = names;
  }

  /** Takes in headers of the user: each is a secret that is not known to be harmless. */
  addHeaders(headers: Readonly<Record<string, string>>, prefix = ''): void {
    for (const [name, value] of Object.entries(headers))
      if (!isHarmlessHeader(name) && value !== '') {
        const known = this.#headers.get(name.toLowerCase()) ?? new Set<string>();
        this.#headers.set(name.toLowerCase(), known.add(value));
        if (prefix !== '') this.#prefixes.set(value, prefix);
      }
  }

  /** Takes in what the user has put into the query of a url. */
  addQuery(before: string, after: string): void {
    const known = new URL(before).searchParams;
    for (const [name, value] of new URL(after).searchParams)
      if (known.get(name) !== value && (this.#names.hasField(name) || OWN_QUERY.test(name)))
        this.#query.set(name, value);
  }

  /** Whether a header has a value of the user in it, and not one that was made up in its place. */
  hasHeader(name: string, value: string): boolean {
    return [...(this.#headers.get(name) ?? [])].some((secret) => value.includes(secret));
  }

  /** The variable of a shell that holds the value of a header. */
  variableFor(name: string, value: string): string {
    const prefix = [...this.#prefixes].find(([secret]) => value.includes(secret))?.[1] ?? '';
    return variableOf(`${prefix}${name}`);
  }

  hasQuery(name: string): boolean {
    return this.#query.has(name);
  }

  /** A text of a server, which may show what it was sent, without the values. */
  hide(text: string): string {
    const headers = [...this.#headers].flatMap(([name, known]) => [...known].map((value) => [name, value] as const));
    const values = [...headers, ...this.#query].flatMap(([name, value]) =>
      partsOf(value).map((part) => [part, name] as const),
    );
    return values
      .filter(([value]) => value.length >= MIN_WORD)
      .sort(([one], [other]) => other.length - one.length)
      .reduce((hidden, [value, name]) => replaceSecret(hidden, value, `$${variableOf(name)}`), text);
  }
}

/** Query parameters of a hook count as credentials. */
const OWN_QUERY = /auth|key|token|secret|pass|signature|session|code|pin/i;

/** A value, what follows the name of its scheme, values of cookies, and the user name and password of Basic. */
function partsOf(value: string): readonly string[] {
  const bare = value.replace(/^\S+ +/, '');
  if (!/^basic /i.test(value)) return [value, bare, ...[...value.matchAll(/=([^;\s]+)/g)].map(([, own = '']) => own)];
  const pair = Buffer.from(bare, 'base64').toString('utf8');
  return [value, bare, pair, pair.slice(pair.indexOf(':') + 1)];
}

function replaceSecret(text: string, secret: string, variable: string): string {
  if (secret.length >= MIN_LENGTH) return text.replaceAll(secret, () => variable);
  const pieces = text.split(secret);
  return pieces.slice(1).reduce((shown, piece, index) => {
    const before = pieces[index] ?? '';
    const isWord = !/[\p{L}\p{N}_]$/u.test(before) && !/^[\p{L}\p{N}_]/u.test(piece);
    return shown + (isWord ? variable : secret) + piece;
  }, pieces[0] ?? '');
}

/** The shell variable that replaces the value of a secret. */
export function variableOf(name: string): string {
  return name
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]/g, '_')
    .replace(/^(?=\d)/, '_');
}
