import path from 'node:path';

import { describe, expect, test } from 'vitest';

import { InputError } from '../../entry/mock.js';
import { loadBehaviourFile } from '../../server/load-behaviour.js';
import { sandboxHost } from '../support/sandbox-host.js';
import { tempFolder } from '../support/temp-folder.js';

const GOOD =
  "import { defineMock } from 'specmill/mock';\nexport default defineMock('pets', { stateBy: 'account' });\n";

describe('the module of a behaviour', () => {
  test.each([
    ['as its default', GOOD],
    ['as mock', GOOD.replace('export default', 'export const mock =')],
    ['from its own module', "export { behaviour as default } from './other.js';"],
  ])('the module of a behaviour may export a mock %s', async (_how, text) => {
    const folder = tempFolder({
      'pets.mock.ts': text,
      'other.ts': GOOD.replace('export default', 'export const behaviour ='),
    });
    expect(await loadBehaviourFile(path.join(folder, 'pets.mock.ts'))).toMatchObject({ stateBy: 'account' });
  });

  test('the module of a behaviour imports the classes of this process from specmill/mock', async () => {
    const folder = tempFolder({
      'pets.mock.ts': `import { defineMock, InputError } from 'specmill/mock';
export default defineMock('pets', { prepare: () => { throw new InputError('No pets today.'); } });`,
    });
    const { prepare } = await loadBehaviourFile(path.join(folder, 'pets.mock.ts'));
    expect(() => prepare?.({}, sandboxHost())).toThrow(InputError);
  });

  test.each<[string, Readonly<Record<string, string>>, RegExp, object]>([
    ['syntax', { 'pets.mock.ts': 'export default {\n  a: ,\n};' }, /loaded: Unexpected token$/, { line: 2, column: 6 }],
    [
      'syntax in what it imports',
      { 'pets.mock.ts': "import './other.js';", 'other.ts': 'const = 1;' },
      /loaded: Unexpected token$/,
      { file: 'other.ts', line: 1, column: 7 },
    ],
    ['code that throws', { 'pets.mock.ts': 'throw new Error("no luck");' }, /loaded: no luck$/, {}],
    [
      'a member that a mock does not have',
      { 'pets.mock.ts': GOOD.replace('stateBy:', 'handlers: {}, stateBy:') },
      /The definition of a mock has no member "handlers"\. It has prepare, seed, operations, /,
      {},
    ],
    ['no mock', { 'pets.mock.ts': 'export default 1;' }, /must export what defineMock gives/, {}],
  ])(
    'an invalid module of a behaviour is refused with a sentence and its position: %s',
    async (_what, files, message, place) => {
      const folder = tempFolder(files);
      const { file = 'pets.mock.ts', ...position } = place as { file?: string };
      await expect(loadBehaviourFile(path.join(folder, 'pets.mock.ts'))).rejects.toMatchObject({
        message: expect.stringMatching(message),
        place: { ...position, file: path.join(folder, file) },
      });
    },
  );
});
