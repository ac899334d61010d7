import type { Api, HttpMethod, Operation } from '../model/api.js';
import { listInputs } from './list-inputs.js';
import { suggestName } from '../model/diagnostics/closest-name.js';
import { splitPointer, toPointer } from '../model/document/pointer.js';
import { RESOURCES_EXTENSION } from '../model/overlay/add-resources.js';
import type { Schema } from '../model/schema-types.js';
import { membersOf } from '../schema/facts/members.js';
import { type Correction, type CorrectedRole, correctionsOf } from './corrections.js';
import {
  type CorrectionScope,
  findCorrectablePaths,
  followMembers,
  hasFreeItems,
  itemSchemas,
  operationsOf,
  responseSchemas,
  withoutSlash,
} from './corrected-resources.js';
import { finderOf } from './resource-finder.js';
import { memberPath } from './member-paths.js';

/** A part of the corrections that does not fit the API. */
export interface CorrectionProblem {
  /** JSON pointer into the spec. */
  readonly pointer: string;
  readonly message: string;
}

/** What a correction is checked with. */
interface Checked extends CorrectionScope {
  /** The path of the correction. */
  readonly key: string;
  readonly correction: Correction;
  readonly operations: readonly Operation[];
}

type Problems = Generator<CorrectionProblem, void, undefined>;

/** Finds the first part of the corrections of an API that names something that the API does not have. */
export function findCorrectionProblem(api: Api): CorrectionProblem | undefined {
  const finder = finderOf(api);
  const scope = { api, finder, paths: findCorrectablePaths(api, finder.groups.groups) };
  for (const [key, correction] of Object.entries(correctionsOf(api))) {
    if (!scope.paths.has(withoutSlash(key))) return unknownPath([key], `The API has no resource ${quote(key)}.`, scope);
    if (correction === false) continue;
    const checked = { ...scope, key, correction, operations: operationsOf(key, correction, scope) };
    for (const check of CHECKS) for (const problem of check(checked)) return problem;
  }
  return undefined;
}

const CHECKS: readonly ((checked: Checked) => Problems)[] = [
  checkOperations,
  checkMembers,
  checkIdInResponse,
  checkPage,
  checkParameters,
  checkCollections,
];

/** The methods that cannot have a role. A POST may be anything. */
const REFUSED: Readonly<Record<CorrectedRole, readonly HttpMethod[]>> = {
  create: ['get', 'head', 'delete'],
  read: ['put', 'patch', 'delete'],
  list: ['put', 'patch', 'delete'],
  update: ['get', 'head', 'delete'],
  replace: ['get', 'head', 'delete'],
  delete: ['get', 'head'],
};

function* checkOperations({ api, key, correction: { operations = {} } }: Checked): Problems {
  for (const [role, named] of Object.entries(operations) as [CorrectedRole, string | readonly string[]][]) {
    for (const [index, id] of [named].flat().entries()) {
      const path = ['operations', role, ...(typeof named === 'string' ? [] : [index])];
      const operation = api.operations.find((one) => one.id === id);
      if (operation === undefined) {
        const ids = api.operations.map((one) => one.id);
        yield at([key, ...path], `The API has no operation ${quote(id)}.${suggestName(id, ids)}`);
      } else if (REFUSED[role].includes(operation.method)) {
        const method = operation.method.toUpperCase();
        yield at([key, ...path], `The operation ${quote(id)} cannot have the role ${role}: its method is ${method}.`);
      }
    }
  }
}

function* checkMembers(checked: Checked): Problems {
  const { api, key, correction, operations } = checked;
  const { id, references = {}, unique = [], parameters = {} } = correction;
  const places: (readonly [path: readonly (string | number)[], place: string])[] = [
    ...(id === undefined ? [] : [[['id'], id] as const]),
    ...Object.keys(references).map((name) => [['references', name], name] as const),
    ...unique.map((name, index) => [['unique', index], name] as const),
    ...Object.entries(parameters).map(([name, pointer]) => [['parameters', name], pointer] as const),
  ];
  if (places.length === 0 || hasFreeItems(key, checked)) return;
  const schemas = itemSchemas(operations, api);
  for (const [path, place] of places) {
    const problem = findUnknownMember(schemas, memberPath(place), api);
    if (problem !== undefined)
      yield at([key, ...path], `The items of ${quote(key)} have no member ${quote(place)}.${problem}`);
  }
}

/** Returns a suggestion, maybe empty, if no schema has a member. */
function findUnknownMember(schemas: readonly Schema[], path: readonly string[], api: Api): string | undefined {
  const steps = schemas.map((schema) => ({ step: followMembers(schema, path, api), members: membersOf(schema, api) }));
  // A value without members, such as a text, has any member only where nothing describes it.
  const inObjects = steps.filter(({ members }) => members.size > 0);
  const fitting = inObjects.length > 0 ? inObjects : steps;
  if (fitting.length === 0 || fitting.some(({ step }) => step.isKnown)) return undefined;
  const names = new Set(fitting.flatMap(({ step }) => step.names));
  return path.map((name) => suggestName(name, names)).find((suggestion) => suggestion !== '') ?? '';
}

function* checkIdInResponse({ api, key, correction, operations }: Checked): Problems {
  const { idInResponse, operations: { create = [] } = {} } = correction;
  if (idInResponse === undefined) return;
  const named = new Set([create].flat());
  const creations = operations.filter(({ id, method }) => (named.size > 0 ? named.has(id) : method === 'post'));
  const path = splitPointer(idInResponse);
  const problem = findUnknownMember(creations.flatMap(responseSchemas), path, api);
  if (problem !== undefined)
    yield at([key, 'idInResponse'], `No response of a creation has a value at ${quote(idInResponse)}.${problem}`);
}

const PAGE_PARAMETERS = ['cursor', 'offset', 'page', 'size'] as const;
const PAGE_POINTERS = ['next', 'more', 'total'] as const;

function* checkPage({ api, key, correction: { page }, operations }: Checked): Problems {
  if (page === undefined || page === false) return;
  const names = new Set(operations.flatMap((operation) => listInputs(operation, api).map(({ name }) => name)));
  for (const member of PAGE_PARAMETERS) {
    const name = page[member];
    if (name !== undefined && !names.has(name))
      yield at(
        [key, 'page', member],
        `No operation of ${quote(key)} has the parameter ${quote(name)}, in the query or in the body.${suggestName(name, names)}`,
      );
  }
  for (const member of PAGE_POINTERS) {
    const pointer = page[member];
    if (pointer === undefined) continue;
    const problem = findUnknownMember(operations.flatMap(responseSchemas), splitPointer(pointer), api);
    if (problem !== undefined)
      yield at([key, 'page', member], `No response of ${quote(key)} has a value at ${quote(pointer)}.${problem}`);
  }
}

function* checkParameters({ key, correction: { parameters = {} }, operations }: Checked): Problems {
  const names = new Set(
    operations.flatMap((operation) => operation.parameters.filter((one) => one.in === 'path').map(({ name }) => name)),
  );
  for (const name of Object.keys(parameters)) {
    if (!names.has(name))
      yield at(
        [key, 'parameters', name],
        `No path of ${quote(key)} has the parameter ${quote(name)}.${suggestName(name, names)}`,
      );
  }
}

function* checkCollections({ key, correction: { parent, references = {} }, ...scope }: Checked): Problems {
  const named: (readonly [path: readonly string[], path: string])[] = [
    ...(parent === undefined ? [] : [[['parent'], parent] as const]),
    ...Object.entries(references).map(([name, path]) => [['references', name], path] as const),
  ];
  for (const [path, collection] of named) {
    if (!scope.paths.has(withoutSlash(collection)))
      yield unknownPath([key, ...path], `The API has no collection ${quote(collection)}.`, scope, collection);
  }
}

function unknownPath(
  path: readonly string[],
  message: string,
  { paths }: CorrectionScope,
  written: string = path[0] ?? '',
): CorrectionProblem {
  const slash = written.startsWith('/') ? '/' : '';
  const known = [...paths.keys()].map((one) => slash + one);
  // The path of an item is no path of a collection: the collection is above it.
  const above = known
    .filter((one) => written.startsWith(`${one}/`))
    .toSorted((one, other) => other.length - one.length);
  const suggestion = suggestName(written, known) || suggestName(above[0] ?? '', above);
  return at(path, message + suggestion);
}

function at(path: readonly (string | number)[], message: string): CorrectionProblem {
  return { pointer: toPointer([RESOURCES_EXTENSION, ...path]), message };
}

function quote(text: string): string {
  return JSON.stringify(text);
}
