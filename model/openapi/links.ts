import type { ApiResponse, Link, Operation } from '../api.js';
import type { DiagnosticCollector } from '../diagnostics/create-diagnostic.js';
import { fragmentToPointer } from '../document/pointer.js';

/** Turns `operationRef`s into operation ids, and leaves out links that lead nowhere, with a diagnostic. */
export function resolveLinks(operations: readonly Operation[], problems: DiagnosticCollector): Operation[] {
  const ids = new Set(operations.map((operation) => operation.id));
  const byPointer = new Map(operations.map((operation) => [operation.source.pointer, operation.id]));
  const resolveLink = (link: Link): Link[] => {
    if (ids.has(link.operationId)) return [link];
    const hash = link.operationId.indexOf('#');
    const id = hash === -1 ? undefined : byPointer.get(fragmentToPointer(link.operationId.slice(hash + 1)));
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
  return operations.map((operation) => ({ ...operation, responses: operation.responses.map(resolveResponse) }));
}
