import { type Carrier, CONTRACT } from '../carrier/contract.ts'
import { parcelStatuses } from '../carrier/model.ts'
import { shapeProblems } from './definition.ts'

const SLUG = /^[a-z][a-z0-9-]{1,40}$/
/** The last part begins with a letter, which no address does; what a star stands for has a name of two parts at least. */
const HOST = /^(\*\.)?(?!-)[a-z0-9-]+(\.[a-z0-9-]+)*\.[a-z][a-z0-9-]+$/
/** Segments of the interface that stand where a slug stands. */
const RESERVED = new Set(['webhooks', 'connectors', 'subscription', 'dispatcher', 'security'])
const PROBLEM_LENGTH_MAX = 300
const PROBLEMS_MAX = 8

/** Why nothing may be called so. */
export function slugProblem(slug: string): string | undefined {
  if (SLUG.test(slug) && !RESERVED.has(slug)) return undefined
  return `"${slug}" must be 2 to 41 lower-case letters, digits and hyphens, begin with a letter, and be no word of the interface`
}

/** What is wrong with any of a folder's definitions, each thing said once; a platform has many rows that are wrong alike. */
export function problemsOfAll(definitions: readonly unknown[]): string | undefined {
  return [...new Set(definitions.flatMap(problemsOf))].slice(0, PROBLEMS_MAX).join('; ') || undefined
}

/** Why a definition cannot be mounted; empty where it can. Types do not protect from code that was compiled elsewhere. */
export function problemsOf(candidate: unknown): string[] {
  if (candidate === null || typeof candidate !== 'object') return ['must export a carrier (or an array of them) as default']
  try {
    const carrier = candidate as Partial<Carrier>
    const problems = [...meaningProblems(carrier), ...statusProblems(carrier)]
    const found = problems.length > 0 ? problems : shapeProblems(dataOf(carrier))
    return found.slice(0, PROBLEMS_MAX).map((problem) => problem.slice(0, PROBLEM_LENGTH_MAX))
  } catch {
    return ['is written in a way that cannot be read']
  }
}

function meaningProblems(carrier: Partial<Carrier>): string[] {
  const problems: string[] = []
  const unless = (holds: unknown, problem: string) => void (holds || problems.push(problem))
  unless(carrier.kind === 'carrier', 'kind must be "carrier"')
  unless(carrier.contract === CONTRACT, `was written for contract ${String(carrier.contract)}; this server speaks ${CONTRACT}`)
  const wrongSlug = slugProblem(carrier.slug ?? '')
  unless(!wrongSlug, `slug ${wrongSlug}`)
  unless(typeof carrier.label === 'string' && carrier.label.length > 0, 'label is missing')
  unless(
    Array.isArray(carrier.net) && carrier.net.every((host) => HOST.test(host)),
    'net must list host names in lower case, without scheme, port or path, and no addresses',
  )
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
  const { webhook } = carrier
  unless(!webhook || (typeof webhook.verify === 'function' && typeof webhook.parse === 'function'), 'a webhook needs verify and parse')
  unless(!webhook?.unsigned || carrier.credentials?.[webhook.unsigned], 'webhook.unsigned must name one of the credentials')
  return problems
}

function statusProblems({ statuses }: Partial<Carrier>): string[] {
  const wrong = Object.entries(statuses ?? {}).flatMap(([raw, rule]) => {
    const status = rule !== null && typeof rule === 'object' ? rule.status : rule
    const known = status === null || status === undefined || parcelStatuses.includes(status)
    return known ? [] : [`status "${raw}" is mapped to "${String(status)}", which is none of ours`]
  })
  return wrong.slice(0, 5)
}

/** Without functions, of which `webhook` and `cash` hold some too, and without what is undefined: as it would be written down. */
function dataOf(carrier: object): object {
  return Object.fromEntries(
    Object.entries(carrier)
      .filter(([, value]) => value !== undefined && typeof value !== 'function')
      .map(([name, value]) => [name, name === 'webhook' || name === 'cash' ? dataOf(value) : value]),
  )
}
