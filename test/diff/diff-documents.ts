import { type Change, diffApis } from '../../diff/index.js';
import { loadDocument } from '../support/load-document.js';

/** Compares two documents that a test wrote as objects. */
export async function diffDocuments(old: object, next: object): Promise<readonly Change[]> {
  const [oldApi, api] = await Promise.all([loadDocument(old), loadDocument(next)]);
  return diffApis(oldApi, api).changes;
}

/** What the tables say of a change. */
export interface ShortChange {
  readonly kind: string;
  /** `<request> / <response>`, with `-` where a direction is not touched. */
  readonly levels: string;
  readonly message: string;
  /** Pointers in the old and the new document. */
  readonly at: readonly [string, string];
}

/** A change as the tables write it. */
export function shorten(change: Change): ShortChange {
  return {
    kind: change.kind,
    levels: `${change.request ?? '-'} / ${change.response ?? '-'}`,
    message: change.message,
    at: [change.old.pointer, change.new.pointer],
  };
}

/** A document in which one schema is sent and received, as OpenAPI 3.1. */
export function documentOf(schema: unknown, schemas: object = {}): object {
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } };
  const post = {
    operationId: 'addThing',
    requestBody: { required: true, content },
    responses: { 200: { description: 'done', content } },
  };
  return {
    openapi: '3.1.0',
    info: { title: 'Test', version: '1' },
    paths: { '/things': { post } },
    components: { schemas: { Thing: schema, ...schemas } },
  };
}
