import { spawn } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** What a runner of GitHub Actions gives a step, and what it takes from one. */

/** The text of an input; the runner passes it as a variable, so that no text of a pull request becomes code. */
export function readInput(name) {
  return (process.env[`INPUT_${name.toUpperCase()}`] ?? '').trim();
}

/** The lines of an input, without empty ones. */
export function readLines(name) {
  return readInput(name)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

export function readEvent() {
  const file = process.env['GITHUB_EVENT_PATH'];
  return file !== undefined && existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
}

export function setOutput(name, value) {
  append('GITHUB_OUTPUT', `${name}=${value}\n`);
}

export function addSummary(markdown) {
  append('GITHUB_STEP_SUMMARY', `${markdown}\n`);
}

function append(variable, text) {
  const file = process.env[variable];
  if (file !== undefined && file !== '') appendFileSync(file, text);
}

/** Prints an annotation. */
export function annotate(level, message) {
  console.log(`::${level}::${message.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')}`);
}

/** Prints what a check prints in a group that can be folded, and gives its result. */
export async function inGroup(title, run) {
  console.log(`::group::${title}`);
  try {
    return await run();
  } finally {
    console.log('::endgroup::');
  }
}

export const folder = path.resolve(readInput('working-directory') || '.');

/** The command line of the project's own specmill, or that of the version that `version` names. */
export async function specmill(args, options) {
  const installed = path.join(folder, 'node_modules/specmill/dist/cli/main.js');
  if (existsSync(installed)) return run('node', [installed, ...args], options);
  return run('npx', ['--yes', `specmill@${readInput('version') || 'latest'}`, ...args], options);
}

/** Runs a program and gives its status and output, which is printed too unless it is `quiet`. */
export async function run(program, args, { quiet = false } = {}) {
  const isWindows = process.platform === 'win32';
  const child = spawn(isWindows && program === 'npx' ? 'npx.cmd' : program, args, {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
    shell: isWindows && program === 'npx',
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (part) => {
    output += part;
    if (!quiet) process.stdout.write(part);
  });
  const status = await new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  return { status: status ?? 2, output };
}
