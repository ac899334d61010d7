import path from 'node:path';

import { generate } from '../../entry/specmill.js';
import { writeFileSync } from 'node:fs';
import { median } from '../measure.js';
import { measureBundle, timeInTurn } from './bundles.js';

const NAMES = ['name', 'address', 'country_code', 'timezone'];
const texts = Object.fromEntries(NAMES.map((name) => [name, { type: 'string' }]));
const STATION = {
  openapi: '3.1.0',
  info: { title: 'Stations', version: '1' },
  paths: {},
  components: {
    schemas: {
      Station: {
        type: 'object',
        required: ['id', 'name', 'address'],
        properties: { id: { type: 'string', format: 'uuid' }, ...texts },
      },
    },
  },
};

const zodSchema = `z.object({ id: z.uuid(), name: z.string(), address: z.string(), country_code: z.optional(z.string()), timezone: z.optional(z.string()) })`;

/** Each exports `check`. */
const CHECKS: readonly (readonly [name: string, code: string])[] = [
  ['specmill', `export { isStation as check } from './stations/validators.js';`],
  [
    'zod',
    `import * as z from 'zod'; const s = ${zodSchema}; export const check = (v: unknown) => s.safeParse(v).success;`,
  ],
  [
    'zod/mini',
    `import * as z from 'zod/mini'; const s = ${zodSchema}; export const check = (v: unknown) => s.safeParse(v).success;`,
  ],
];

export interface ValidatorFigures {
  readonly name: string;
  /** Bytes of a bundle. */
  readonly bytes: number;
  /** Nanoseconds for a value. */
  readonly valid: number;
  readonly invalid: number;
}

/** One object with a uuid and four texts, checked. */
export async function measureValidators(work: string): Promise<ValidatorFigures[]> {
  writeFileSync(path.join(work, 'stations.json'), JSON.stringify(STATION));
  const apis = { stations: { spec: 'stations.json', output: 'stations', only: ['types', 'validators'] } };
  await generate({ cwd: work, config: { apis } });
  const valid = `{ id: '2f6207bd-38e2-4f8e-b379-a276553a150f', name: 'Centraal', address: 'Stationsplein 1', country_code: 'NL', timezone: 'Europe/Amsterdam' }`;
  // A hundred values a turn, because a turn is measured in microseconds.
  const turn = (code: string, value: string, is: boolean): { folder: string; code: string } => ({
    folder: work,
    code: `${code.replace('export {', 'import {').replace('export const', 'const')}
const value: unknown = ${value};
export const turn = () => { for (let i = 0; i < 100; i += 1) if (check(value) !== ${is}) throw new Error('wrong'); };`,
  });
  const invalid = valid.replace("name: 'Centraal'", 'name: 1');
  const modules = CHECKS.flatMap(([, code]) => [turn(code, valid, true), turn(code, invalid, false)]);
  const times = await timeInTurn(work, modules);
  return Promise.all(
    CHECKS.map(async ([name, code], index) => ({
      name,
      bytes: await measureBundle(work, code),
      valid: median(times[2 * index] ?? []) * 10,
      invalid: median(times[2 * index + 1] ?? []) * 10,
    })),
  );
}
