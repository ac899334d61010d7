import { readdirSync } from 'node:fs';
import path from 'node:path';

import { runContract } from '../../entry/contract.js';
import { loadApi } from '../../model/load-api.js';
import { packageRoot } from '../../model/package-info.js';
import { startMock } from '../../server/start-mock.js';

const FOLDER = path.join(packageRoot, 'node_modules/@readme/oas-examples');

/** The documents of the package, such as `3.1/json/petstore.json`. */
export const FOREIGN_SPECS: readonly string[] = ['2.0', '3.0', '3.1'].flatMap((version) =>
  readdirSync(path.join(FOLDER, version, 'json'))
    .filter((file) => file.endsWith('.json'))
    .map((file) => `${version}/json/${file}`),
);

/**
 * Findings that no mock can avoid, as `check operation`: a schema that nothing satisfies, or an example that its own
 * schema refuses.
 */
const UNAVOIDABLE: Readonly<Record<string, RegExp>> = {
  '3.0/json/circular-request-bodies.json': /^no server error directCircular$/,
  '3.0/json/readme-legacy.json': /^response schema /,
  '3.0/json/request-examples.json':
    /^(documented status|valid input accepted) (put|patch) \/requestBody-primitive-example$/,
};

/** Requests that the run writes in a form that their parameters do not have, so that a server must refuse them. */
const MISWRITTEN: Readonly<Record<string, RegExp>> = {
  // A required list that is empty is no parameter at all where it is exploded.
  '2.0/json/petstore.json': /^valid input accepted findPetsBy|^int64 precision |^written as sent (?:addPet|placeOrder)/,
  '3.0/json/petstore.json': /^valid input accepted findPetsBy|^int64 precision |^written as sent (?:addPet|placeOrder)/,
  '3.1/json/petstore.json': /^valid input accepted findPetsBy|^int64 precision |^written as sent (?:addPet|placeOrder)/,
  '3.0/json/schema-deprecated.json': /^valid input accepted post \/anything$/,
  // Objects with spaces or pipes are sent with commas; lists of objects have no form in a header.
  '3.0/json/parameters-style.json': /^(documented status|valid input accepted|invalid input refused) /,
  '3.1/json/parameters-style.json': /^(valid input accepted|invalid input refused) /,
  '3.0/json/circular-paths.json': /^(documented status|valid input accepted) put \/anything$/,
  // The body of a GET is not sent.
  '3.0/json/response-schemas.json': /^invalid input refused get \/anything\/object$/,
  '3.0/json/schema-enums.json': /^invalid input refused number_enumSupport$/,
  // A part of a form that is said to be JSON has a text without quotes.
  '3.0/json/schema-encoding-style.json': /^documented status encoding_form$/,
  // The mock does not fit the total of a list without paging to its items.
  '3.1/json/readme.json': /^(?:documented status (?:createAPI|validateAPI)|total getOpenRoles)$/,
};

/** What a contract run finds in the mock of a document, beside what no mock can avoid. */
export async function findFaults(spec: string, maxExamples: number): Promise<string[]> {
  const api = await loadApi(path.join(FOLDER, spec));
  if (api.operations.length === 0) return [];
  const mock = await startMock(api, { seed: 1 });
  try {
    const report = await runContract({ api, url: 'http://mock.test', fetch: mock.fetch, seed: 1, maxExamples });
    const found = report.findings.map(({ check, operationId }) => `${check} ${operationId}`);
    return found.filter((one) => UNAVOIDABLE[spec]?.test(one) !== true && MISWRITTEN[spec]?.test(one) !== true);
  } finally {
    await mock.close();
  }
}
