// Runs in a process of its own: node time-in-turn.mjs FILE... Each FILE exports `turn`, a function that does the work
// once. Prints the microseconds of CPU time of one turn, by file: the median of rounds in which all take turns.
import { pathToFileURL } from 'node:url';

const ROUNDS = 21;
const TURNS = 4_000;
const body = JSON.stringify({ id: 1, name: 'b', full_name: 'a/b', private: false, owner: { login: 'a', id: 2 } });
globalThis.fetch = async () =>
  new Response(body, { status: 200, headers: { 'content-type': 'application/json; charset=utf-8' } });

const works = [];
for (const file of process.argv.slice(2)) works.push((await import(pathToFileURL(file).href)).turn);
const times = works.map(() => []);
for (let round = 0; round < ROUNDS; round += 1) {
  for (const [index, work] of works.entries()) {
    const start = process.cpuUsage().user;
    for (let turn = 0; turn < TURNS; turn += 1) await work();
    // The first rounds compile the code.
    if (round > 3) times[index].push((process.cpuUsage().user - start) / TURNS);
  }
}
console.log(JSON.stringify(times.map((list) => list.sort((a, b) => a - b)[Math.floor(list.length / 2)])));
