import type { Fields } from '../../fields.ts'
import { asks } from '../approvals.ts'
import { kindOf } from '../check.ts'
import { type Command, type Desk, type Looked, look } from './desk.ts'

export const inspect: Command = {
  takes: '<slug|folder>',
  summary: 'what an adapter asks for, and what is different from what was approved',
  count: [1, 1],
  run: async (desk, target) => tell(desk, await look(desk, target!)),
}

/** What a person should know before saying yes. */
export function tell({ say, sandbox }: Desk, { folder, own, bundle, declared, approved }: Looked) {
  const { slugs, hosts } = asks(declared)
  say(`folder   ${folder}`)
  say(`hash     ${bundle.hash}`)
  say(`slugs    ${slugs.join(', ')}`)
  say(`reaches  ${hosts.join(', ') || 'nothing'}`)
  for (const { data, functions } of declared) {
    const kind = kindOf(data, sandbox.kinds)
    say(`\n${data.label} (${data.slug}), ${[kind?.name, kind?.about?.(data)].filter(Boolean).join(', ')}`)
    say(`  can      ${functions.join(', ')}`)
    say(`  asks for ${fieldsOf(data.credentials as Fields, data.settings as Fields)}`)
  }
  say('')
  if (own) return say('It is one of our own and needs no approval.')
  if (!approved) return say('It was not approved yet.')
  if (approved.hash === bundle.hash) return say(`It is approved as it is, since ${approved.approvedAt}.`)
  say(`Its code is not the one approved at ${approved.approvedAt} (${approved.hash}), which goes on serving.`)
  const more = hosts.filter((host) => !approved.hosts.includes(host))
  const fewer = approved.hosts.filter((host) => !hosts.includes(host))
  if (more.length > 0) say(`It wants to reach more: ${more.join(', ')}`)
  if (fewer.length > 0) say(`It does not reach any more: ${fewer.join(', ')}`)
}

const fieldsOf = (credentials: Fields, settings: Fields) =>
  [...Object.entries(credentials), ...Object.entries(settings)]
    .map(([name, { secret, optional }]) => name + (secret ? ' (secret)' : '') + (optional ? ' (optional)' : ''))
    .join(', ') || 'nothing'
