import { acceptCommand } from './accept.ts'
import { atDesk } from './desk.ts'
import type { DevTask } from './dev.ts'

/** One run of the suite for `adapter dev`, which leaves the types to the editor and to `accept`: started beforehand, it waits until it is told what to run, or nothing more comes. */
const told = await Bun.stdin.text()
if (told !== '') {
  const { folder, shelf, options } = JSON.parse(told) as DevTask
  const out = { say: console.log, complain: console.error }
  process.exitCode = await atDesk(shelf, options, out, (desk) => acceptCommand.run({ ...desk, chosen: { types: 'unchecked' } }, folder))
}
process.exit()
