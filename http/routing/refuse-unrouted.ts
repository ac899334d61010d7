import { HttpError } from '../http-error.js';
import type { RouteMatch } from './router.js';

/** Returns the refusal of a call without an operation: 405 with `Allow`, 404, or 400 if the path is malformed. */
export function refuseUnrouted(
  match: RouteMatch,
  { method, path }: { readonly method: string; readonly path: string },
): HttpError {
  if (match.kind === 'wrong-method') {
    return new HttpError(405, `${path} does not allow ${method}, only ${match.allow}.`, {
      headers: { allow: match.allow },
    });
  }
  if (match.kind !== 'malformed') return new HttpError(404, `There is no operation at ${path}.`);
  return new HttpError(400, 'The path is not percent-encoded UTF-8.', {
    violations: [{ in: 'path', pointer: '', message: 'must be percent-encoded UTF-8' }],
  });
}
