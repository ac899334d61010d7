import path from 'node:path';

import { describe, expect, test } from 'vitest';

import type { Api } from '../../model/api.js';
import { type LoadOptions, loadApi } from '../../model/load-api.js';
import { specFolder } from '../support/spec-folder.js';

const SPEC = `openapi: 3.1.0
info: { title: Shop, version: '1' }
tags: [{ name: one }, { name: two }, { name: three }]
paths:
  /items:
    get:
      operationId: listItems
      tags: [one]
      parameters:
        - { name: a, in: query, schema: { type: string } }
        - { name: b, in: query, schema: { type: string } }
        - { name: c, in: query, schema: { $ref: '#/components/schemas/Gone' } }
      responses: { '200': { description: OK } }
    delete:
      operationId: deleteItems
      responses: { '204': { description: Gone } }
components:
  schemas:
    Item: { type: object, properties: { id: { type: string } } }
`;

function overlay(actions: string, version = '1.0.0'): string {
  return `overlay: ${version}\ninfo: { title: Changes, version: '1' }\nactions:\n${actions}`;
}

async function load(overlays: readonly string[], options: LoadOptions = {}): Promise<Api> {
  const files = Object.fromEntries(overlays.map((text, index) => [`overlay-${index}.yaml`, text]));
  const folder = specFolder({ 'spec.yaml': SPEC, ...files });
  const paths = Object.keys(files).map((name) => path.join(folder, name));
  return loadApi(path.join(folder, 'spec.yaml'), { overlays: paths, ...options });
}

const summary = ({ diagnostics }: Api): string[] =>
  diagnostics.map(({ code, file, pointer, line }) => `${code} ${path.basename(file)}:${line} ${pointer}`);

describe('an overlay', () => {
  test('merges objects, replaces texts and appends to lists', async () => {
    const api = await load([
      overlay(`  - target: $.info
    update: { title: Store, description: New }
  - target: $.paths['/items'].get.tags
    update: two
  - target: $.tags
    update: [{ name: four }]
`),
    ]);
    expect(api.title).toBe('Store');
    expect(api.description).toBe('New');
    expect(api.operations[0]?.tags).toEqual(['one', 'two']);
    expect(api.tags.map(({ name }) => name)).toEqual(['one', 'two', 'three', 'four']);
  });

  test('replaces scalars, as version 1.1 allows', async () => {
    const api = await load([overlay(`  - target: $.info.title\n    update: Store\n`, '1.1.0')]);
    expect(api.title).toBe('Store');
  });

  test('removes operations and several items of one list', async () => {
    const api = await load([
      overlay(`  - target: $.paths.*.delete
    remove: true
  - target: $.tags[?@.name != 'two']
    remove: true
`),
    ]);
    expect(api.operations.map(({ id }) => id)).toEqual(['listItems']);
    expect(api.tags.map(({ name }) => name)).toEqual(['two']);
  });

  test('copies one part of the document into another, as version 1.1 allows', async () => {
    const api = await load([
      overlay(
        `  - target: $.components.schemas
    update: { Copy: {} }
  - target: $.components.schemas.Copy
    copy: $.components.schemas.Item
`,
        '1.1.0',
      ),
    ]);
    expect(api.schemas.get('Copy')?.schema).toEqual(api.schemas.get('Item')?.schema);
  });

  test('an overlay is applied to the result of the one before it', async () => {
    const api = await load([
      overlay(`  - target: $\n    update: { x-mark: first }\n`),
      overlay(`  - target: $[?@ == 'first']\n    update: second\n`),
    ]);
    expect(api.extensions['x-mark']).toBe('second');
  });

  test('an overlay whose target matches nothing is a warning at the target', async () => {
    const api = await load([overlay(`  - target: $.paths['/itmes']\n    remove: true\n`)]);
    expect(summary(api)).toContain('overlay-unmatched overlay-0.yaml:4 /actions/0/target');
  });

  test.each([
    ['a version that is not known', overlay('  - target: $\n    remove: true\n', '2.0.0'), /has version "2\.0\.0"/],
    ['no actions', 'overlay: 1.0.0\ninfo: { title: x, version: x }\n', /has no list of actions/],
    ['a JSONPath that cannot be read', overlay('  - target: $.a[\n    update: {}\n'), /cannot be read/],
    ['a version that is a number', overlay('  - target: $\n    remove: true\n', '1.0'), /write "1\.1\.0" in quotes/],
    [
      'misspelt actions',
      'overlay: 1.0.0\naction: []\n',
      /no list of actions\. It has "action"\. Did you mean "actions"\?/,
    ],
    ['a misspelt target', overlay('  - targt: $.info\n    remove: true\n'), /It has "targt"\. Did you mean "target"\?/],
    ['a misspelt change', overlay('  - target: $.info\n    udpate: {}\n'), /It has "udpate"\. Did you mean "update"\?/],
    [
      'a removal that is no boolean',
      overlay("  - target: $.info\n    remove: 'yes'\n"),
      /needs update, remove: true or copy/,
    ],
    [
      'a name with a slash outside of brackets',
      overlay('  - target: $.paths./items.get\n    remove: true\n'),
      /need brackets: \$\.paths\['\/items'\]\.get/,
    ],
    ['the whole document removed', overlay('  - target: $\n    remove: true\n'), /cannot remove the whole document/],
    ['a text for an object', overlay('  - target: $.info\n    update: x\n'), /has another type/],
    [
      'a copy of a missing value',
      overlay('  - target: $.info\n    copy: $.nothing\n', '1.1.0'),
      /must select exactly one value/,
    ],
  ])('an overlay with %s is an error', async (_, text, message) => {
    const { diagnostics } = await load([text]);
    expect(diagnostics.find(({ code }) => code === 'overlay-invalid')?.message).toMatch(message);
  });

  test('the error for an empty overlay says that it is an overlay', async () => {
    await expect(load([''])).rejects.toThrow('The overlay cannot be read: the file is empty.');
  });

  test('an action without a change is a warning at the action', async () => {
    const api = await load([
      overlay('  - { target: $.info, description: later }\n  - { target: $.tags, remove: false }\n'),
    ]);
    expect(summary(api).filter((line) => line.startsWith('overlay'))).toEqual([
      'overlay-without-effect overlay-0.yaml:4 /actions/0',
      'overlay-without-effect overlay-0.yaml:5 /actions/1',
    ]);
  });

  test('a name with a hyphen is read as if it were in brackets, with a warning that shows them', async () => {
    const api = await load([
      overlay(`  - { target: $.info, update: { x-stage: { is-beta: true } } }
  - { target: '$[?@.x-stage.is-beta == true && @.title != "a.b-c"]', update: { title: Beta } }
`),
    ]);
    expect(api.title).toBe('Beta');
    expect(api.diagnostics.find(({ code }) => code === 'overlay-unbracketed')?.message).toContain(
      `needs brackets: $[?@['x-stage']['is-beta'] == true && @.title != "a.b-c"]`,
    );
  });

  test('an overlay with a JSONPath that cannot be read is reported at the JSONPath', async () => {
    const api = await load([overlay('  - target: $.a[\n    update: {}\n')]);
    expect(summary(api)).toContain('overlay-invalid overlay-0.yaml:4 /actions/0/target');
  });

  test('a diagnostic has a position in the overlay if the overlay is its cause', async () => {
    const api = await load([
      overlay(`  - target: $.components.schemas.Item.properties
    update:
      name: { type: strnig }
`),
    ]);
    expect(summary(api)).toContain('keyword-shape overlay-0.yaml:6 /actions/0/update/name/type');
  });

  test('positions stay right after an overlay removes items of a list', async () => {
    const api = await load([overlay(`  - target: $.paths['/items'].get.parameters[0]\n    remove: true\n`)]);
    expect(summary(api)).toContain('ref-unresolved spec.yaml:12 /paths/~1items/get/parameters/2/schema/$ref');
  });

  test.each([
    ['search', '(a+)+b', 'aaaa'.repeat(100), 'A', 0],
    ['match', '(a|a)*b', 'aaaa'.repeat(100), 'A', 0],
    ['match', 'a.c', 'abc', 'a\\rc', 1],
    ['search', '[.]', 'x.y', 'xyz', 1],
    ['search', String.raw`\\d`, '1', 'A', 0],
  ])(
    '%s with the pattern %s takes linear time, and follows the rules of I-Regexps',
    async (name, pattern, one, other, found) => {
      const texts = JSON.stringify({ one: { t: one }, other: { t: JSON.parse(`"${other}"`) as string } });
      const api = await load([
        overlay(`  - { target: $, update: { x-texts: ${texts} } }
  - { target: '$["x-texts"][?${name}(@.t, "${pattern}")]', update: { y: 1 } }
`),
      ]);
      const codes = api.diagnostics.map(({ code }) => code).filter((code) => code.startsWith('overlay'));
      expect(codes).toEqual(found === 1 ? [] : ['overlay-unmatched']);
    },
  );

  test('an overlay is one of the files of the API, so that watching notices a change', async () => {
    const api = await load([overlay('  - target: $.info\n    update: {}\n')]);
    expect(api.files.map(({ path: file }) => path.basename(file))).toEqual(['spec.yaml', 'overlay-0.yaml']);
  });
});

describe('helpers of the configuration', () => {
  test('helpers of the configuration become extensions of the operation with that id, or that method and path', async () => {
    const paging = { kind: 'page' };
    const api = await load([], {
      helpers: { listItems: { 'x-pagination': paging }, 'DELETE /items': { 'x-rule': 'r' } },
    });
    expect(api.operations.map(({ extensions }) => extensions)).toEqual([{ 'x-pagination': paging }, { 'x-rule': 'r' }]);
  });

  test('a helper of the configuration for an unknown operation is an error with a suggestion', async () => {
    await expect(load([], { helpers: { listItem: {} } })).rejects.toThrow(
      'The helpers of the configuration name the operation "listItem", which the spec does not have. Did you mean listItems?',
    );
  });

  test('a helper of the configuration with a misspelt extension is an error with a suggestion', async () => {
    await expect(load([], { helpers: { listItems: { 'x-paginaton': {} } } })).rejects.toThrow(
      'give "listItems" the extension "x-paginaton", which has no meaning. Did you mean x-pagination?',
    );
    const api = await load([], { helpers: { listItems: { 'x-of-my-emitter': 1 } } });
    expect(api.operations[0]?.extensions).toEqual({ 'x-of-my-emitter': 1 });
  });

  test('x-event-stream of the configuration becomes an extension of the event streams of the operation', async () => {
    const types = ['application/json', 'Text/Event-Stream; charset=utf-8'].map(
      (type) => `'${type}': { schema: { type: string } }`,
    );
    const spec = SPEC.replace('{ description: OK }', `{ description: OK, content: { ${types.join(', ')} } }`);
    const file = path.join(specFolder({ 'spec.yaml': spec }), 'spec.yaml');
    const api = await loadApi(file, { helpers: { listItems: { 'x-event-stream': 'item' } } });
    const [list] = api.operations;
    expect(list?.extensions).toEqual({});
    expect(list?.responses[0]?.content.map(({ extensions }) => extensions)).toEqual([{}, { 'x-event-stream': 'item' }]);
    const other = await load([], { helpers: { listItems: { 'x-event-stream': 'item' } } });
    expect(other.operations[0]?.extensions).toEqual({ 'x-event-stream': 'item' });
  });
});
