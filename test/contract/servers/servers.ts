import { album } from './album/server.js';
import { billing } from './billing/server.js';
import { blog } from './blog/server.js';
import { fleet } from './fleet/server.js';
import { depot } from './depot/server.js';
import type { ForeignApi } from './foreign-api.js';
import { forge } from './forge/server.js';
import { ledger } from './ledger/server.js';
import { museum } from './museum/server.js';
import { payments } from './payments/server.js';
import { planner } from './planner/server.js';
import { podcasts } from './podcasts/server.js';
import { procurement } from './procurement/server.js';
import { rooms } from './rooms/server.js';
import { shop } from './shop/server.js';
import { studio } from './studio/server.js';
import { tickets } from './tickets/server.js';
import { warehouse } from './warehouse/server.js';

/** Servers in different frameworks and styles, written from their specs alone. */
export const FOREIGN_APIS: readonly ForeignApi[] = [
  warehouse,
  tickets,
  payments,
  blog,
  album,
  shop,
  museum,
  billing,
  rooms,
  fleet,
  procurement,
  podcasts,
];

/**
 * Servers in styles of which the checks knew nothing: custom methods and soft deletion, files with ranges, ids that only
 * `Location` shows, decimal texts with cursors and bulk requests, revisions in bodies and actions by PUT and DELETE.
 */
export const OTHER_STYLES: readonly ForeignApi[] = [planner, depot, forge, ledger, studio];

export function findForeignApi(name: string): ForeignApi {
  const api = [...FOREIGN_APIS, ...OTHER_STYLES].find((one) => one.name === name);
  if (api === undefined) throw new Error(`There is no server ${name}.`);
  return api;
}
