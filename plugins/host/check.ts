import { type Adapter, reservedSlugs } from '../adapter.ts'
import { type Kind, memberOf, NO_ADAPTER } from '../kind.ts'
import { kinds as ours } from '../kinds.ts'
import { shapeProblems } from './definition.ts'
import { oauthProblems } from './oauth.ts'

const SLUG = /^[a-z][a-z0-9-]{1,40}$/
/** The last part begins with a letter, which no address does; what a star stands for has a name of two parts at least. */
const HOST = /^(\*\.)?(?!-)[a-z0-9-]+(\.[a-z0-9-]+)*\.[a-z][a-z0-9-]+$/
const PROBLEM_LENGTH_MAX = 300
const PROBLEMS_MAX = 8

/** Why nothing may be called so. */
export function slugProblem(slug: string): string | undefined {
  if (SLUG.test(slug) && !reservedSlugs.includes(slug)) return undefined
  return `"${slug}" must be 2 to 41 lower-case letters, digits and hyphens, begin with a letter, and be no word of the interface`
}

/** The kind that a definition says it is of; undefined where there is none of that name. */
export const kindOf = (definition: { readonly kind?: unknown }, kinds: readonly Kind[] = ours) =>
  kinds.find(({ name }) => name === definition.kind)

/** What is wrong with any of a folder's definitions, each thing said once; a platform has many rows that are wrong alike. */
export function problemsOfAll(definitions: readonly unknown[], kinds: readonly Kind[] = ours): string | undefined {
  return [...new Set(definitions.flatMap((each) => problemsOf(each, kinds)))].slice(0, PROBLEMS_MAX).join('; ') || undefined
}

/** Why a definition cannot be mounted; empty where it can. Types do not protect from code that was compiled elsewhere. */
export function problemsOf(candidate: unknown, kinds: readonly Kind[] = ours): string[] {
  if (candidate === null || typeof candidate !== 'object') return [NO_ADAPTER]
  try {
    const kind = kindOf(candidate, kinds)
    if (!kind) return [`kind must be ${kinds.map(({ name }) => `"${name}"`).join(' or ')}`]
    const problems = [...meaningProblems(kind, candidate), ...(kind.problems?.(candidate) ?? [])]
    const wrong = problems.length > 0 ? problems : shapeProblems(kind, dataOf(candidate, kind.groups))
    const found = wrong.length > 0 ? wrong : oauthProblems(candidate as Adapter)
    return found.slice(0, PROBLEMS_MAX).map((problem) => problem.slice(0, PROBLEM_LENGTH_MAX))
  } catch {
    return ['is written in a way that cannot be read']
  }
}

function meaningProblems(kind: Kind, adapter: Partial<Adapter> & { webhook?: { unsigned?: string } }): string[] {
  const problems: string[] = []
  const unless = (holds: unknown, problem: string) => void (holds || problems.push(problem))
  unless(adapter.contract === kind.contract, `was written for contract ${String(adapter.contract)}; this server speaks ${kind.contract}`)
  const wrongSlug = slugProblem(adapter.slug ?? '')
  unless(!wrongSlug, `slug ${wrongSlug}`)
  unless(typeof adapter.label === 'string' && adapter.label.length > 0, 'label is missing')
  unless(
    Array.isArray(adapter.net) && adapter.net.every((host) => HOST.test(host)),
    'net must list host names in lower case, without scheme, port or path, and no addresses',
  )
  unless(adapter.credentials && adapter.settings, 'credentials and settings must be declared, if only as {}')
  unless(
    adapter.rateWindows?.every(({ calls, seconds }) => calls > 0 && seconds > 0),
    'rateWindows must list calls and seconds, both above zero',
  )
  const { unsigned } = adapter.webhook ?? {}
  unless(!unsigned || adapter.credentials?.[unsigned], 'webhook.unsigned must name one of the credentials')
  const strange = adapter.branded?.find((name) => kind.operations[name]?.brand === undefined)
  unless(strange === undefined, `branded names ${strange}, which has no path under the name of a brand`)
  return [...problems, ...memberProblems(kind, adapter)]
}

/** What an adapter must have and has not: of itself, and of each group that it has. */
function memberProblems({ members }: Kind, adapter: object): string[] {
  return Object.entries(members).flatMap(([name, { required }]) => {
    const [group] = name.split('.').slice(0, -1)
    const isAsked = required && (group === undefined || Boolean(memberOf(adapter, group)))
    return isAsked && typeof memberOf(adapter, name) !== 'function' ? [`${name} is required${group ? ` of ${group}` : ''}`] : []
  })
}

/** Without functions, of which groups hold some too, and without what is undefined: as it would be written down. */
function dataOf(adapter: object, groups: readonly string[]): object {
  return Object.fromEntries(
    Object.entries(adapter)
      .filter(([, value]) => value !== undefined && typeof value !== 'function')
      .map(([name, value]) => [name, groups.includes(name) ? dataOf(value, []) : value]),
  )
}
