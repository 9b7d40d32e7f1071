import type { Shelf } from '../discover.ts'
import type { SandboxOptions } from '../sandbox/sandbox.ts'
import { acceptCommand } from './accept.ts'
import { add } from './add.ts'
import { approve } from './approve.ts'
import { type Command, CommandError, columns, openDesk } from './desk.ts'
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
  ].join('\n')

/** Exit code: 0 done, 1 it could not be done, 2 asked wrongly. */
export async function runAdapterCommand(
  [name = '', ...given]: readonly string[],
  shelf: Shelf,
  options: Omit<SandboxOptions, 'report'>,
  out: { say(line: string): void; complain(line: string): void },
): Promise<number> {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!command || given.length < command.count[0] || given.length > command.count[1]) {
    const help = name === '' || name === 'help' || name === '--help'
    out.complain(
      command ? `Usage: serai adapter ${name} ${command.takes}` : help ? usage() : `There is no "adapter ${name}".\n\n${usage()}`,
    )
    return help && name !== '' ? 0 : 2
  }
  const desk = openDesk(shelf, options, out.say)
  try {
    await command.run(desk, ...given)
    return 0
  } catch (error) {
    out.complain(error instanceof Error ? error.message : String(error))
    if (!(error instanceof CommandError)) out.complain(`See "serai adapter list".`)
    return 1
  } finally {
    await desk.sandbox.close()
  }
}
