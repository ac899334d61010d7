import type { ApiResponse, Link, Operation } from '../api.js';
import type { DiagnosticCollector } from '../diagnostics/create-diagnostic.js';
import type { RefResolver } from '../normalise/ref-resolver.js';

/** Converts `operationRef`s to operation ids, and drops links that lead nowhere with a diagnostic. */
export function resolveLinks(
  operations: readonly Operation[],
  { resolver, problems }: { readonly resolver: RefResolver; readonly problems: DiagnosticCollector },
): Operation[] {
  if (!operations.some(({ responses }) => responses.some(({ links }) => links.length > 0))) return [...operations];
  const ids = new Set(operations.map((operation) => operation.id));
  const bySource = new Map(operations.map(({ source, id }) => [`${source.file}#${source.pointer}`, id]));
  const resolveLink = (link: Link): Link[] => {
    if (ids.has(link.operationId)) return [link];
    const target = link.operationId.includes('#')
      ? resolver.resolve(link.operationId, { file: link.source.file, resourcePointer: '' })
      : undefined;
    const id = target === undefined ? undefined : bySource.get(`${target.file}#${target.pointer}`);
    if (id !== undefined) return [{ ...link, operationId: id }];
    problems.report(
      'link-unresolved',
      link.source,
      `The link ${JSON.stringify(link.name)} leads to no operation of this document.`,
    );
    return [];
  };
  const resolveResponse = (response: ApiResponse): ApiResponse =>
    response.links.length === 0 ? response : { ...response, links: response.links.flatMap(resolveLink) };
  return operations.map((operation) =>
    operation.responses.some(({ links }) => links.length > 0)
      ? { ...operation, responses: operation.responses.map(resolveResponse) }
      : operation,
  );
}
