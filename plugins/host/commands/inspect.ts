import type { Fields } from '../../fields.ts'
import { requestedAccess } from '../approvals.ts'
import { kindOf } from '../check.ts'
import { type Command, type CommandContext, type InspectedAdapter, inspectAdapter } from './command-context.ts'

/** Prints what an adapter requests. */
export const inspectCommand: Command = {
  takes: '<slug|folder>',
  summary: 'shows what an adapter requests, and how it differs from its approval',
  count: [1, 1],
  run: async (desk, target) => printReport(desk, await inspectAdapter(desk, target!)),
}

/** Prints a report to read before approving an adapter. */
export function printReport({ say, sandbox }: CommandContext, { folder, own, bundle, declared, approved }: InspectedAdapter) {
  const { slugs, hosts } = requestedAccess(declared)
  say(`folder   ${folder}`)
  say(`hash     ${bundle.hash}`)
  say(`slugs    ${slugs.join(', ')}`)
  say(`reaches  ${hosts.join(', ') || 'nothing'}`)
  for (const { data, functions } of declared) {
    const kind = kindOf(data, sandbox.kinds)
    say(`\n${data.label} (${data.slug}), ${[kind?.name, kind?.summary?.(data)].filter(Boolean).join(', ')}`)
    say(`  can      ${functions.join(', ')}`)
    say(`  needs    ${fieldsOf(data.credentials as Fields, data.settings as Fields)}`)
  }
  say('')
  if (own) return say('It is built in and needs no approval.')
  if (!approved) return say('It is not approved yet.')
  if (approved.hash === bundle.hash) return say(`This code was approved at ${approved.approvedAt}.`)
  say(`Its code differs from the code that was approved at ${approved.approvedAt} (${approved.hash}). The approved code stays mounted.`)
  const more = hosts.filter((host) => !approved.hosts.includes(host))
  const fewer = approved.hosts.filter((host) => !hosts.includes(host))
  if (more.length > 0) say(`It requests more hosts: ${more.join(', ')}`)
  if (fewer.length > 0) say(`It no longer requests: ${fewer.join(', ')}`)
}

const fieldsOf = (credentials: Fields, settings: Fields) =>
  [...Object.entries(credentials), ...Object.entries(settings)]
    .map(([name, { secret, optional }]) => name + (secret ? ' (secret)' : '') + (optional ? ' (optional)' : ''))
    .join(', ') || 'nothing'
