import path from 'node:path';

/** Whether an address is a URL of the web, not a file of this machine. */
export function isUrl(address: string): boolean {
  return /^https?:\/\//i.test(address);
}

/** The address of a spec as an absolute path; URLs stay as they are. */
export function resolveAddress(folder: string, address: string): string {
  return isUrl(address) || address.startsWith('file:') ? address : path.resolve(folder, address);
}

/** Whether a word on the command line is the path or URL of a spec, not the name of an API. */
export function isSpecAddress(word: string): boolean {
  return isUrl(word) || /[/\\]|^file:|\.(?:ya?ml|json)$/i.test(word);
}

/** A name for the API of a spec: its file name, or the name of the folder or host where the file has a generic name. */
export function nameOfSpec(address: string): string {
  const words = address
    .replace(/[?#].*$/, '')
    .replace(/^[a-z]+:\/\//i, '')
    .split(/[/\\]/)
    .map((word) =>
      word.replace(/(?:\.(?:openapi|swagger))?\.(?:ya?ml|json)$/i, '').replaceAll(/[^A-Za-z0-9._-]+/g, '-'),
    );
  const own = words.findLast((word) => /^[A-Za-z]/.test(word) && !GENERIC_NAMES.has(word.toLowerCase()));
  return own ?? 'api';
}

const GENERIC_NAMES: ReadonlySet<string> = new Set(['openapi', 'swagger', 'api-docs', 'spec', 'api', 'v1', 'v2', 'v3']);
