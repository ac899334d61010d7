import type { Given } from '../config/given.js';
import { readOptions } from '../config/read-options.js';
import type { LifeProblem } from '../contract/lives/life.js';
import { playLives } from '../contract/lives/play-lives.js';
import type { ExplainOptions as GeneratedOptions } from '../generated/options/types.js';
import type { Api } from '../model/api.js';
import { suggestName } from '../model/diagnostics/closest-name.js';
import { InputError } from '../model/diagnostics/input-error.js';
import type { UnmappedOperation } from '../resources/map/resource-map.js';
import { describeResources } from '../server/page/describe-resources.js';
import type { DescribedResources } from '../server/page/views.js';
import { loadSource } from '../server/start/load-source.js';
import { resolveMockOptions } from '../server/start/mock-options.js';
import { startMock } from '../server/start-mock.js';

export interface ExplainOptions extends Given<GeneratedOptions, object> {}

/** What an API manages, as `specmill explain` prints it. */
export interface Explanation extends DescribedResources {
  /** What does not hold; only with `check`. */
  readonly problems?: readonly LifeProblem[];
}

/** Implements `explain`, which `entry/specmill.ts` loads late. */
export async function explainSource(source: string | Api, given: ExplainOptions): Promise<Explanation> {
  const { part, check, ...options } = readOptions('ExplainOptions', given);
  const loaded = await loadSource(source, await resolveMockOptions(options));
  const whole = describeResources(loaded.name, loaded);
  const shown = part === undefined ? whole : selectPart(whole, part);
  if (!check) return shown;
  const fresh = { ...options, noRateLimit: true };
  await using mock = await (typeof source === 'string' ? startMock(source, fresh) : startMock(source, fresh));
  const problems = await playLives(loaded.api, shown.resources, mock);
  return { ...shown, problems: problems.filter(({ operationId }) => !shown.handled.includes(operationId)) };
}

/** The part of an explanation that is about a path, with or without its first slash, or an operation. */
function selectPart(whole: Explanation, wanted: string): Explanation {
  const isPath = (path: string | undefined): boolean => path === wanted || path === `/${wanted}`;
  const isWanted = (one: Pick<UnmappedOperation, 'operationId' | 'path'>): boolean =>
    isPath(one.path) || one.operationId === wanted;
  const resources = whole.resources.filter(
    ({ path, itemPath, operations }) => isPath(path) || isPath(itemPath) || operations.some(isWanted),
  );
  const stateless = whole.stateless.filter(isWanted);
  if (resources.length === 0 && stateless.length === 0) throw unknownPart(whole, wanted);
  const paths = new Set([...resources, ...stateless].map(({ path }) => path));
  return { ...whole, resources, stateless, suggestions: whole.suggestions.filter(({ path }) => paths.has(path)) };
}

function unknownPart({ resources, stateless }: Explanation, wanted: string): InputError {
  const operations = [...resources.flatMap((one) => one.operations), ...stateless];
  const names = [...resources, ...operations].map(({ path }) => path);
  const known = new Set([...names, ...operations.map(({ operationId }) => operationId)]);
  return new InputError(
    `The spec has no path or operation ${JSON.stringify(wanted)}.${suggestName(wanted, [...known])}`,
  );
}
