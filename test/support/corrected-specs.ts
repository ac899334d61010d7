/** Parts of specs whose resources cannot be inferred without a correction. */
const TEXT = { type: 'string' };

const json = (schema: object): object => ({ content: { 'application/json': { schema } } });
const FAILED = Object.fromEntries(
  ['400', '404'].map((status) => [status, { description: 'Refused.', ...json({ type: 'object' }) }]),
);

/** An object with members, all of them required. */
function object(properties: Readonly<Record<string, object>>): object {
  return { type: 'object', required: Object.keys(properties), properties };
}

function listOf(items: object): object {
  return { type: 'array', items };
}

interface Shape {
  readonly takes?: object;
  readonly query?: readonly string[];
  readonly returns?: object;
  readonly status?: number;
}

/** Builds a spec from operations such as `GET /books/{id} readBook`. */
function specOf(shapes: Readonly<Record<string, Shape>>, corrections?: object): Record<string, unknown> {
  const paths: Record<string, Record<string, object>> = {};
  for (const [key, { takes, query = [], returns, status = 200 }] of Object.entries(shapes)) {
    const [method = '', path = '', operationId] = key.split(' ');
    const inPath = [...path.matchAll(/\{([^{}]+)\}/g)].map(([, name]) => ({ name, in: 'path', required: true }));
    const inQuery = query.map((name) => ({ name, in: 'query' }));
    const body = takes === undefined ? {} : { requestBody: { required: true, ...json(takes) } };
    paths[path] ??= {};
    paths[path][method.toLowerCase()] = {
      operationId,
      parameters: [...inPath, ...inQuery].map((parameter) => ({ ...parameter, schema: TEXT })),
      ...body,
      responses: { [status]: { description: 'Done.', ...(returns === undefined ? {} : json(returns)) }, ...FAILED },
    };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Corrected', version: '1' },
    ...(corrections === undefined ? {} : { 'x-resources': corrections }),
    paths,
  };
}

/** Silences, whose items have the singular path, as in Alertmanager. */
const SILENCE = object({ id: TEXT, comment: TEXT });
export const silences = (corrections?: object): Record<string, unknown> =>
  specOf(
    {
      'GET /silences getSilences': { returns: listOf(SILENCE) },
      'POST /silences postSilences': { takes: object({ comment: TEXT }), returns: object({ silenceID: TEXT }) },
      'GET /muted/{silenceID} getSilence': { returns: SILENCE },
      'DELETE /muted/{silenceID} deleteSilence': {},
    },
    corrections,
  );

/** Calls with words that say nothing. */
const PAGE = object({ ref: TEXT, title: TEXT });
export const calls = (corrections?: object): Record<string, unknown> =>
  specOf(
    {
      'POST /wiki.forge forge': { takes: object({ title: TEXT }), returns: PAGE },
      'POST /wiki.peek peek': { takes: object({ ref: TEXT }), returns: PAGE },
      'POST /wiki.shelf shelf': { takes: { type: 'object' }, returns: object({ data: listOf(PAGE) }) },
      'POST /wiki.recent recent': { returns: object({ data: listOf(PAGE) }) },
      'POST /wiki.amend amend': { takes: { ...object({ ref: TEXT, title: TEXT }), required: ['ref'] }, returns: PAGE },
      'POST /wiki.redo redo': { takes: PAGE, returns: PAGE },
      'POST /wiki.bin bin': { takes: object({ ref: TEXT }), status: 204 },
    },
    corrections,
  );

/** Projects, which belong to an organization by a member alone. */
const ORG = object({ id: TEXT, name: TEXT });
const PROJECT = object({ id: TEXT, name: TEXT, organization_id: TEXT });
export const projects = (corrections?: object): Record<string, unknown> =>
  specOf(
    {
      'POST /organizations addOrganization': { takes: object({ name: TEXT }), returns: ORG, status: 201 },
      'GET /organizations/{id} readOrganization': { returns: ORG },
      'DELETE /organizations/{id} deleteOrganization': { status: 204 },
      'GET /projects listProjects': { query: ['organization_id'], returns: listOf(PROJECT) },
      'POST /projects addProject': {
        takes: object({ name: TEXT, organization_id: TEXT }),
        returns: PROJECT,
        status: 201,
      },
      'GET /projects/{id} readProject': { returns: PROJECT },
    },
    corrections,
  );

/** Repositories, whose owner is repeated in a member of another name. */
const REPO = object({ id: TEXT, name: TEXT, login: TEXT });
export const repos = (corrections?: object): Record<string, unknown> =>
  specOf(
    {
      'GET /users/{owner}/repos listRepos': { returns: listOf(REPO) },
      'POST /users/{owner}/repos addRepo': { takes: object({ name: TEXT }), returns: REPO, status: 201 },
      'GET /users/{owner}/repos/{id} readRepo': { returns: REPO },
    },
    corrections,
  );

/** A creation at the path of another collection, and a POST to the collection that searches. */
const NOTE = object({ id: TEXT, text: TEXT });
export const notes = (corrections?: object): Record<string, unknown> =>
  specOf(
    {
      'POST /notes searchNotes': { takes: { type: 'object', properties: { text: TEXT } }, returns: listOf(NOTE) },
      'POST /drafts writeNote': { takes: object({ text: TEXT }), returns: NOTE, status: 201 },
      'GET /notes/{id} readNote': { returns: NOTE },
    },
    corrections,
  );
