import { type Adapter, reservedSlugs } from '../adapter.ts'
import { type Kind, memberOf, NO_ADAPTER } from '../kind.ts'
import { kinds as ours } from '../kinds.ts'
import { shapeProblems } from './definition.ts'
import { oauthProblems } from './oauth.ts'

const SLUG = /^[a-z][a-z0-9-]{1,40}$/
/** A host name. The last part begins with a letter, which no IP address does; a wildcard needs a domain of at least two parts. */
const HOST = /^(\*\.)?(?!-)[a-z0-9-]+(\.[a-z0-9-]+)*\.[a-z][a-z0-9-]+$/
const PROBLEM_LENGTH_MAX = 300
const PROBLEMS_MAX = 8

/** Returns the reason why a slug is invalid, or undefined. */
export function slugProblem(slug: string): string | undefined {
  if (SLUG.test(slug) && !reservedSlugs.includes(slug)) return undefined
  return `"${slug}" must be 2 to 41 lower-case letters, digits and hyphens, begin with a letter, and not be a reserved word`
}

/** Returns the kind that a definition names; undefined if there is none of that name. */
export const kindOf = (definition: { readonly kind?: unknown }, kinds: readonly Kind[] = ours) =>
  kinds.find(({ name }) => name === definition.kind)

/** Joins the problems of all definitions of a folder, each distinct problem once; undefined if there are none. */
export function summarizeProblems(definitions: readonly unknown[], kinds: readonly Kind[] = ours): string | undefined {
  return [...new Set(definitions.flatMap((each) => definitionProblems(each, kinds)))].slice(0, PROBLEMS_MAX).join('; ') || undefined
}

/**
 * Returns the reasons why a definition cannot be mounted; empty if it can. It checks at run time, since the code may have been compiled
 * elsewhere.
 */
export function definitionProblems(candidate: unknown, kinds: readonly Kind[] = ours): string[] {
  if (candidate === null || typeof candidate !== 'object') return [NO_ADAPTER]
  try {
    const kind = kindOf(candidate, kinds)
    if (!kind) return [`kind must be ${kinds.map(({ name }) => `"${name}"`).join(' or ')}`]
    const problems = [...meaningProblems(kind, candidate), ...(kind.problems?.(candidate) ?? [])]
    const wrong = problems.length > 0 ? problems : shapeProblems(kind, dataOf(candidate, kind.groups))
    const found = wrong.length > 0 ? wrong : oauthProblems(candidate as Adapter)
    return found.slice(0, PROBLEMS_MAX).map((problem) => problem.slice(0, PROBLEM_LENGTH_MAX))
  } catch {
    return ['throws when its properties are read']
  }
}

function meaningProblems(kind: Kind, adapter: Partial<Adapter> & { webhook?: { unsigned?: string } }): string[] {
  const problems: string[] = []
  const unless = (holds: unknown, problem: string) => void (holds || problems.push(problem))
  unless(adapter.contract === kind.contract, contractProblem(adapter.contract, kind.contract))
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
  unless(strange === undefined, `branded names ${strange}, which is not an operation with a branded path`)
  return [...problems, ...memberProblems(kind, adapter)]
}

/** Returns what to do about an adapter for another version of the contract. */
const contractProblem = (written: unknown, spoken: number) =>
  `was written for contract ${String(written)}; this server speaks ${spoken}. ${
    typeof written === 'number' && written > spoken
      ? 'Update the server'
      : 'Follow "Earlier contracts" in docs/write-an-adapter.md, then build the adapter again'
  }`

/** Returns the required members that are missing, of the adapter itself and of each group that it has. */
function memberProblems({ members }: Kind, adapter: object): string[] {
  return Object.entries(members).flatMap(([name, { required }]) => {
    const [group] = name.split('.').slice(0, -1)
    const isAsked = required && (group === undefined || Boolean(memberOf(adapter, group)))
    return isAsked && typeof memberOf(adapter, name) !== 'function' ? [`${name} is required${group ? ` of ${group}` : ''}`] : []
  })
}

/** Returns the data of a definition, without functions (also those of groups) and undefined members. */
function dataOf(adapter: object, groups: readonly string[]): object {
  return Object.fromEntries(
    Object.entries(adapter)
      .filter(([, value]) => value !== undefined && typeof value !== 'function')
      .map(([name, value]) => [name, groups.includes(name) ? dataOf(value, []) : value]),
  )
}
