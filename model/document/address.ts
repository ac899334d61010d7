import path from 'node:path';

/** Whether an address is a web URL rather than a local file. */
export function isUrl(address: string): boolean {
  return /^https?:\/\//i.test(address);
}

/** The address of a spec as an absolute path; URLs stay unchanged. */
export function resolveAddress(folder: string, address: string): string {
  return hasScheme(address) || address.startsWith('file:') ? address : path.resolve(folder, address);
}

/** Whether a word is the path or URL of a spec rather than the name of an API. */
export function isSpecAddress(word: string): boolean {
  return isUrl(word) || /[/\\]|^\.{1,2}$|^file:|\.(?:ya?ml|json)$/i.test(word);
}

/** Reads a word as the name of an API, or as the path or URL of its spec. */
export function readApiWord(word: string): { readonly name: string; readonly spec?: readonly string[] } {
  return isSpecAddress(word) ? { name: nameOfSpec(word), spec: [word] } : { name: word };
}

/** A name for the API of a spec: its file name, or the folder or host if the file has a generic name. */
export function nameOfSpec(address: string): string {
  return namesIn(address).findLast(isSpecific) ?? 'api';
}

/** The file name of a spec, or `undefined` if it is generic. */
export function fileNameOfSpec(address: string): string | undefined {
  const name = namesIn(address).at(-1) ?? '';
  return isSpecific(name) ? name : undefined;
}

function namesIn(address: string): string[] {
  return address
    .replace(/[?#][^]*$/, '')
    .replace(/^[a-z]+:\/\//i, '')
    .split(/[/\\]/)
    .map((word) => withoutEndings(word).replaceAll(/[^A-Za-z0-9._-]+/g, '-'));
}

/** `a.schema.json` -> `a`. */
function withoutEndings(word: string): string {
  const short = word.replace(/\.(?:ya?ml|json|schema|openapi|swagger)$/i, '');
  return short === word ? word : withoutEndings(short);
}

function isSpecific(name: string): boolean {
  return (
    /^[A-Za-z]/.test(name) && !/^(?:open-?api|swagger|api|api-docs|index|specs?|schema|root|main|v\d+)$/i.test(name)
  );
}

/** Whether an address has a scheme, such as `https:` or `git:`, so that it is not a path. */
export function hasScheme(address: string): boolean {
  return /^[a-z][a-z0-9+.-]+:\/\//i.test(address);
}

/** Whether an absolute path is a folder or inside it. */
export function isWithin(inner: string, folder: string): boolean {
  return inner === folder || inner.startsWith(folder.endsWith(path.sep) ? folder : folder + path.sep);
}
