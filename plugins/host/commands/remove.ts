import { existsSync } from 'node:fs'
import { realpath, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { INSTALLED } from '../discover.ts'
import { type Command, CommandError, type Desk, place } from './desk.ts'

export const remove: Command = {
  takes: '<slug|folder>',
  summary: 'takes back an approval, and deletes an adapter that was added',
  count: [1, 1],
  async run(desk, target) {
    const gone = await goneFolder(desk, target!)
    const { folder, own } = gone ? { folder: gone, own: false } : await place(desk, target!)
    if (own) throw new CommandError('It is one of our own. ENABLED_ADAPTERS says which of those serve.')
    const installed = await realpath(join(desk.folder, INSTALLED)).catch(() => undefined)
    const isInstalled = installed !== undefined && folder.startsWith(`${installed}/`)
    const wasApproved = await desk.approvals.forget(folder)
    if (isInstalled) await rm(folder, { recursive: true, force: true })
    desk.say(
      isInstalled
        ? `Deleted ${folder}.`
        : `${folder} is yours and stays; it ${wasApproved ? 'has to be approved again' : 'was not approved'}.`,
    )
  },
}

/** The folder of an approval that is not there any more. */
async function goneFolder({ approvals }: Desk, target: string): Promise<string | undefined> {
  const known = Object.entries(await approvals.all())
  return known.find(([folder, { slugs }]) => (folder === target || slugs.includes(target)) && !existsSync(folder))?.[0]
}
