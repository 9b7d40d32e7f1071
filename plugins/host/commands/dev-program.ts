import { acceptCommand } from './accept.ts'
import { type CommandOutput, runInContext } from './command-context.ts'
import type { DevTask } from './dev.ts'

/**
 * Program that runs the suite once for `adapter dev`, without type checks. It is started ahead of time, and waits for its task on standard
 * input. An empty input ends it.
 */
const input = await Bun.stdin.text()
if (input !== '') {
  const { folder, shelf, options } = JSON.parse(input) as DevTask
  const out: CommandOutput = { say: console.log, complain: console.error }
  process.exitCode = await runInContext(shelf, options, out, (desk) =>
    acceptCommand.run({ ...desk, chosen: { types: 'unchecked' } }, folder),
  )
}
process.exit()
