import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';

const root = path.join(import.meta.dirname, '../..');
const jiti = path.join(root, 'node_modules/jiti/lib/jiti-cli.mjs');

/** Runs a program of `examples/` as its reader would, and gives the lines that it prints. */
export async function runExample(program: string): Promise<readonly string[]> {
  const { stdout } = await promisify(execFile)(process.execPath, [jiti, path.join(root, 'examples', program)], {
    cwd: root,
  });
  return stdout.trim().split('\n');
}
