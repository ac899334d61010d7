/** How a glob is read. */
interface GlobOptions {
  /** `segment`: a `*` ends at a slash, as in paths. Default: `text`. */
  readonly star?: 'text' | 'segment';
  readonly ignoreCase?: boolean;
}

/** A regular expression for a whole text: `*` and `**` are any characters; `/repos/**` also matches `/repos` itself. */
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

/** A text as the source of a regular expression that matches it. */
export function escapeRegExp(text: string): string {
  return text.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`);
}
