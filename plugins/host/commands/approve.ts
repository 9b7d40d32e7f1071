import { requestedAccess } from '../approvals.ts'
import { type Command, CommandError, findSlugOwner, inspectAdapter, shortHash } from './command-context.ts'

/** Approves the current code of an adapter. */
export const approveCommand: Command = {
  takes: '<slug|folder> [hash]',
  summary: 'approves the current code of an adapter; with a hash (or its first 8 characters or more), only if the code has that hash',
  count: [1, 2],
  async run(desk, target, hash) {
    const { folder, own, bundle, declared } = await inspectAdapter(desk, target!)
    if (own) throw new CommandError('It is built in and needs no approval.')
    if (hash !== undefined && !(hash.length >= 8 && bundle.hash.startsWith(hash)))
      throw new CommandError(`Its code has the hash ${bundle.hash}, not ${hash}. Inspect it again.`)
    const { slugs, hosts } = requestedAccess(declared)
    for (const slug of slugs) {
      const holder = await findSlugOwner(desk, slug, folder)
      if (holder) throw new CommandError(`"${slug}" is the slug of ${holder}, which is mounted. Remove it first, or change the slug.`)
    }
    await desk.approvals.approve(folder, { bundle, declared }, { slugs, hosts })
    desk.say(`Approved ${slugs.join(', ')} at ${shortHash(bundle.hash)}. Hosts: ${hosts.join(', ') || 'none'}.`)
  },
}
