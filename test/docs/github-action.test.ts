import { readFileSync } from 'node:fs';
import path from 'node:path';

import { expect, it } from 'vitest';
import { parse } from 'yaml';

const root = path.join(import.meta.dirname, '../..');
const page = readFileSync(path.join(root, 'docs/github-action.md'), 'utf8');

interface Described {
  readonly description: string;
  readonly default?: string;
}

interface Action {
  readonly inputs: Readonly<Record<string, Described>>;
  readonly outputs: Readonly<Record<string, Described>>;
}

const { inputs, outputs } = parse(readFileSync(path.join(root, 'action.yml'), 'utf8')) as Action;

it('docs/github-action.md has the inputs, defaults and outputs of action.yml', () => {
  const rows = Object.entries(inputs).map(([name, { description, default: value = '' }]) => {
    const shown = name === 'token' ? 'the token of the job' : value;
    return `| \`${name}\` | ${shown} | ${description} |`;
  });
  for (const row of rows) expect(page).toContain(row);
  for (const [name, { description }] of Object.entries(outputs))
    expect(page).toContain(`| \`${name}\` | ${description} |`);
});

it('the workflow of docs/github-action.md uses only inputs that the action has', () => {
  const [, text = ''] = /^```yaml\n(.*?)^```$/ms.exec(page) ?? [];
  const { jobs } = parse(text) as {
    readonly jobs: {
      readonly contract: { readonly steps: readonly { readonly uses?: string; readonly with?: object }[] };
    };
  };
  const step = jobs.contract.steps.find(({ uses = '' }) => uses.includes('/specmill@'));
  expect(Object.keys(step?.with ?? {})).toEqual(['specs', 'contract', 'start', 'server-url', 'header']);
  expect(Object.keys(inputs)).toEqual(expect.arrayContaining(Object.keys(step?.with ?? {})));
});
