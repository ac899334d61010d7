import { toShellWord } from '../../model/identifiers.js';

/** A request whose texts may have parts that a shell fills in. */
export interface CurlRequest<Text> {
  readonly method: string;
  readonly url: Text;
  readonly headers: readonly (readonly [name: string, value: Text])[];
  readonly body?: Text | undefined;
}

/**
 * A request as a command line.
 *
 * @param word - writes a text, with literal text before it, as one word of a shell.
 * @param more - words of curl that are already quoted.
 */
export function curlLine<Text extends { readonly length: number }>(
  { method, url, headers, body }: CurlRequest<Text>,
  word: (text: Text, before: string) => string,
  more: readonly string[] = [],
): string {
  const isDefault = method === 'GET' && body === undefined;
  return [
    'curl',
    '-sS',
    ...more,
    // Without -g, curl takes brackets and braces of a URL as a range of URLs.
    '-g',
    // With -X HEAD, curl waits for a body.
    ...(method === 'HEAD' ? ['--head'] : isDefault ? [] : ['-X', toShellWord(method)]),
    word(url, ''),
    // For an empty value, curl needs a semicolon; otherwise it would drop the header.
    ...headers.flatMap(([name, value]) => [
      '-H',
      value.length === 0 ? toShellWord(`${name};`) : word(value, `${name}: `),
    ]),
    // --data would take a text that starts with "@" as the name of a file.
    ...(body === undefined ? [] : ['--data-raw', word(body, '')]),
  ].join(' ');
}
