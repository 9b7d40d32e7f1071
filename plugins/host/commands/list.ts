import { type Command, discoverAll, formatColumns, shortHash } from './command-context.ts'

/** Lists all adapters with their states. */
export const listCommand: Command = {
  takes: '',
  summary: 'lists all adapters with their states, third-party ones first',
  count: [0, 0],
  async run(desk) {
    const { found, rejected, pending } = await discoverAll(desk)
    const isOwn = ({ folder }: { readonly folder: string }) => desk.shelf.own.some((home) => folder.startsWith(`${home}/`))
    const serving = (own: boolean) =>
      found
        .filter((one) => isOwn(one) === own)
        .map(({ folder, hash, isolated, kind, adapter }) => [
          adapter.slug,
          'serves',
          isolated ? 'own process' : 'in process',
          shortHash(hash),
          adapter.net.join(' ') || '-',
          kind.name,
          folder,
        ])
    const broken = (own: boolean) =>
      rejected
        .filter((one) => isOwn(one) === own)
        .map(({ folder, reason }) => ['-', `broken: ${reason.slice(0, 80)}`, '-', '-', '-', '-', folder])
    const waiting = pending.map(({ folder, hash, slugs, hosts, change }) => [
      slugs.join(' '),
      `waits: ${WAITS[change]}`,
      '-',
      shortHash(hash),
      hosts.join(' ') || '-',
      '-',
      folder,
    ])
    const rows = [...waiting, ...serving(false), ...broken(false), ...serving(true), ...broken(true)]
    for (const line of formatColumns([['SLUG', 'STATE', 'ISOLATION', 'HASH', 'HOSTS', 'KIND', 'FOLDER'], ...rows])) desk.say(line)
  },
}

const WAITS = { new: 'new', code: 'its code changed', hosts: 'requests more hosts' } as const
