import { fileURLToPath } from 'node:url';

import { expect, test } from 'vitest';

import { getOrInsert } from '../../model/maps.js';
import { type Assignment, ResourceFinder } from '../../resources/resource-finder.js';
import { loadApi } from '../../model/load-api.js';

const PETSTORE = [
  'pet/{petId} by id: replace create list list read patch delete',
  'store/order/{orderId} by id: create read delete',
  'user/{username} by username: create createMany createMany read replace delete',
];

const CASES: readonly (readonly [spec: string, resources: readonly string[]])[] = [
  ['node_modules/@readme/oas-examples/2.0/json/petstore.json', PETSTORE],
  ['node_modules/@readme/oas-examples/3.0/json/petstore.json', PETSTORE],
  ['node_modules/@readme/oas-examples/3.1/json/petstore.json', PETSTORE],
  [
    'node_modules/@readme/oas-examples/3.1/json/train-travel.json',
    ['stations by id: list', 'trips by id: list', 'bookings/{bookingId} by id: list create read delete'],
  ],
  [
    'specs/tables/openapi.yaml',
    [
      'projects/{projectId}/datasets/{datasetId}/tables/{tableId} by tableReference.tableId: list create read replace delete patch',
    ],
  ],
  ['specs/engine/openapi.yaml', ['api/{entity}/{key}/{value} by key and value: list create read replace delete patch']],
  [
    'specs/generation/openapi.yaml',
    [
      'v1beta/models/{model} by name models/…: list read',
      'v1beta/files/{name} by name files/…: list read delete',
      'v1beta/cachedContents/{name} by name cachedContents/…: list create read delete patch',
    ],
  ],
  [
    'specs/notifications/openapi.yaml',
    [
      'notifications by id: list',
      'notifications/threads/{thread_id} by id: read delete patch',
      'notifications/threads/{thread_id}/subscription: read replace delete',
      'repos/{owner}/{repo}/notifications by id: list',
    ],
  ],
  [
    'specs/signing/openapi.yaml',
    ['api/v2/case by Id: create patch delete read list', 'api/v2/findtemplates by Id: list'],
  ],
  ['specs/dictionary/openapi.yaml', []],
];

test.each(CASES)('finds the resources of %s', async (spec, resources) => {
  const api = await loadApi(fileURLToPath(new URL(`../../${spec}`, import.meta.url)));
  const finder = new ResourceFinder(api);
  const groups = new Map<unknown, Assignment[]>();
  for (const operation of api.operations) {
    const assignment = finder.assign(operation);
    if (assignment !== undefined) getOrInsert(groups, assignment.group, () => []).push(assignment);
  }
  expect([...groups.values()].map(describeResource)).toEqual(resources);
});

function describeResource(assignments: readonly Assignment[]): string {
  const [{ core }] = assignments as [Assignment];
  const { id, kind, itemPath, collectionPath } = core;
  const prefix = id === undefined || id.prefix === '' ? '' : ` ${id.prefix}…`;
  const name = id === undefined ? 'key and value' : id.path.join('.');
  const key = kind === 'singleton' ? '' : ` by ${name}${prefix}`;
  return `${(itemPath ?? collectionPath).slice(1)}${key}: ${assignments.map(({ part }) => part.role).join(' ')}`;
}
