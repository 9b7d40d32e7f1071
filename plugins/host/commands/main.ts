import type { AdapterSources } from '../discover.ts'
import type { SandboxOptions } from '../sandbox/sandbox.ts'
import { acceptCommand } from './accept.ts'
import { addCommand } from './add.ts'
import { approveCommand } from './approve.ts'
import { type Command, type CommandOutput, formatColumns, runInContext } from './command-context.ts'
import { devCommand } from './dev.ts'
import { inspectCommand } from './inspect.ts'
import { listCommand } from './list.ts'
import { newCommand } from './new.ts'
import { removeCommand } from './remove.ts'

/** Subcommands of `serai adapter` by name. */
const commands: Readonly<Record<string, Command>> = {
  list: listCommand,
  inspect: inspectCommand,
  approve: approveCommand,
  add: addCommand,
  remove: removeCommand,
  accept: acceptCommand,
  dev: devCommand,
  new: newCommand,
}

const usage = () =>
  [
    'Usage: serai adapter <command>',
    '',
    ...formatColumns(Object.entries(commands).map(([name, { takes, summary }]) => [`  ${name} ${takes}`, summary])),
    '',
    '"serai adapter <command> --help" shows the details of a command.',
  ].join('\n')

const usageOf = (name: string, { takes }: Command) => `Usage: serai adapter ${name} ${takes}`.trim()
const helpOf = (name: string, command: Command) =>
  [usageOf(name, command), '', command.summary, ...(command.help ? ['', command.help] : [])].join('\n')

const HELP = ['help', '--help', '-h']

/** Runs a subcommand. Returns the exit code: 0 for success, 1 for failure, 2 for wrong usage. */
export async function runAdapterCommand(
  [name = '', ...given]: readonly string[],
  shelf: AdapterSources,
  options: Omit<SandboxOptions, 'report'>,
  out: CommandOutput,
): Promise<number> {
  if (HELP.includes(name)) return showHelp(out, given[0] ?? '')
  const command = commandOf(name)
  if (command && given.some((word) => HELP.slice(1).includes(word))) return showHelp(out, name)
  const { words, chosen, unknown } = parseArguments(given, command?.options ?? [])
  const isCounted = command && words.length >= command.count[0] && words.length <= command.count[1]
  if (!isCounted || unknown !== undefined) {
    const wrong = command ? unknown && `Unknown option "${unknown}".\n` : name && `Unknown command "adapter ${name}".\n\n`
    out.complain((wrong || '') + (command ? usageOf(name, command) : usage()))
    return 2
  }
  return runInContext(shelf, options, out, (desk) => command.run({ ...desk, chosen }, ...words))
}

/**
 * Parses the arguments after the command's name: `--kind message` and `--kind=message` are equal. `unknown` is the first option that the
 * command does not have.
 */
function parseArguments(given: readonly string[], known: readonly string[]) {
  const words: string[] = []
  const chosen: Record<string, string> = {}
  const waiting = given.values()
  for (const word of waiting) {
    const [, option, value] = /^--([a-z]+)(?:=(.*))?$/s.exec(word) ?? []
    if (option !== undefined && known.includes(option)) chosen[option] = value ?? waiting.next().value ?? ''
    else if (word.startsWith('-')) return { words, chosen, unknown: word }
    else words.push(word)
  }
  return { words, chosen, unknown: undefined }
}

const commandOf = (name: string) => (Object.hasOwn(commands, name) ? commands[name] : undefined)

function showHelp(out: CommandOutput, name: string): number {
  const command = commandOf(name)
  out.say(command ? helpOf(name, command) : usage())
  return 0
}
