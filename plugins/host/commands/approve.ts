import { asks } from '../approvals.ts'
import { type Command, CommandError, look, short, takenBy } from './desk.ts'

export const approve: Command = {
  takes: '<slug|folder> [hash]',
  summary: 'lets an adapter serve with the code it has now; with a hash (or its beginning), only if it is that code',
  count: [1, 2],
  async run(desk, target, hash) {
    const { folder, own, bundle, declared } = await look(desk, target!)
    if (own) throw new CommandError('It is one of our own and needs no approval.')
    if (hash !== undefined && !(hash.length >= 8 && bundle.hash.startsWith(hash)))
      throw new CommandError(`Its code has the hash ${bundle.hash}, not ${hash}. Inspect it again.`)
    const { slugs, hosts } = asks(declared)
    for (const slug of slugs) {
      const holder = await takenBy(desk, slug, folder)
      if (holder) throw new CommandError(`"${slug}" is the slug of ${holder}, which serves. Remove that one first, or change the slug.`)
    }
    await desk.approvals.approve(folder, { bundle, declared }, { slugs, hosts })
    desk.say(`Approved ${slugs.join(', ')} at ${short(bundle.hash)}, to reach ${hosts.join(', ') || 'nothing'}.`)
  },
}
