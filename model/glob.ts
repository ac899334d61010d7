import { escapeRegExp } from '../runtime/escape-regexp.js';

export { escapeRegExp } from '../runtime/escape-regexp.js';

/** How a glob is interpreted. */
interface GlobOptions {
  /** `segment`: a `*` ends at a slash, as in paths. Default: `text`. */
  readonly star?: 'text' | 'segment';
  readonly ignoreCase?: boolean;
}

/**
 * Returns a regular expression for a whole text: `*` and `**` match any characters; `/repos/**` also matches `/repos`.
 */
export function compileGlob(glob: string, { star = 'text', ignoreCase = false }: GlobOptions = {}): RegExp {
  const source = glob
    .split(/(\/\*\*$|\*+)/)
    .map((part) => {
      if (part === '/**') return '(?:/.*)?';
      if (/^\*\*+$/.test(part)) return '.*';
      return part === '*' ? STARS[star] : escapeRegExp(part);
    })
    .join('');
  return new RegExp(`^${source}$`, ignoreCase ? 'isu' : 'su');
}

const STARS = { text: '.*', segment: '[^/]*' } as const;
