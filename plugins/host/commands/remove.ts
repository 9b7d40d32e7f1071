import { existsSync } from 'node:fs'
import { realpath, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { INSTALLED_FOLDER } from '../discover.ts'
import { type Command, type CommandContext, CommandError, findAdapterFolder } from './command-context.ts'

/** Revokes an approval, and deletes an adapter that was added. */
export const removeCommand: Command = {
  takes: '<slug|folder>',
  summary: 'revokes an approval, and deletes an adapter that was added',
  count: [1, 1],
  async run(desk, target) {
    const gone = await findDeletedFolder(desk, target!)
    const { folder, own } = gone ? { folder: gone, own: false } : await findAdapterFolder(desk, target!)
    if (own) throw new CommandError('It is built in. Use ENABLED_ADAPTERS to choose the built-in adapters.')
    const installed = await realpath(join(desk.folder, INSTALLED_FOLDER)).catch(() => undefined)
    const isInstalled = installed !== undefined && folder.startsWith(`${installed}/`)
    const wasApproved = await desk.approvals.forget(folder)
    if (isInstalled) await rm(folder, { recursive: true, force: true })
    desk.say(
      isInstalled
        ? `Deleted ${folder}.`
        : `${folder} is your own folder and was not deleted. ${wasApproved ? 'Its approval was revoked.' : 'It was not approved.'}`,
    )
  },
}

/** Returns the folder of an approval whose folder no longer exists. */
async function findDeletedFolder({ approvals }: CommandContext, target: string): Promise<string | undefined> {
  const known = Object.entries(await approvals.all())
  return known.find(([folder, { slugs }]) => (folder === target || slugs.includes(target)) && !existsSync(folder))?.[0]
}
