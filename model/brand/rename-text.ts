import { upperFirst } from '../identifiers.js';
import type { VendorNames } from './parse-vendor.js';

/** Names that contain the word and are not replaced. */
const FIXED: ReadonlySet<string> = new Set(['vendor-openai']);

const HEADER = /(?<![A-Za-z0-9])([Xx]-)(vendor|Vendor|VENDOR)(?=-)/g;
const MEDIA = /(?<=\bvnd\.)vendor(?![A-Za-z0-9])/g;
const VENDOR =
  /(?<![a-z])vendor(?![a-z]|[A-Z][A-Z])|(?<![a-z])vendor(?=apis\b)|Vendor(?![a-z])|(?<![A-Za-z])VENDOR(?![A-Za-z])/g;
const ENGINE = /(?<![a-z])engine(?![a-z]|[A-Z][A-Z])|Engine(?![a-z])|(?<![A-Za-z])ENGINE(?![A-Za-z])/g;

/** A text of a document (a name, a value, a path, a header, a media type) with the real names in it. */
export function renameText(text: string, names: VendorNames): string {
  // Most texts of a document hold neither word.
  if (!/vendor|engine/i.test(text) || FIXED.has(text)) return text;
  const renamed = text
    .replaceAll(HEADER, (_whole, start: string, word: string) => start + styleHeader(names.header, word))
    .replaceAll(MEDIA, names.media);
  const named = replaceWord(renamed, VENDOR, names.name);
  return names.engine === undefined ? named : replaceWord(named, ENGINE, names.engine);
}

/** Replaces a word by a name, in the case style of the word: vendorA, VendorA, VENDOR_A, vendor-a. */
function replaceWord(text: string, pattern: RegExp, name: string): string {
  const parts = name.split('-');
  return text.replaceAll(pattern, (word, at: number) => {
    if (word === word.toUpperCase()) return parts.join('_').toUpperCase();
    if (word !== word.toLowerCase()) return parts.map(upperFirst).join('');
    const isCamel = /^[A-Z]/.test(text.slice(at + word.length));
    return isCamel ? parts.map((part, index) => (index === 0 ? part : upperFirst(part))).join('') : name;
  });
}

function styleHeader(name: string, word: string): string {
  if (word === word.toUpperCase()) return name.toUpperCase();
  return word === word.toLowerCase() ? name : name.split('-').map(upperFirst).join('-');
}
