import { hasSharedName, isOpaque } from './secret-names.js';

/** The text that replaces a credential. */
const REDACTED = 'REDACTED';

/** Whether an element or attribute is a credential, by its name and whether its text may be one. */
type IsSecret = (name: string, holdsOpaque: () => boolean) => boolean;

/** A tag with its attributes, as far as the text goes. */
interface Tag {
  readonly name: string;
  /** The index after the tag. */
  readonly end: number;
  /** Whether it has a content: it is complete, and not empty. */
  readonly opens: boolean;
  /** Start and end of each value of a secret attribute. */
  readonly secrets: readonly (readonly [start: number, end: number])[];
}

/**
 * Redacts XML elements such as `<password>…</password>`, with all that is in them, and attributes, even if the text is cut
 * off or not well-formed. Reads each character a bounded number of times.
 */
export function redactElements(text: string, isSecretName: (name: string) => boolean): string {
  const isSecret: IsSecret = (prefixed, holdsOpaque) => {
    const name = prefixed.slice(prefixed.indexOf(':') + 1);
    return isSecretName(name) || (hasSharedName(name) && holdsOpaque());
  };
  const shown: string[] = [];
  let kept = 0;
  const hide = (start: number, end: number, by: string): void => {
    shown.push(text.slice(kept, start), by);
    kept = end;
  };
  for (let at = text.indexOf('<'); at !== -1; at = text.indexOf('<', at)) {
    const tag = readTag(text, at, isSecret);
    if (tag === undefined) {
      at += 1;
      continue;
    }
    for (const [start, end] of tag.secrets) hide(start, end, `"${REDACTED}"`);
    at = tag.end;
    if (!tag.opens || !isSecret(tag.name, () => startsOpaque(text, tag.end))) continue;
    at = endOfContent(text, tag.end, tag.name);
    hide(tag.end, at, REDACTED);
  }
  return shown.length === 0 ? text : shown.join('') + text.slice(kept);
}

/** A text that may be in a section. */
const CONTENT = /(?:\s{0,99}<!\[CDATA\[)?([^<\]]*)/y;

/** Whether the content of an element may be a credential, also because it is cut off. */
function startsOpaque(text: string, start: number): boolean {
  CONTENT.lastIndex = start;
  const content = CONTENT.exec(text)?.[1]?.trim() ?? '';
  return isOpaque(content) || (CONTENT.lastIndex === text.length && content !== '');
}

const NAME = /[\p{L}_][^\s/>=<"']*/uy;
/** A name, a value in quotes that may be cut off, or one other character. */
const PIECE = /[^\s/>=<"']+|"[^"]*"?|'[^']*'?|[\s/=>]/y;

/** Reads the tag that begins at an index; `undefined` if none does. */
function readTag(text: string, start: number, isSecret: IsSecret): Tag | undefined {
  NAME.lastIndex = start + 1;
  const name = NAME.exec(text)?.[0];
  if (name === undefined) return undefined;
  const secrets: [number, number][] = [];
  let [attribute, isValue, before, end] = ['', false, '', NAME.lastIndex];
  for (;;) {
    PIECE.lastIndex = end;
    const piece = PIECE.exec(text)?.[0];
    // A text that is cut off, or a tag inside of the tag.
    if (piece === undefined) return { name, end, opens: false, secrets };
    end += piece.length;
    if (piece === '>') return { name, end, opens: before !== '/', secrets };
    if (piece === '=') isValue = true;
    else if (isValue && /\S/.test(piece)) {
      const start = end - piece.length;
      const isCut = end === text.length;
      if (isSecret(attribute, () => isCut || isOpaque(piece.replaceAll(/["']/g, '')))) secrets.push([start, end]);
      isValue = false;
    } else if (/[^\s/]/.test(piece)) attribute = piece;
    before = piece;
  }
}

const SECTIONS: readonly (readonly [start: string, end: string])[] = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<?', '?>'],
];

/** The index of the closing tag of an element; the end of a text that is cut off. */
function endOfContent(text: string, start: number, name: string): number {
  let depth = 1;
  for (let at = text.indexOf('<', start); at !== -1; at = text.indexOf('<', at)) {
    const section = SECTIONS.find(([begin]) => text.startsWith(begin, at));
    if (section !== undefined) {
      const end = text.indexOf(section[1], at);
      if (end === -1) return text.length;
      at = end + section[1].length;
    } else if (text.startsWith(`</${name}`, at) && /[\s>]/.test(text[at + 2 + name.length] ?? '>')) {
      depth -= 1;
      if (depth === 0) return at;
      at += 2;
    } else {
      const tag = readTag(text, at, () => false);
      if (tag?.opens === true && tag.name === name) depth += 1;
      at = tag?.end ?? at + 1;
    }
  }
  return text.length;
}
