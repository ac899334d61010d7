import type { Operation, Parameter } from '../../../model/api.js';
import { listItemOf, shownItems } from '../../../resources/envelope.js';
import { listParametersOf } from '../../../resources/list-parameters.js';
import { compileValidator } from '../../../schema/compile-validator.js';
import type { ContractRun } from '../../execute/contract-run.js';
import { type ListResponse, namesOf, readList } from './read-list.js';

/** The most texts that are searched for. */
const MAX_TRIES = 3;
/** The most creations whose items are examined, latest first. */
const MAX_CREATIONS = 200;

/** Reads a list with a required search text. Tries texts until one finds at least two items. */
export async function findBySearch(run: ContractRun, operation: Operation): Promise<ListResponse | undefined> {
  const { api } = run.options;
  const { text } = listParametersOf(operation, listItemOf(operation, api) ?? true, api);
  const parameter = operation.parameters.find((one) => one.in === 'query' && one.required && one.name === text?.name);
  for (const asked of parameter === undefined ? [] : textsFor(run, parameter)) {
    const found = parameter === undefined ? undefined : await readList(run, operation, new Map([[parameter, asked]]));
    if (found !== undefined && found.items.length > 1) return found;
  }
  return undefined;
}

/** The commonest beginnings of names: a letter, a word, and a whole name. */
function textsFor(run: Pick<ContractRun, 'context' | 'log' | 'options'>, { schema }: Parameter): string[] {
  const names = run.log
    .goodFrom(0, Infinity)
    .filter(({ sent }) => run.context.pool.roles.isCreation(sent.call.operation))
    .slice(-MAX_CREATIONS)
    .flatMap(({ exchange }) => shownItems(exchange.json).flatMap(namesOf));
  const validate = compileValidator(run.options.api, schema, { direction: 'request' });
  const parts = [names.map((name) => name.slice(0, 1)), names.map((name) => name.split(' ')[0] ?? ''), names];
  const texts = parts.flatMap((part) => commonest(part.filter((one) => validate(one).length === 0)) ?? []);
  return [...new Set(texts)].slice(0, MAX_TRIES);
}

function commonest(texts: readonly string[]): string | undefined {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  const [first] = [...counts].filter(([text]) => text !== '').toSorted(([, one], [, other]) => other - one);
  return first?.[0];
}
