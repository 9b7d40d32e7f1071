import { type Command, columns, short, survey } from './desk.ts'

export const list: Command = {
  takes: '',
  summary: 'every adapter, and whether it serves',
  count: [0, 0],
  async run(desk) {
    const { found, rejected, pending } = await survey(desk)
    const rows = [
      ...found.map(({ folder, hash, isolated, kind, adapter }) => [
        adapter.slug,
        'serves',
        isolated ? 'own process' : 'in process',
        short(hash),
        adapter.net.join(' ') || '-',
        kind.name,
        folder,
      ]),
      ...pending.map(({ folder, hash, slugs, hosts, change }) => [
        slugs.join(' '),
        `waits: ${WAITS[change]}`,
        '-',
        short(hash),
        hosts.join(' ') || '-',
        '-',
        folder,
      ]),
      ...rejected.map(({ folder, reason }) => ['-', `broken: ${reason.slice(0, 80)}`, '-', '-', '-', '-', folder]),
    ]
    for (const line of columns([['SLUG', 'STATE', 'ISOLATION', 'HASH', 'HOSTS', 'KIND', 'FOLDER'], ...rows])) desk.say(line)
  },
}

const WAITS = { new: 'new', code: 'its code changed', hosts: 'wants more hosts' } as const
