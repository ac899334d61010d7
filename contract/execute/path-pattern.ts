import { escapeRegExp } from '../../model/glob.js';
import type { Operation } from '../../model/api.js';

/** A pattern for the end of an operation's URLs: each parameter matches any text without a slash. */
export function pathPattern({ path }: Pick<Operation, 'path'>): string {
  const parts = path.split(/\{[^{}]+\}/).map(escapeRegExp);
  return `${parts.join('[^/]+')}$`;
}
