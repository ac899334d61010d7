import { DEFAULT_SANDBOX, isSandboxName } from '../sandbox/sandbox-registry.js';
import type { MockRequest, Violation } from '../../http/messages.js';

/** The header that names the sandbox of a request. */
export const SANDBOX_HEADER = 'x-specmill-sandbox';

/** Reads the name of the sandbox from a request's header, or the violation of an invalid header. */
export function readSandboxName({
  headers,
}: MockRequest): { readonly ok: true; readonly name: string } | { readonly ok: false; readonly violation: Violation } {
  const value = headers[SANDBOX_HEADER];
  if (value === undefined || value === '') return { ok: true, name: DEFAULT_SANDBOX };
  if (typeof value === 'string' && isSandboxName(value)) return { ok: true, name: value };
  const message = 'must have up to 128 letters, digits, dots, dashes, underscores and colons';
  return { ok: false, violation: { in: 'header', pointer: '/X-Specmill-Sandbox', message } };
}
