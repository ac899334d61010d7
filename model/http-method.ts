import type { HttpMethod, StandardMethod } from './api.js';

/** The methods that have their own member in a Path Item Object of every version, in the order of OpenAPI. */
export const STANDARD_METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const;

const STANDARD: ReadonlySet<string> = new Set<StandardMethod>([...STANDARD_METHODS, 'query']);

/** A method as it is sent: standard methods in capitals, additional ones as written. */
export function wireMethod(method: HttpMethod): string {
  return isStandardMethod(method) ? method.toUpperCase() : method;
}

/** Whether a method has its own member in a Path Item Object, in any letter case. */
export function isStandardMethod(method: string): boolean {
  return STANDARD.has(method.toLowerCase());
}

/** Whether a method changes nothing (RFC 9110, section 9.2.1, and QUERY). */
export function isSafeMethod(method: HttpMethod): boolean {
  return SAFE.has(wireMethod(method));
}

const SAFE: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'QUERY']);
