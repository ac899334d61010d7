import { writeFileSync } from 'node:fs';
import path from 'node:path';

import { addSummary, annotate, readEvent, readInput, readLines, run, setOutput, specmill } from './runner.mjs';
import { writeComment } from './comment.mjs';

/** Compares each spec with that of the base: annotations, the summary, a file and a comment. Gives whether the job goes on. */
export async function compareSpecs() {
  const specs = readLines('specs');
  const base = specs.length === 0 ? undefined : await fetchBase();
  if (base === undefined) {
    if (specs.length > 0) console.log('There is no base to compare with.');
    setOutput('comment-file', '');
    return true;
  }
  const results = [];
  for (const spec of specs) results.push(await compareSpec(base, spec));
  const known = results.filter(({ counts }) => counts !== undefined);
  for (const level of ['breaking', 'risky'])
    setOutput(
      level,
      known.reduce((sum, { counts }) => sum + counts[level], 0),
    );
  await publish(
    results,
    known.some(({ isChanged }) => isChanged),
  );
  return results.every(({ isAccepted }) => isAccepted);
}

async function publish(results, isChanged) {
  const markdown = results.map((result) => `## ${quote(result.spec)}\n\n${result.markdown}`).join('\n');
  const file = path.join(process.env['RUNNER_TEMP'] ?? '.', 'specmill-changes.md');
  writeFileSync(file, markdown);
  setOutput('comment-file', file);
  addSummary(markdown);
  const { pull_request: pull } = readEvent();
  if (pull !== undefined && readInput('comment') !== 'false') await writeComment(pull.number, markdown, isChanged);
}

/** A path as code, whatever it is made of. */
function quote(text) {
  return `\`${text.replaceAll(/[`\r\n]/g, '?')}\``;
}

async function compareSpec(base, spec) {
  const { output: listed } = await run('git', ['ls-tree', '--name-only', base, '--', `./${spec}`], { quiet: true });
  if (listed.trim() === '') {
    console.log(`${spec} is new.`);
    return { spec, markdown: 'This spec is new.\n', isChanged: true, isAccepted: true };
  }
  const diff = ['diff', '--from-git', base, spec];
  const json = await specmill([...diff, '--format', 'json', '--fail-on', 'none'], { quiet: true });
  if (json.status !== 0) {
    annotate('error', `${spec} cannot be compared with ${base}: the log says why.`);
    return { spec, markdown: 'This spec cannot be compared: the log says why.\n', isChanged: true, isAccepted: false };
  }
  const { counts, changes } = JSON.parse(json.output);
  const markdown = await specmill([...diff, '--format', 'markdown', '--fail-on', 'none'], { quiet: true });
  const level = readInput('fail-on') || 'breaking';
  const { status } = await specmill([...diff, '--format', 'github', '--fail-on', level]);
  return { spec, counts, markdown: markdown.output, isChanged: changes.length > 0, isAccepted: status === 0 };
}

/** The revision to compare with, which is fetched if the checkout is shallow. */
async function fetchBase() {
  const { pull_request: pull, before } = readEvent();
  const revision = readInput('base') || pull?.base?.sha || before;
  if (revision === undefined || /^0+$/.test(revision)) return undefined;
  const isHere = async () =>
    (await run('git', ['cat-file', '-e', `${revision}^{commit}`], { quiet: true })).status === 0;
  if (await isHere()) return revision;
  await run('git', ['fetch', '--quiet', '--depth=1', 'origin', revision]);
  if (await isHere()) return revision;
  throw new Error(`The revision ${revision} is not in this checkout, and cannot be fetched.`);
}
