import type { SpecOptions } from '../config/option-checks.js';
import { chooseApi } from './choose-api.js';
import type { Flags } from './command.js';
import { READ_FLAGS, SPEC_FLAG, readHeaders, readSwitches, readTexts } from './options.js';
import type { ParsedArgs } from './parsed-args.js';

/** Options for reading a spec, for commands that use `--header` for something else. */
export const CHECKED_SPEC_FLAGS: Flags = {
  ...SPEC_FLAG,
  ...READ_FLAGS,
  'spec-header': { value: "'K: V'", repeated: true, description: 'Sent when the spec is fetched from a URL.' },
};

interface CheckedSpec extends Omit<SpecOptions, 'headers'> {
  readonly api?: string;
  readonly spec?: readonly string[];
  readonly specHeaders?: Readonly<Record<string, string>>;
}

/** Reads {@link CHECKED_SPEC_FLAGS} and the API that an argument names. */
export function readCheckedSpec(args: ParsedArgs): CheckedSpec {
  const { name, spec } = chooseApi(args);
  return {
    ...(spec === undefined || args.positionals.length > 0 ? { api: name } : {}),
    ...(spec === undefined ? {} : { spec }),
    ...(args.has('spec-header') ? { specHeaders: readHeaders('spec-header', args) } : {}),
    ...readSwitches({ allowRemote: 'allow-remote' }, args),
    ...readTexts(['root'], args),
  };
}
