import type { CoverageOptions } from '../../entry/contract.js';
import { CHECKED_SPEC_FLAGS, readCheckedSpec } from '../checked-spec.js';
import type { Command } from '../command.js';
import { EXIT, type Io, printJson, toTerminalText } from '../io.js';
import { VENDOR_FLAG, readHeaders, readTexts } from '../options.js';
import type { ParsedArgs } from '../parsed-args.js';
import { UsageError } from '../usage-error.js';

export const coverageCommand: Command = {
  name: 'coverage',
  summary: 'Show which parts of a spec recorded calls exercised.',
  usage: '[api] --journal FILE|URL',
  arity: { least: 0, most: 1 },
  flags: {
    journal: {
      value: 'FILE|URL',
      description: 'The journal of a mock or proxy (JSON), or a HAR file. The URL of a mock stands for its journal.',
    },
    ...CHECKED_SPEC_FLAGS,
    header: { value: "'K: V'", repeated: true, description: 'Sent when the journal is fetched from a URL.' },
    ...VENDOR_FLAG,
  },
  notes: [
    'Counts operations, statuses, and the keywords of request schemas: at how many of the places with a keyword a',
    'request had a value, and at how many a request broke it. --json lists the places that no request reached.',
  ],
  examples: [
    'specmill coverage signing --journal http://127.0.0.1:4010',
    'specmill coverage petstore.yaml --journal traffic.har',
    "specmill coverage signing --journal http://127.0.0.1:4010 --header 'X-Specmill-Sandbox: worker-1' --json",
  ],
  run: async (args, io) => {
    const options = readOptions(args, io);
    const { measureCoverage, toCoverageText } = await import('../../entry/contract.js');
    const report = await measureCoverage(options);
    if (args.has('json')) printJson(io, report);
    else for (const line of toCoverageText(report)) io.out(`${toTerminalText(line)}\n`);
    return EXIT.done;
  },
};

function readOptions(args: ParsedArgs, io: Io): CoverageOptions {
  const journal = args.value('journal');
  if (journal === undefined)
    throw new UsageError('Missing --journal FILE|URL: the journal of a mock or proxy, or a HAR file.');
  return {
    journal,
    cwd: io.cwd,
    ...readCheckedSpec(args),
    ...(args.has('header') ? { headers: readHeaders('header', args) } : {}),
    ...readTexts(['vendor', 'config'], args),
  };
}
