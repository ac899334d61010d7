import { readdirSync } from 'node:fs';

import { compareSpecs } from './compare.mjs';
import { annotate, folder, inGroup, readInput, specmill } from './runner.mjs';
import { testServer } from './test-server.mjs';

// The three checks of the action. All of them run, so that one run shows everything; the job fails if one has found something.

async function checkGenerated() {
  const wanted = readInput('generate') || 'auto';
  const hasConfig = readdirSync(folder).some((file) => /^specmill\.config\.(?:ts|js|mjs|cjs|json|yaml)$/.test(file));
  if (wanted === 'false' || (wanted === 'auto' && !hasConfig)) return true;
  const { status } = await specmill(['generate', '--check']);
  if (status === 1)
    annotate('error', 'Generated code is out of date: run "npx specmill generate" and commit the result.');
  if (status > 1) annotate('error', 'Generated code cannot be checked: the log says why.');
  return status === 0;
}

async function attempt(title, check) {
  try {
    return await inGroup(title, check);
  } catch (error) {
    annotate('error', error.message);
    return false;
  }
}

const results = [
  await attempt('Generated code', checkGenerated),
  await attempt('Changes of specs', compareSpecs),
  await attempt('Contract', testServer),
];
if (results.includes(false)) process.exitCode = 1;
