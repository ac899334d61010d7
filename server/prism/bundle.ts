import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

import { type Plugin, build } from 'esbuild';

import { toLiteral } from '../../model/identifiers.js';
import { packageRoot } from '../../model/package-info.js';

/**
 * The modules of Prism's mocker, loaded one by one so that other requests are handled in between: see load-prism.ts. The
 * mocker is the last.
 */
const PIECES: readonly string[] = [
  'lodash',
  'ajv',
  'js-yaml',
  'json-schema-faker',
  '../validator/validators/body.js',
  'node-fetch',
  '@stoplight/json',
  './callback/callbacks.js',
  './index.js',
];

const folder = path.join(packageRoot, 'dist/prism');
const mocker = createRequire(import.meta.url).resolve('@stoplight/prism-http/dist/mocker/index.js');

/** Prism's random generator never runs here, so its 1,900 files of words are left out. */
const withoutFaker: Plugin = {
  name: 'without-faker',
  setup(builder) {
    builder.onResolve({ filter: /^@faker-js\/faker/ }, ({ path: name }) => ({ path: name, namespace: 'empty' }));
    builder.onLoad({ filter: /^/, namespace: 'empty' }, () => ({ contents: 'module.exports = {};' }));
  },
};

/** Bundles Prism's mocker, and the licences of the packages in it, into dist/prism. */
const { metafile } = await build({
  stdin: {
    contents: `exports.pieces = [${PIECES.map((name) => `() => require(${toLiteral(name)})`).join(', ')}];`,
    resolveDir: path.dirname(mocker),
  },
  outfile: path.join(folder, 'mocker.cjs'),
  bundle: true,
  minify: true,
  platform: 'node',
  target: 'node20',
  legalComments: 'none',
  metafile: true,
  // Its main file requires modules by names that no bundler can read.
  alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
  plugins: [withoutFaker],
});
writeFileSync(path.join(folder, 'NOTICES.txt'), printNotices(Object.keys(metafile.inputs)));

/** The name, version and licence text of each package that a bundled file is from. */
function printNotices(inputs: readonly string[]): string {
  const folders = inputs.flatMap((input) => {
    const start = input.lastIndexOf('node_modules/');
    const [scope = '', name = ''] = input.slice(start + 'node_modules/'.length).split('/');
    return start === -1
      ? []
      : input.slice(0, start) + path.posix.join('node_modules', scope, scope.startsWith('@') ? name : '');
  });
  const notices = [...new Set(folders)].map((input) => {
    const place = path.resolve(input);
    const { name, version, license } = JSON.parse(readFileSync(path.join(place, 'package.json'), 'utf8')) as {
      readonly name: string;
      readonly version: string;
      readonly license?: string;
    };
    const file = readdirSync(place).find((one) => /^licen[cs]e/i.test(one)) ?? '';
    const text = file !== '' && existsSync(path.join(place, file)) ? readFileSync(path.join(place, file), 'utf8') : '';
    return `${name} ${version}, ${license ?? 'see its licence'}\n\n${text.trim()}\n`;
  });
  return `dist/prism/mocker.cjs has parts of these packages.\n\n${notices.toSorted().join('\n----\n\n')}`;
}
