import { FIRST_OTHER_PORT, FIRST_PORT, findBuiltInApi } from '../config/built-in-apis.js';
import { InputError } from '../model/diagnostics/input-error.js';
import { readApiWord } from '../model/document/address.js';
import { UsageError } from './usage-error.js';

export interface ChosenApi {
  readonly name: string;
  /** Set if the user named a spec. */
  readonly spec?: readonly string[];
}

/**
 * Returns the API of a command that takes one: from `--spec`, or from an argument that is a name, a path or a URL.
 *
 * @throws UsageError if the command names no API.
 */
export function chooseApi([word]: readonly string[], spec: Texts = []): ChosenApi {
  if (spec.length > 0) return { name: word ?? 'api', spec: [spec].flat() };
  if (word === undefined)
    throw new UsageError('Missing API: give a name of the configuration, or the path or URL of a spec.');
  return readApiWord(word);
}

/** The members of options that say which API it is. */
export function chooseTarget(
  words: readonly string[],
  given?: Texts,
): { readonly api?: string; readonly spec?: readonly string[] } {
  const { name, spec } = chooseApi(words, given);
  return {
    ...(spec === undefined || words.length > 0 ? { api: name } : {}),
    ...(spec === undefined ? {} : { spec }),
  };
}

type Texts = string | readonly string[];

/** The default port of an API: that of its built-in mock, else one of the ports after those. */
export function defaultPort(api: ChosenApi, all: readonly ChosenApi[]): number {
  const own = builtInPort(api);
  if (own !== undefined) return own;
  const others = all.filter((other) => builtInPort(other) === undefined);
  return (others.length === all.length ? FIRST_PORT : FIRST_OTHER_PORT) + others.indexOf(api);
}

function builtInPort({ name, spec }: ChosenApi): number | undefined {
  return spec === undefined ? findBuiltInApi(name)?.port : undefined;
}

/** Adds the flag that selects another port to the error for a port in use. */
export function explainBusyPort(error: unknown): never {
  if (error instanceof Error && error.name === 'PortBusyError')
    throw new InputError(`${error.message} Choose another with --port.`);
  throw error;
}
