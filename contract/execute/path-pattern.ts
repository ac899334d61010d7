import type { Operation } from '../../model/api.js';

/** A pattern for the end of addresses of an operation: each parameter is any text without a slash. */
export function pathPattern({ path }: Pick<Operation, 'path'>): string {
  const parts = path.split(/\{[^{}]+\}/).map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return `${parts.join('[^/]+')}$`;
}
