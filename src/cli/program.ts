// The table of commands → a commander program. Exit codes: 0 done, 1 failed, 2 called wrongly.
import { Command, CommanderError, Option } from 'commander';
import { StrataError } from '../domain/errors.ts';
import type { CliParts, CommandLine, FlagValues } from './cli-parts.ts';
import { JSON_OPTION, type Verb, type VerbCall } from './verb.ts';

export const EXIT = { done: 0, failed: 1, misused: 2 } as const;

export interface Terminal {
  out(line: string): void;
  err(line: string): void;
  /** Left out, there always is one. */
  hasReader?(): boolean;
}

/** Runs the command that `argv` names and gives the exit code. */
export async function runProgram(
  argv: readonly string[],
  verbs: readonly Verb[],
  parts: CliParts,
  terminal: Terminal,
): Promise<number> {
  let exitCode: number = EXIT.done;
  const program = newCommand('strata', terminal).description('Self-hosted code analytics.').version(parts.version);
  const groups = new Map<string, Command>();
  for (const verb of verbs) {
    const [first, second] = verb.name.split(' ');
    let parent = program;
    if (second !== undefined) {
      parent = groups.get(first!) ?? newCommand(first!, terminal).description(GROUP_SUMMARIES[first!] ?? '');
      if (!groups.has(first!)) program.addCommand(parent);
      groups.set(first!, parent);
    }
    parent.addCommand(
      verbToCommand(verb, parts, terminal, (code) => {
        exitCode = code;
      }),
    );
  }
  try {
    await program.parseAsync([...argv], { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.misused;
    terminal.err(`strata: ${errorText(error)}`);
    return error instanceof StrataError && error.code === 'invalid_parameter' ? EXIT.misused : EXIT.failed;
  }
}

const newCommand = (name: string, terminal: Terminal): Command =>
  new Command(name)
    .exitOverride()
    .showHelpAfterError('(add --help for what is accepted)')
    .configureOutput({
      writeOut: (text) => terminal.out(text.trimEnd()),
      writeErr: (text) => terminal.err(text.trimEnd()),
    });

const GROUP_SUMMARIES: Readonly<Record<string, string>> = {
  settings: 'Settings of an entity: get and set them.',
  entity: 'Entities, which are tenants: create, list and offboard them.',
  user: 'Users and their roles: create and list them.',
  token: 'API tokens: create, list and revoke them.',
  ai: 'AI tools: read their usage from files, and see what they did.',
  'llm-token': 'Tokens with which AI providers are asked: add, list and remove them.',
  tracker: 'Connections to issue trackers: add, list and remove them.',
  repo: 'Imported repos: list and remove them.',
  webhook: 'Addresses that code hosts send webhooks to: add, list and remove them.',
  committer: 'Identities of people: list, merge and split them.',
  mail: 'Mail that waits to be sent: list it.',
};

function verbToCommand(verb: Verb, parts: CliParts, terminal: Terminal, exit: (code: number) => void): Command {
  const command = newCommand(verb.name.split(' ').at(-1)!, terminal).description(verb.summary);
  for (const argument of verb.arguments ?? []) command.argument(argument.name, argument.description);
  for (const { flags, description, required } of verb.options ?? []) {
    const text = required ? `${description} Required.` : description;
    command.addOption(new Option(flags, text).makeOptionMandatory(required ?? false));
  }
  // Scripts that ask several tools for JSON spell it so.
  const hasJson = verb.options?.includes(JSON_OPTION) === true;
  if (hasJson) command.addOption(new Option('--format <format>', 'The same by name.').choices(['text', 'json']));
  const configFlags = parts.configFlags.filter(
    ({ scope }) => verb.configuration === 'service' || (verb.configuration === 'store' && scope === 'all'),
  );
  for (const { flags, description } of configFlags) command.option(flags, description);

  command.action(async (...received: unknown[]) => {
    const parsed = command.opts<VerbCall['options']>();
    const options = hasJson && parsed.format === 'json' ? { ...parsed, json: true } : parsed;
    const given: Record<string, string> = {};
    for (const { key, flags } of configFlags) {
      const value = options[new Option(flags).attributeName()];
      if (typeof value === 'string') given[key] = value;
    }
    const args = received
      .slice(0, verb.arguments?.length ?? 0)
      .flatMap((value: unknown): (string | undefined)[] =>
        Array.isArray(value) ? value.map(String) : [typeof value === 'string' ? value : undefined],
      );
    const hasStore = verb.configuration !== 'none';
    const own = hasStore && !verb.isReadOnly ? parts.recording(commandLine(verb, args, options)) : parts;
    const code = await verb.run({
      args,
      options,
      flags: given satisfies FlagValues,
      parts: hasStore && !verb.makesData ? own.ofExistingData() : own,
      out: terminal.out,
      err: terminal.err,
      hasReader: () => terminal.hasReader?.() !== false,
    });
    exit(code ?? EXIT.done);
  });
  return command;
}

/** Arguments and the verb's own options, by name; flags of the configuration are left out. */
function commandLine(verb: Verb, args: VerbCall['args'], options: VerbCall['options']): CommandLine {
  const rows = (verb.options ?? []).map((option) => ({ ...option, name: new Option(option.flags).attributeName() }));
  const own = rows.map(({ name }) => name);
  const { entity = rows.find(({ name }) => name === 'entity')?.whenAbsent } = options;
  return {
    name: verb.name,
    entity: typeof entity === 'string' ? entity : undefined,
    given: [
      ...(verb.arguments ?? []).map(
        ({ name }, index) =>
          [
            name.replace(/[<>[\]]|\.{3}/g, ''),
            name.includes('...') ? args.slice(index).join(', ') : args[index],
          ] as const,
      ),
      ...own.filter((name) => name !== 'entity' && name !== 'json').map((name) => [name, options[name]] as const),
    ],
  };
}

/** What a person should read: the message and its causes, never a stack of our own errors. */
export function errorText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? errorText(error.cause) : '';
  const message = error.message || error.name;
  return cause === '' || message.includes(cause) ? message : `${message} (${cause})`;
}
