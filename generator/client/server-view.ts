import type { Api, Server } from '../../model/api.js';
import { toCommentText, toPropertyKey, toStringLiteral } from '../../model/identifiers.js';
import { printDocComment } from '../types/doc-comment.js';
import { union } from '../types/type-text.js';
import { baseUrlName } from '../type-names.js';

/** The default server of a client, ready to be printed. */
export interface ServerView {
  /** Name of the constant with the address, or of the function that returns it. */
  readonly name: string;
  readonly hasVariables: boolean;
  /** Code of the address with its variables in braces. */
  readonly url: string;
  /** The address in a comment. */
  readonly comment: string;
  readonly variables: readonly { readonly key: string; readonly type: string; readonly doc: string }[];
  /** Members of a literal: the defaults of the variables. */
  readonly defaults: string;
}

/** The first server of an API; `undefined` if its address is relative, because a program has no base for it. */
export function viewServer(api: Api, apiName: string): ServerView | undefined {
  const server = defaultServer(api);
  if (server === undefined) return undefined;
  const variables = Object.entries(server.variables);
  return {
    name: baseUrlName(apiName),
    hasVariables: variables.length > 0,
    url: toStringLiteral(server.url),
    comment: toCommentText(server.url.replaceAll(/[`\s]+/g, ' ')),
    variables: variables.map(([name, variable]) => ({
      key: toPropertyKey(name),
      type:
        variable.enum === undefined || variable.enum.length === 0
          ? 'string'
          : union(variable.enum.map(toStringLiteral)),
      doc: printDocComment([variable.description, `Default: \`${variable.default.replaceAll('`', "'")}\`.`], '  '),
    })),
    defaults: variables
      .map(([name, variable]) => `${toPropertyKey(name)}: ${toStringLiteral(variable.default)}`)
      .join(', '),
  };
}

/** The server that a client calls if the caller names none. */
export function defaultServer({ servers }: Api): Server | undefined {
  const [first] = servers;
  if (first === undefined) return undefined;
  const url = fillVariables(first);
  const isUsable = /^https?:\/\//i.test(url) && URL.canParse(url) && !/[?#{}]/.test(url);
  return isUsable && new URL(url).username === '' ? first : undefined;
}

/** The address of a server with the defaults of its variables. */
export function fillVariables({ url, variables }: Server): string {
  return url.replaceAll(/\{([^{}]*)\}/g, (whole, name: string) => variables[name]?.default ?? whole);
}
