import path from 'node:path';

import { expect, test } from 'vitest';

import { runContract } from '../../../entry/contract.js';
import { runPastedTest } from '../../support/run-pasted-test.js';

const SPEC = path.join(import.meta.dirname, '../specs/people.yaml');

interface Person {
  readonly name: string;
  readonly address: unknown;
}

/** A server by hand. `keep`: what becomes of an address. */
function servePeople(keep: (address: unknown) => unknown): typeof fetch {
  const people = new Map<string, Person>();
  return async (input, init) => {
    const request = new Request(input, init);
    const [, , id = ''] = new URL(request.url).pathname.split('/');
    if (request.method === 'GET') {
      const person = people.get(id);
      return person === undefined ? new Response(null, { status: 404 }) : Response.json({ id, ...person });
    }
    if (request.method !== 'POST' || id !== '')
      return new Response(null, { status: 405, headers: { allow: id === '' ? 'POST' : 'GET' } });
    if (!/json/.test(request.headers.get('content-type') ?? '')) return new Response(null, { status: 415 });
    const sent = readPerson(await request.text());
    if (sent === undefined) return new Response(null, { status: 400 });
    const key = String(people.size + 1);
    people.set(key, { name: sent.name, address: keep(sent.address) });
    return Response.json({ ...sent, id: key }, { status: 201 });
  };
}

function readPerson(text: string): Person | undefined {
  try {
    const person = JSON.parse(text) as Partial<Person> | null;
    const { name, address } = person ?? {};
    const city = (address as { readonly city?: unknown } | null | undefined)?.city;
    const isAddress = address === null || typeof city === 'string';
    return typeof name === 'string' && name !== '' && isAddress ? { name, address } : undefined;
  } catch {
    return undefined;
  }
}

test.each([
  ['null', null],
  ['an empty list', []],
])('the test of an object that the server returns as %s fails on that server only', async (_name, shown) => {
  const faulty = servePeople(() => shown);
  const url = 'http://people.test';
  const { findings } = await runContract({ spec: SPEC, url, fetch: faulty, phases: ['stateful'], seed: 1 });
  const found = findings.find(({ check, pointer }) => check === 'read back equal' && pointer === '/address');
  const code = found?.test ?? '';
  expect(code).toContain("expect(Object.prototype.toString.call(body2?.address)).toBe('[object Object]')");
  await expect(runPastedTest(code, { fetch: faulty })).rejects.toThrow(/\[object (?:Null|Array)\]/);
  const right = servePeople((address) => address);
  await expect(runPastedTest(code, { fetch: right })).resolves.toBeUndefined();
});
