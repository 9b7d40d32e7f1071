import { type Carrier, CONTRACT } from '../carrier/contract.ts'
import { parcelStatuses } from '../carrier/model.ts'

const SLUG = /^[a-z][a-z0-9-]{1,40}$/
const HOST = /^(?!-)[a-z0-9-]+(\.[a-z0-9-]+)+$/
/** Segments of the interface that stand where a slug stands. */
const RESERVED = new Set(['webhooks', 'connectors', 'subscription', 'dispatcher', 'security'])

/** Why a definition cannot be mounted; empty where it can. Types do not protect from code that was compiled elsewhere. */
export function problemsOf(candidate: unknown): string[] {
  if (candidate === null || typeof candidate !== 'object') return ['must export a carrier (or an array of them) as default']
  const carrier = candidate as Partial<Carrier>
  const problems: string[] = []
  const unless = (holds: unknown, problem: string) => void (holds || problems.push(problem))
  unless(carrier.kind === 'carrier', 'kind must be "carrier"')
  unless(carrier.contract === CONTRACT, `was written for contract ${String(carrier.contract)}; this server speaks ${CONTRACT}`)
  unless(
    SLUG.test(carrier.slug ?? '') && !RESERVED.has(carrier.slug ?? ''),
    `slug "${carrier.slug}" must be lower-case letters, digits and hyphens, and not a word of the interface`,
  )
  unless(typeof carrier.label === 'string' && carrier.label.length > 0, 'label is missing')
  unless(Array.isArray(carrier.net) && carrier.net.every((host) => HOST.test(host)), 'net must list host names, without scheme or path')
  unless(carrier.credentials && carrier.settings, 'credentials and settings must be declared, if only as {}')
  unless(typeof carrier.send === 'function' && typeof carrier.testConnection === 'function', 'send and testConnection are required')
  unless(
    ['idempotencyKey', 'findByReference', 'unsafe'].includes(carrier.exactlyOnce ?? ''),
    'exactlyOnce must be idempotencyKey, findByReference or unsafe',
  )
  unless(
    carrier.exactlyOnce !== 'findByReference' || typeof carrier.findByReference === 'function',
    'exactlyOnce "findByReference" needs the member findByReference',
  )
  unless(
    carrier.rateWindows?.every(({ calls, seconds }) => calls > 0 && seconds > 0),
    'rateWindows must list calls and seconds, both above zero',
  )
  for (const [raw, rule] of Object.entries(carrier.statuses ?? {})) {
    const status = rule !== null && typeof rule === 'object' ? rule.status : rule
    unless(
      status === null || status === undefined || parcelStatuses.includes(status),
      `status "${raw}" is mapped to "${String(status)}", which is none of ours`,
    )
  }
  return problems
}
