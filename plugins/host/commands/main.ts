import type { Shelf } from '../discover.ts'
import type { SandboxOptions } from '../sandbox/sandbox.ts'
import { acceptCommand } from './accept.ts'
import { add } from './add.ts'
import { approve } from './approve.ts'
import { atDesk, type Command, columns, type Out } from './desk.ts'
import { dev } from './dev.ts'
import { inspect } from './inspect.ts'
import { list } from './list.ts'
import { newAdapter } from './new.ts'
import { remove } from './remove.ts'

/** `adapter <name> …` */
const commands: Readonly<Record<string, Command>> = { list, inspect, approve, add, remove, accept: acceptCommand, dev, new: newAdapter }

const usage = () =>
  [
    'Usage: serai adapter <command>',
    '',
    ...columns(Object.entries(commands).map(([name, { takes, summary }]) => [`  ${name} ${takes}`, summary])),
    '',
    '"serai adapter <command> --help" says more.',
  ].join('\n')

const usageOf = (name: string, { takes }: Command) => `Usage: serai adapter ${name} ${takes}`.trim()
const helpOf = (name: string, command: Command) =>
  [usageOf(name, command), '', command.summary, ...(command.help ? ['', command.help] : [])].join('\n')

const HELP = ['help', '--help', '-h']

/** Exit code: 0 done, 1 it could not be done, 2 asked wrongly. */
export async function runAdapterCommand(
  [name = '', ...given]: readonly string[],
  shelf: Shelf,
  options: Omit<SandboxOptions, 'report'>,
  out: Out,
): Promise<number> {
  if (HELP.includes(name)) return asked(out, given[0] ?? '')
  const command = commandOf(name)
  if (command && given.some((word) => HELP.slice(1).includes(word))) return asked(out, name)
  const { words, chosen, strange } = read(given, command?.options ?? [])
  const isCounted = command && words.length >= command.count[0] && words.length <= command.count[1]
  if (!isCounted || strange !== undefined) {
    const wrong = command ? strange && `There is no option "${strange}".\n` : name && `There is no "adapter ${name}".\n\n`
    out.complain((wrong || '') + (command ? usageOf(name, command) : usage()))
    return 2
  }
  return atDesk(shelf, options, out, (desk) => command.run({ ...desk, chosen }, ...words))
}

/** What was written behind the command's name: `--kind message` and `--kind=message` are one. `strange`: an option that it does not have. */
function read(given: readonly string[], known: readonly string[]) {
  const words: string[] = []
  const chosen: Record<string, string> = {}
  const waiting = given.values()
  for (const word of waiting) {
    const [, option, value] = /^--([a-z]+)(?:=(.*))?$/s.exec(word) ?? []
    if (option !== undefined && known.includes(option)) chosen[option] = value ?? waiting.next().value ?? ''
    else if (word.startsWith('-')) return { words, chosen, strange: word }
    else words.push(word)
  }
  return { words, chosen, strange: undefined }
}

const commandOf = (name: string) => (Object.hasOwn(commands, name) ? commands[name] : undefined)

function asked(out: Out, name: string): number {
  const command = commandOf(name)
  out.say(command ? helpOf(name, command) : usage())
  return 0
}
