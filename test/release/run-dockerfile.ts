import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const root = path.join(import.meta.dirname, '../..');

interface Instruction {
  readonly keyword: string;
  readonly text: string;
}

export interface BuiltImage {
  /** The folder that holds a folder for each stage. */
  readonly folder: string;
  /** The root of the last stage. */
  readonly root: string;
  readonly user: string;
  readonly entrypoint: readonly string[];
  readonly command: readonly string[];
  readonly healthCheck: readonly string[];
}

function readDockerfile(): readonly Instruction[] {
  return readFileSync(path.join(root, 'Dockerfile'), 'utf8')
    .replaceAll('\\\n', ' ')
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
    .map((line) => {
      const end = line.indexOf(' ');
      return { keyword: line.slice(0, end), text: line.slice(end + 1).trim() };
    });
}

/**
 * Does what `docker build` would do, without a container: each stage is a folder, COPY copies, and RUN runs in a shell with the
 * absolute paths of the Dockerfile moved into that folder. The base image is this machine.
 *
 * @param replace - the commands that run something else than the Dockerfile says.
 */
export function buildImage(replace: (command: string) => string): BuiltImage {
  const folder = mkdtempSync(path.join(tmpdir(), 'specmill-image-'));
  const stages = new Map<string, string>();
  let stage = '';
  let workdir = '/';
  const found = { user: 'root', entrypoint: [] as string[], command: [] as string[], healthCheck: [] as string[] };
  for (const { keyword, text } of readDockerfile()) {
    if (keyword === 'FROM') {
      const name = / AS (\w+)$/.exec(text)?.[1] ?? 'last';
      stage = path.join(folder, name);
      mkdirSync(stage);
      stages.set(name, stage);
    } else if (keyword === 'WORKDIR') {
      workdir = text;
      mkdirSync(stage + workdir, { recursive: true });
    } else if (keyword === 'COPY') copy(text, { stage, workdir, stages });
    else if (keyword === 'RUN') {
      const moved = replace(text).replaceAll(/(?<![\w.@/-])\/(source|app|tarball|state)\b/g, `${stage}/$1`);
      // The user of the image is not one of this machine.
      execFileSync('bash', ['-ec', `chown() { :; }; ${moved}`], { cwd: stage + workdir, stdio: 'pipe' });
    } else if (keyword === 'USER') found.user = text;
    else if (keyword === 'ENTRYPOINT') found.entrypoint = readWords(text);
    else if (keyword === 'CMD') found.command = readWords(text);
    else if (keyword === 'HEALTHCHECK') found.healthCheck = readWords(text.slice(text.indexOf('CMD') + 3));
  }
  return { folder, root: stage, ...found };
}

function readWords(text: string): string[] {
  return JSON.parse(text) as string[];
}

interface Place {
  readonly stage: string;
  readonly workdir: string;
  readonly stages: ReadonlyMap<string, string>;
}

function copy(text: string, { stage, workdir, stages }: Place): void {
  const words = text.split(/\s+/);
  const from = words[0]?.startsWith('--from=') === true ? stages.get(words.shift()?.slice(7) ?? '') : undefined;
  const target = words.pop() ?? '.';
  const place = path.join(stage, path.isAbsolute(target) ? target : path.join(workdir, target));
  for (const source of words) {
    // Hard links: the stage that is copied from does not change any more.
    if (from !== undefined) {
      mkdirSync(place, { recursive: true });
      execFileSync('cp', ['-al', `${path.join(from, source)}/.`, place]);
    } else if (source === '.') copyContext(place);
    else cpSync(path.join(root, source), path.join(place, source));
  }
}

/** The files of the repository that .dockerignore leaves. */
function copyContext(place: string): void {
  const lines = readFileSync(path.join(root, '.dockerignore'), 'utf8').trim().split('\n');
  const left = new Set(lines.filter((line) => !line.startsWith('!')).map((line) => line.replace('**/', '')));
  for (const name of readdirSync(root).filter((entry) => !left.has(entry)))
    cpSync(path.join(root, name), path.join(place, name), {
      recursive: true,
      filter: (file) => path.basename(file) !== 'node_modules',
    });
  for (const kept of lines.filter((line) => line.startsWith('!')).map((line) => line.slice(1)))
    if (existsSync(path.join(root, kept))) cpSync(path.join(root, kept), path.join(place, kept));
}
