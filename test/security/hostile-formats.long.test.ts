import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { describe, expect, it } from 'vitest';

import { packageRoot } from '../../model/package-info.js';
import { parseXml } from '../../runtime/parse-xml.js';
import { LINEAR, growthOf } from '../support/growth.js';
import { attackText, HOSTILE_FORMATS } from '../support/hostile-formats.js';

describe.each(HOSTILE_FORMATS)('$name', ({ attacks, parse }) => {
  it.each(Object.entries(attacks))('is parsed in linear time if it has many %s', async (_what, attack) => {
    const texts = new Map([4_000, 32_000].map((size) => [size, attackText(attack, size)]));
    expect(await growthOf((size) => parse(texts.get(size) ?? ''), 4_000)).toBeLessThan(LINEAR);
  });
});

it('no comment, section, attribute or text of XML overflows the stack', () => {
  for (const text of ['<a><!--x--></a>', '<a><![CDATA[x]]></a>', '<a b="x"/>', '<a>x</a>', '<?x?><a/>'])
    expect(parseXml(text.replace('x', '\u{1f469}'.repeat(6_000_000))).name).toBe('a');
});

it('XML has a limited number of elements, attributes, entities and names', () => {
  for (const what of ['elements', 'attributes', 'entities', 'namespaces', 'elements of different names']) {
    const attack = HOSTILE_FORMATS.find(({ name }) => name === 'XML')?.attacks[what];
    expect(() => parseXml(attackText(attack ?? ['', () => '', ''], 900_000)), what).toThrow(/must NOT have more than/);
  }
});

it('every source that parses data, or spends from the budget of a document, is attacked', () => {
  const files = ['runtime', 'http', 'server', 'proxy', 'contract', 'model', 'mocks', 'traffic'].flatMap((room) =>
    readdirSync(path.join(packageRoot, room), { recursive: true, encoding: 'utf8' }).map((file) => `${room}/${file}`),
  );
  const attacked = new Set(HOSTILE_FORMATS.flatMap((one) => one.files));
  const parsers = files.filter(
    (file) =>
      file.endsWith('.ts') &&
      file !== 'runtime/parse-budget.ts' &&
      DECODER.test(readFileSync(path.join(packageRoot, file), 'utf8')),
  );
  expect([...attacked].filter((file) => !existsSync(path.join(packageRoot, file)))).toEqual([]);
  expect(parsers.filter((file) => !attacked.has(file) && !OTHERS.has(file))).toEqual([]);
});

/** What a source that parses data has. */
const DECODER = /\/parse-budget\.js|csv-parse|from 'yaml'|import\('yaml'\)|JSON\.parse\(|parseExactJson\(|parseXml\(/;

/** They parse nothing that comes from outside, or text that another parser has limited. */
const OTHERS = new Set([
  'runtime/decode-error.ts',
  // Items, read by http/item-codec.ts: bench/hostile-formats.ts sends them to a contract run and a proxy.
  'http/response/checked-items.ts',
  'contract/checks/check-items.ts',
  // Texts of the journal, which this process has written, and members of a body that was parsed.
  'http/journal/journal-limits.ts',
  'http/journal/journal.ts',
  'http/secrets/redact-json.ts',
  'http/secrets/redaction.ts',
  // In a browser, from the mock itself.
  'server/page/app/control-client.ts',
  'server/page/app/build-request.ts',
  // State, which test/stores/damaged-state.test.ts attacks.
  'server/sandbox/replicated-journal.ts',
  'server/stores/replicated/encode-item.ts',
  'server/stores/replicated/redis-backend.ts',
  'server/stores/replicated/lmdb-directory.ts',
  'server/stores/replicated/lmdb-change-log.ts',
  // Responses of the mock's own control API.
  'server/start/sandbox-handle.ts',
  // A line of the tests that a contract run prints.
  'contract/expectations/response-kinds.ts',
  // Files of the user, short texts of a spec, and tokens that were cut to their length.
  'server/data/read-data-file.ts',
  'server/infer/data/read-texts.ts',
  'server/cut-page.ts',
  'model/exact-json.ts',
  'model/document/parse-json.ts',
  'model/document/json-text.ts',
  'model/diagnostics/locate.ts',
  'model/overlay/write-changed.ts',
  'model/diagnostics/json-offsets.ts',
  'model/package-info.ts',
  // The build, which reads package.json of installed packages.
  'server/prism/bundle.ts',
  'mocks/notifications/limits/rated-caller.ts',
  // Parts of a URL or a header, which the HTTP parser limits to 16 KB.
  'mocks/engine/query-rows.ts',
  'mocks/engine/session.ts',
  'mocks/engine/graphql/execute-graphql.ts',
  // Code that is printed.
  'contract/reproduction/print-curl.ts',
  'contract/reproduction/variable-names.ts',
  // JSON.parse of the platform on a response, in a client.
  'runtime/helpers.ts',
  'runtime/client.ts',
]);
