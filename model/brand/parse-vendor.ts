import { suggestName } from '../diagnostics/closest-name.js';
import { InputError } from '../diagnostics/input-error.js';

/** The real names that replace the words `vendor` and `engine`. */
export interface VendorNames {
  /** In member names, enum values and path words. */
  readonly name: string;
  readonly header: string;
  readonly media: string;
  /** Replaces `engine`; absent: the word stays. */
  readonly engine?: string;
}

const PARTS = ['header', 'media', 'engine'] as const;

/**
 * Reads `NAME[,header=NAME][,media=NAME][,engine=NAME]`.
 *
 * @throws InputError if a part is unknown, given twice, or no name.
 */
export function parseVendor(text: string): VendorNames {
  const [name = '', ...parts] = text.split(',').map((part) => part.trim());
  const given = new Map<string, string>();
  for (const part of parts) {
    const [key = '', value = ''] = part.split('=', 2).map((side) => side.trim());
    if (!PARTS.some((known) => known === key))
      throw new InputError(
        `The vendor has no part ${JSON.stringify(key)}.${suggestName(key, PARTS) || ` It has ${PARTS.join(', ')}.`}`,
      );
    if (given.has(key)) throw new InputError(`The vendor's ${key} is given twice.`);
    given.set(key, checkName(value));
  }
  const engine = given.get('engine');
  const real = checkName(name);
  return {
    name: real,
    header: given.get('header') ?? real,
    media: given.get('media') ?? real,
    ...(engine === undefined ? {} : { engine }),
  };
}

function checkName(name: string): string {
  if (/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/i.test(name)) return name.toLowerCase();
  throw new InputError(
    `The vendor's name ${JSON.stringify(name)} must start with a letter and have only letters, digits and single dashes.`,
  );
}
