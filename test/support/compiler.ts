import path from 'node:path';
import { pathToFileURL } from 'node:url';

const PACKAGE = path.resolve('node_modules/typescript');

const { default: executable } = (await import(pathToFileURL(path.join(PACKAGE, 'lib/getExePath.js')).href)) as {
  readonly default: () => string;
};

/** The compiler itself. Its script in `node_modules/.bin` starts Node first, which takes longer than to check a file. */
export const TSC: string = executable();
