import { spawn, spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { NODE, PEERS } from './contenders.js';

/** What a process and its children took. */
export interface Usage {
  /** Seconds of CPU time of the program itself, without the system's. */
  readonly cpu: number;
  /** Most megabytes at once. */
  readonly memory: number;
}

const TIME = '/usr/bin/time';

/** Runs a Node program to its end. */
export function measureRun(folder: string, args: readonly string[]): Usage {
  const report = path.join(folder, 'usage.txt');
  const { status, stdout, stderr, error } = spawnSync(TIME, ['-o', report, '-f', '%U %M', NODE, ...args], {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  if (error !== undefined) throw new Error(`${TIME} is needed (package "time"): ${error.message}`);
  if (status !== 0) throw new Error(`${args.join(' ')} failed in ${folder}: ${`${stdout}${stderr}`.slice(-2000)}`);
  return readUsage(report);
}

function readUsage(report: string): Usage {
  const [cpu = '', memory = ''] = (readFileSync(report, 'utf8').trim().split('\n').at(-1) ?? '').split(' ');
  rmSync(report);
  return { cpu: Number(cpu), memory: Number(memory) / 1000 };
}

/** What an editor costs: opening a file and completing at its end. `members`: how many names it offers. */
export async function measureEditor(folder: string, text: string): Promise<Usage & { readonly members: number }> {
  const file = path.join(folder, 'use.ts');
  writeFileSync(file, text);
  const report = path.join(folder, 'usage.txt');
  const server = spawn(TIME, ['-o', report, '-f', '%U %M', NODE, path.join(PEERS, 'typescript/lib/tsserver.js')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = text.split('\n');
  const at = { file, line: lines.length, offset: (lines.at(-1) ?? '').length + 1 };
  const commands = [
    { seq: 1, type: 'request', command: 'open', arguments: { file } },
    { seq: 2, type: 'request', command: 'completionInfo', arguments: at },
  ];
  for (const command of commands) server.stdin.write(`${JSON.stringify(command)}\n`);
  let printed = '';
  server.stdout.setEncoding('utf8');
  for await (const chunk of server.stdout) {
    printed += String(chunk);
    if (/"request_seq":2\b/.test(printed)) server.stdin.end(`{"seq":3,"type":"request","command":"exit"}\n`);
  }
  const answer = printed.split('\n').find((line) => line.includes('"request_seq":2')) ?? '{}';
  const { body } = JSON.parse(answer) as { body?: { entries: unknown[] } };
  return { ...readUsage(report), members: body?.entries.length ?? 0 };
}
