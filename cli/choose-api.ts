import { FIRST_OTHER_PORT, FIRST_PORT, findBuiltInApi } from '../config/built-in-apis.js';
import { isSpecAddress, nameOfSpec } from '../model/document/address.js';
import type { ParsedArgs } from './parsed-args.js';
import { UsageError } from './usage-error.js';

export interface ChosenApi {
  readonly name: string;
  /** Set where it was named by its spec. */
  readonly spec?: readonly string[];
}

/**
 * The API of a command that takes one: `--spec`, or an argument that is a name, a path or a URL.
 *
 * @throws UsageError if the command names no API, or more than one.
 */
export function chooseApi(args: ParsedArgs): ChosenApi {
  const [word] = args.positionals;
  const spec = args.values('spec');
  if (spec.length > 0) return { name: word ?? 'api', spec };
  if (word === undefined)
    throw new UsageError('Missing API: give a name of the configuration, or the path or URL of a spec.');
  return chooseWord(word);
}

/** The API that one argument names. */
export function chooseWord(word: string): ChosenApi {
  return isSpecAddress(word) ? { name: nameOfSpec(word), spec: [word] } : { name: word };
}

/** The default port of an API: that of its built-in mock. Other APIs have the ports from 4010 on, beside built-in ones those after them. */
export function defaultPort(api: ChosenApi, all: readonly ChosenApi[]): number {
  const own = builtInPort(api);
  if (own !== undefined) return own;
  const others = all.filter((other) => builtInPort(other) === undefined);
  return (others.length === all.length ? FIRST_PORT : FIRST_OTHER_PORT) + others.indexOf(api);
}

function builtInPort({ name, spec }: ChosenApi): number | undefined {
  return spec === undefined ? findBuiltInApi(name)?.port : undefined;
}
