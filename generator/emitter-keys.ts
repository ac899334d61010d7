import type { Api } from '../model/api.js';
import { printApiText } from './api-text.js';
import { hashContent } from '../model/content-hash.js';
import { collectExamples, printExamplesText } from './fixtures/collect-examples.js';

/** A hash of all of an API that its validators are made of. */
export function validatorsKey(api: Api): string {
  return hashContent(printApiText(api));
}

/** A hash of all of an API that its fixtures are made of. */
export function fixturesKey(api: Api): string {
  return hashContent(`${printApiText(api)}\n${printExamplesText(collectExamples(api))}`);
}
