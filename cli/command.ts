import { type CommandSchema, type Flag, flagsOf, OPTION_SCHEMAS, type OptionSchemas } from '../config/option-schema.js';
import type { CommonFlags } from '../generated/options/types.js';
import type { ExitStatus, Io } from './io.js';

/** Runs a command with its arguments and its flags, which fit the schema of the command. */
export type RunCommand<Flags> = (words: readonly string[], flags: Flags & CommonFlags, io: Io) => Promise<ExitStatus>;

/** A command as the schema of its options describes it. */
export interface Command extends CommandSchema {
  /** The name of its schema. */
  readonly schema: string;
  readonly flags: readonly Flag[];
}

/** All commands, by name. */
export function describeCommands(schemas: OptionSchemas = OPTION_SCHEMAS): ReadonlyMap<string, Command> {
  const commands = Object.entries(schemas).flatMap(([schema, { 'x-command': command }]) => {
    if (command === undefined) return [];
    const own = flagsOf(schema, schemas);
    const common = flagsOf('CommonFlags', schemas).filter(({ name }) => own.every((flag) => flag.name !== name));
    return [{ ...command, schema, flags: [...own, ...common] }];
  });
  return new Map(commands.map((command) => [command.name, command]));
}
