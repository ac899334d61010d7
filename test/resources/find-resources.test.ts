import type { Resource, Slot } from '../../resources/resource.js';
import path from 'node:path';

import { describe, expect, test } from 'vitest';

import { readVerbWords } from '../../resources/rpc-verbs.js';
import { findResources } from '../../resources/find-resources.js';
import { loadApi } from '../../model/load-api.js';
import type { Operation } from '../../model/api.js';
import { loadDocument } from '../support/load-document.js';
import { TEXT, listOf, object, smallSpec } from '../support/small-spec.js';

const specOf = (name: string): string => path.join(import.meta.dirname, '../../specs', name, 'openapi.yaml');

describe('a path gives the verb and the object of a call', () => {
  const rows: readonly (readonly [string, string | undefined])[] = [
    ['/api/v2/createcase', 'create case /api/v2'],
    ['/api/v2/findcases', 'list case /api/v2'],
    ['/api/v2/getcasebytemporaryid', 'read casebytemporaryid /api/v2'],
    ['/api/createCase', 'create case /api'],
    ['/api/case.update', 'patch case /api'],
    ['/api/remove-order-items', 'delete orderitem /api'],
    ['/api/case/delete', 'delete case /api'],
    ['/list_boxes', 'list box /'],
    ['/api/sendcase', undefined],
    ['/books/{bookId}', undefined],
    ['/health', undefined],
  ];
  test.each(rows)('a path gives the verb and the object of a call: %s', (template, expected) => {
    const words = readVerbWords({ path: template });
    expect(words === undefined ? undefined : `${words.role} ${words.noun} ${words.folder}`).toBe(expected);
  });
});

describe('resources', () => {
  test('operations by verb form one resource, and their ids are found in queries and bodies', async () => {
    const api = await loadApi(specOf('signing'));
    const resources = findResources(api);
    expect(resources.map(({ name }) => name)).toEqual(['/api/v2/case']);
    const [cases] = resources as [Resource];
    expect(rolesOf(cases)).toEqual({
      create: 'createcase',
      list: 'findcases',
      read: 'getcase',
      patch: 'updatecase',
      delete: 'deletecase',
    });
    expect(cases.creators.map(({ id }) => id)).toEqual(['createcasefromtemplate']);
    expect(slotsOf(cases.slots)).toMatchObject({
      getcase: 'query id',
      updatecase: 'body Id',
      updatecasemetadata: 'body Id',
      deletecase: 'body id',
      recallcase: 'body id',
      markassigned: 'body CaseId',
    });
  });

  test('collections are found by their paths, and ids of items in the responses of other operations', async () => {
    const api = await loadApi(specOf('notifications'));
    const threads = findResources(api).find(({ name }) => name === '/notifications/threads/{thread_id}');
    expect(threads?.views.map(({ id }) => id)).toEqual(['listNotifications', 'listRepositoryNotifications']);
    expect(slotsOf(threads?.slots ?? new Map())).toMatchObject({
      getThread: 'path thread_id',
      setThreadSubscription: 'path thread_id',
    });
  });

  test('an operation below an item or after a colon belongs to that item', async () => {
    const api = await loadApi(specOf('tables'));
    const tables = findResources(api).find(({ parameter }) => parameter === 'tableId');
    expect(rolesOf(tables as Resource)).toEqual({
      list: 'listTables',
      create: 'insertTable',
      read: 'getTable',
      replace: 'updateTable',
      patch: 'patchTable',
      delete: 'deleteTable',
    });
    expect(slotsOf(tables?.slots ?? new Map())).toHaveProperty('setTableIamPolicy', 'path tableId');
  });

  test('a creation below an item is not taken for a creation of such items', async () => {
    const server = object({ id: TEXT, url: TEXT });
    const zone = object({ id: TEXT, kind: TEXT });
    const document = smallSpec({
      'GET /servers listServers': { returns: listOf(server) },
      'GET /servers/{serverId} getServer': { returns: server },
      'GET /servers/{serverId}/zones listZones': { returns: listOf(zone) },
      'POST /servers/{serverId}/zones addZone': { takes: object({ kind: TEXT }), returns: zone, status: 201 },
      'GET /servers/{serverId}/zones/{zoneId} getZone': { returns: zone },
    });
    const [servers, zones] = findResources(await loadDocument(document));
    expect(rolesOf(servers as Resource)).toEqual({ list: 'listServers', read: 'getServer' });
    expect(rolesOf(zones as Resource)).toEqual({ list: 'listZones', create: 'addZone', read: 'getZone' });
  });
});

function rolesOf(resource: Resource): Record<string, string> {
  const roles = ['create', 'list', 'read', 'patch', 'replace', 'delete'] as const;
  return Object.fromEntries(
    roles.flatMap((role) => (resource[role] === undefined ? [] : [[role, resource[role].id] as const])),
  );
}

function slotsOf(slots: ReadonlyMap<Operation, Slot>): Record<string, string> {
  return Object.fromEntries(
    [...slots].map(([{ id }, slot]) => [
      id,
      slot.in === 'body' ? `body ${slot.name}` : `${slot.parameter.in} ${slot.parameter.name}`,
    ]),
  );
}
