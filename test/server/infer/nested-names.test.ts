import { expect, it, onTestFinished } from 'vitest';

import { explain } from '../../../entry/specmill.js';
import { startMock } from '../../../entry/mock.js';
import { loadDocument } from '../../support/load-document.js';
import { listOf, object, smallSpec, TEXT } from '../../support/small-spec.js';

/** An item below a shelf, whose `name` has one of these examples. */
function shelvesWith(example: string): object {
  const BOOK = object({ name: { ...TEXT, readOnly: true, example }, title: TEXT });
  return smallSpec({
    'POST /shelves/{shelf}/books addBook': { takes: object({ title: TEXT }), returns: BOOK },
    'GET /shelves/{shelf}/books listBooks': { returns: object({ books: listOf(BOOK) }) },
    'GET /shelves/{shelf}/books/{book} readBook': { returns: BOOK },
  });
}

it('the name of an item that contains its parents has the parents and the id of its path', async () => {
  const api = await loadDocument(shelvesWith('shelves/one/books/two'));
  expect((await explain(api)).resources[0]?.id).toMatchObject({ member: '/name', isSure: true });
  const mock = await startMock(api);
  onTestFinished(() => mock.close());
  const call = async (path: string, body?: object): Promise<unknown> => {
    const init = body && {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    };
    return (await mock.fetch(`${mock.url}/${path}`, init)).json();
  };
  const created = (await call('shelves/a/books', { title: 'Winds' })) as { readonly name: string };
  expect(created.name).toMatch(/^shelves\/a\/books\/[^/]+$/);
  expect(await call(created.name)).toEqual(created);
  expect(await call('shelves/a/books')).toEqual({ books: [created] });
  expect(await call('shelves/b/books')).toEqual({ books: [] });
});

it.each(['two', 'racks/one/books/two', 'shelves/one/books/two/pages', '/shelves/one/books/two'])(
  'a name such as %s is no name of an item and its parents',
  async (example) => {
    const { id } = (await explain(await loadDocument(shelvesWith(example)))).resources[0] ?? {};
    expect(id).not.toHaveProperty('isLink', true);
  },
);
