// Runs in a process of its own: node time-in-turn.mjs FILE... Each FILE exports `turn`, a function that does the work
// once. Prints the microseconds of CPU time of one turn, a list of rounds by file. A round is short, and in each another
// file is the first, so that what else the machine does falls on all of them alike.
import { pathToFileURL } from 'node:url';

const ROUNDS = 60;
const TURNS = 500;
// The first turns compile the code.
const WARM_UP = 8_000;
const body = JSON.stringify({ id: 1, name: 'b', full_name: 'a/b', private: false, owner: { login: 'a', id: 2 } });
globalThis.fetch = async () =>
  new Response(body, { status: 200, headers: { 'content-type': 'application/json; charset=utf-8' } });

const works = [];
for (const file of process.argv.slice(2)) works.push((await import(pathToFileURL(file).href)).turn);
for (const work of works) for (let turn = 0; turn < WARM_UP; turn += 1) await work();
const times = works.map(() => []);
for (let round = 0; round < ROUNDS; round += 1) {
  for (let step = 0; step < works.length; step += 1) {
    const index = (round + step) % works.length;
    const start = process.cpuUsage().user;
    for (let turn = 0; turn < TURNS; turn += 1) await works[index]();
    times[index].push((process.cpuUsage().user - start) / TURNS);
  }
}
console.log(JSON.stringify(times));
