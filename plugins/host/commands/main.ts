import type { Shelf } from '../discover.ts'
import type { SandboxOptions } from '../sandbox/sandbox.ts'
import { acceptCommand } from './accept.ts'
import { add } from './add.ts'
import { approve } from './approve.ts'
import { type Command, columns, openDesk, printed } from './desk.ts'
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
  out: { say(line: string): void; complain(line: string): void },
): Promise<number> {
  if (HELP.includes(name)) return asked(out, given[0] ?? '')
  const command = commandOf(name)
  if (command && given.some((word) => HELP.slice(1).includes(word))) return asked(out, name)
  const option = given.find((word) => word.startsWith('-'))
  const isCounted = command && given.length >= command.count[0] && given.length <= command.count[1]
  if (!isCounted || option !== undefined) {
    const wrong = command ? option && `There is no option "${option}".\n` : name && `There is no "adapter ${name}".\n\n`
    out.complain((wrong || '') + (command ? usageOf(name, command) : usage()))
    return 2
  }
  const desk = openDesk(shelf, options, out.say)
  try {
    await command.run(desk, ...given)
    return 0
  } catch (error) {
    out.complain(printed(error instanceof Error ? error.message : String(error)))
    return 1
  } finally {
    await desk.sandbox.close()
  }
}

const commandOf = (name: string) => (Object.hasOwn(commands, name) ? commands[name] : undefined)

function asked(out: { say(line: string): void }, name: string): number {
  const command = commandOf(name)
  out.say(command ? helpOf(name, command) : usage())
  return 0
}
