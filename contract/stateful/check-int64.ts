import { isValidValue } from '../../schema/compile-validator.js';
import { valueSites } from '../../schema/value-sites.js';
import { setAt } from '../../schema/value-path.js';
import { matches, textOf } from '../expectations/assertion.js';
import type { CrudContext } from './crud-context.js';

/** The first integer that a double cannot hold: it comes back as …992 if the server used one. */
const BEYOND = 9_007_199_254_740_993n;

/** Checks that a 64-bit integer keeps all of its digits. */
export async function checkInt64({ run, created }: CrudContext): Promise<void> {
  const { call } = created;
  const { api } = run.options;
  const { body } = call;
  if (body?.media.schema === undefined) return;
  const sites = valueSites(body.media.schema, body.value, { api, direction: 'request' });
  const site = sites.find(
    ({ value, schemas }) =>
      ['number', 'string'].includes(typeof value) && schemas.some(({ format }) => format === 'int64'),
  );
  if (site === undefined) return;
  const isText = typeof site.value === 'string';
  const near = setAt(body.value, site.path, isText ? String(BEYOND) : 2 ** 53);
  if (!isValidValue(near, body.media.schema, api)) return;
  const value = isText ? near : setAt(body.value, site.path, BEYOND);
  const sent = { ...call, body: { ...body, value } };
  const exchange = await run.client.send({ phase: 'stateful', call: sent, expectation: { kind: 'valid' } });
  if (exchange === undefined || exchange.status > 299 || !exchange.text.includes('900719925474099')) return;
  run.findings.expect('int64 precision', matches(textOf(exchange), String(BEYOND)), {
    message: 'A 64-bit integer lost precision.',
    expected: String(BEYOND),
  });
}
