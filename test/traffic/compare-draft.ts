import { readAllExchanges, type RecordedExchange } from '../../http/recording/read-exchanges.js';
import { findResponse } from '../../http/response/response-spec.js';
import { type FindRoute, type RouteMatch, createRouter, splitTarget } from '../../http/routing/router.js';
import type { Api, MediaType, Operation } from '../../model/api.js';
import { basePaths } from '../../model/base-url.js';
import { loadApi } from '../../model/load-api.js';
import { compileValidator } from '../../schema/compile-validator.js';
import { readBody } from '../../traffic/read-body.js';

/** A draft beside the true spec, by the calls that both describe. */
export interface ComparedDraft {
  /** True operations that were called and answered, as `GET /items/{}`. */
  readonly called: readonly string[];
  /** Those of them whose calls have no operation of the same method and template in the draft. */
  readonly notFound: readonly string[];
  /** Operations of the draft without a call. */
  readonly invented: readonly string[];
  /** Recorded bodies that the draft does not accept. */
  readonly refused: readonly string[];
  readonly diagnostics: readonly string[];
}

/** A response that says that there is no such operation, or no such item. */
const MISSING = new Set([0, 101, 404, 405, 426, 501]);

/** A recording, and the spec that it was made with. */
interface Recorded {
  readonly truth: Api;
  readonly recording: string;
  /** Path parameters whose values name kinds of items: the draft has a path for each value. */
  readonly kinds: readonly string[];
}

export async function compareDraft(draftFile: string, { truth, recording, kinds }: Recorded): Promise<ComparedDraft> {
  const draft = await loadApi(draftFile);
  const [findTrue, findDrafted] = [createRouter(truth), createRouter(draft)];
  const called = new Map<string, boolean>();
  const used = new Set<Operation>();
  const refused = new Set<string>();
  for await (const exchange of readAllExchanges([recording], { cwd: '/' })) {
    const operation = matchOf(findDrafted, exchange)?.operation;
    if (operation !== undefined) {
      used.add(operation);
      for (const problem of findRefused(draft, operation, exchange)) refused.add(problem);
    }
    const own = matchOf(findTrue, exchange);
    if (own === undefined || MISSING.has(exchange.status)) continue;
    const template = kinds.reduce(
      (at, kind) => at.replace(`{${kind}}`, own.values.get(kind) ?? ''),
      own.operation.path,
    );
    const name = `${exchange.method} ${plain(template)}`;
    const isFound =
      operation !== undefined &&
      basePaths(own.operation.servers)
        .concat('')
        .some((base) => plain(operation.path) === plain(base + template));
    called.set(name, (called.get(name) ?? true) && isFound);
  }
  return {
    called: [...called.keys()],
    notFound: [...called].flatMap(([name, isFound]) => (isFound ? [] : [name])),
    invented: draft.operations.filter((one) => !used.has(one)).map(({ id }) => id),
    refused: [...refused],
    diagnostics: draft.diagnostics.map(({ message }) => message),
  };
}

function matchOf(
  find: FindRoute,
  { method, target }: RecordedExchange,
): Extract<RouteMatch, { kind: 'operation' }> | undefined {
  const match = find(method, splitTarget(target).path);
  return match.kind === 'operation' ? match : undefined;
}

const plain = (path: string): string => path.replaceAll(/\{[^{}]*\}/g, '{}').replace(/(?<=.)\/$/, '');

/** The bodies of a call that its operation in the draft does not accept: the response, and an accepted request. */
function findRefused(draft: Api, operation: Operation, { status, request, response }: RecordedExchange): string[] {
  const documented = findResponse(operation, status);
  if (documented === undefined && !MISSING.has(status)) return [`${operation.id}: no response ${status}`];
  return [
    ...(status < 400 ? findErrors(draft, operation.body?.content, { message: request, direction: 'request' }) : []),
    ...findErrors(draft, documented?.content, { message: response, direction: 'response' }),
  ].map((error) => `${operation.id} ${status}: ${error}`);
}

function findErrors(
  draft: Api,
  content: readonly MediaType[] | undefined,
  { message, direction }: { readonly message: RecordedExchange['request']; readonly direction: 'request' | 'response' },
): string[] {
  const body = readBody(message);
  const media = content?.find(({ mediaType }) => mediaType === body?.mediaType?.essence);
  if (body?.value === undefined || content === undefined) return [];
  if (media?.schema === undefined) return [`no schema of ${body.mediaType?.essence}`];
  const errors = compileValidator(draft, media.schema, { direction })(body.value);
  return errors.map(({ pointer, message: text }) => `${direction} ${pointer} ${text}`);
}
