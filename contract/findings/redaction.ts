/** Names of headers and parameters whose values a report must not give away. */
const SECRETS = /auth|cookie|key|token|secret|password|signature|session/i;
/** Shorter texts would be found in anything. */
const MIN_LENGTH = 6;

/** Values that the user gave and that no report may show. */
export class Redaction {
  /** By name, in lower case. A hook may give another value to each request. */
  readonly #headers = new Map<string, Set<string>>();
  readonly #query = new Map<string, string>();
  /** What a value is called that is not called as its header. */
  readonly #prefixes = new Map<string, string>();

  /** Takes in headers of the user; those that are no secrets are left. */
  addHeaders(headers: Readonly<Record<string, string>>, prefix = ''): void {
    for (const [name, value] of Object.entries(headers))
      if (SECRETS.test(name) && value !== '') {
        const known = this.#headers.get(name.toLowerCase()) ?? new Set<string>();
        this.#headers.set(name.toLowerCase(), known.add(value));
        if (prefix !== '') this.#prefixes.set(value, prefix);
      }
  }

  /** Takes in what the user has put into the query of a url. */
  addQuery(before: string, after: string): void {
    const known = new URL(before).searchParams;
    for (const [name, value] of new URL(after).searchParams)
      if (SECRETS.test(name) && known.get(name) !== value) this.#query.set(name, value);
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
    const values = [...headers, ...this.#query].flatMap(([name, value]): [string, string][] => [
      [value, name],
      // Of `Bearer abc`, what matters.
      [value.replace(/^\S+ +/, ''), name],
    ]);
    return values
      .filter(([value]) => value.length >= MIN_LENGTH)
      .sort(([one], [other]) => other.length - one.length)
      .reduce((hidden, [value, name]) => hidden.replaceAll(value, `$${variableOf(name)}`), text);
  }
}

/** The variable of a shell that holds a secret in the place of its value. */
export function variableOf(name: string): string {
  return name
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]/g, '_')
    .replace(/^(?=\d)/, '_');
}
