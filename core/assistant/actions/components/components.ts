import type { Queryable } from '../../../data/sql.ts'
import { ApiError, invalid, notFound } from '../../../http/errors/errors.ts'
import { COMPONENTS_MAX, type ComponentFound, type ComponentsAsked, type ComponentsFound, DEPTH_MAX } from './components.model.ts'
import { findByIds, findNamed, findTemplate, type TemplateRow } from './components.queries.ts'

const NAME_MAX = 200
const NODES_MAX = 20_000

/** What a template names: each string under `component`, wherever it stands. */
export function namedIn(data: unknown): string[] {
  const names = new Set<string>()
  const open: unknown[] = [data]
  for (let seen = 0; open.length > 0 && seen < NODES_MAX; seen += 1) {
    const node = open.pop()
    if (typeof node !== 'object' || node === null) continue
    const own: unknown = Array.isArray(node) ? undefined : (node as Record<string, unknown>).component
    if (typeof own === 'string' && own.length > 0 && own.length <= NAME_MAX) names.add(own)
    open.push(...Object.values(node).toReversed())
  }
  return [...names]
}

/**
 * The components that a template or these names lead to, level by level, each read once. Throws `not_found`, and `limit_reached` where there
 * are too many or they stand too deep in one another.
 */
export async function resolveComponents(sql: Queryable, storeId: string, { templateId, names }: ComponentsAsked): Promise<ComponentsFound> {
  if ((templateId === undefined) === (names === undefined)) throw invalid('/body', 'Say either templateId or names.')
  const root = templateId === undefined ? undefined : await findTemplate(sql, storeId, templateId)
  if (templateId !== undefined && !root) throw notFound('The template')
  const found = new Map<string, ComponentFound>()
  const byName = new Map<string, string>()
  const missing: string[] = []
  let wanted = root ? namedIn(root.data) : [...(names ?? [])]
  for (let depth = 0; wanted.length > 0; depth += 1) {
    if (depth === DEPTH_MAX) throw tooMuch(`Components may stand ${DEPTH_MAX} deep in one another.`)
    if (byName.size + wanted.length > COMPONENTS_MAX) throw tooMuch(`A template may lead to ${COMPONENTS_MAX} components.`)
    const rows = await read(sql, storeId, wanted)
    for (const name of wanted) {
      const row = rows.get(name)
      if (!row) missing.push(name)
      byName.set(name, row?.id ?? '')
      if (row && !found.has(row.id)) found.set(row.id, presented(row))
    }
    const next = [...found.values()].flatMap(({ uses }) => uses).filter((name) => !byName.has(name))
    wanted = [...new Set(next)]
  }
  return { components: [...found.values()], missing, circular: circularIn(found, byName, root?.id) }
}

const tooMuch = (message: string) => new ApiError('limit_reached', `${message} Put some of them together.`)

/** By what they were asked for: an id is that before it is a name, and the store's own goes before the platform's. */
async function read(sql: Queryable, storeId: string, wanted: readonly string[]): Promise<Map<string, TemplateRow>> {
  const [named, byId] = await Promise.all([findNamed(sql, storeId, wanted), findByIds(sql, storeId, wanted)])
  return new Map([...named.toReversed().map((row) => [row.name, row] as const), ...byId.map((row) => [row.id, row] as const)])
}

const presented = ({ id, storeId, name, data }: TemplateRow): ComponentFound => ({
  id,
  name,
  of: storeId === null ? 'platform' : 'store',
  data,
  uses: namedIn(data),
})

/** Names by which something below a component leads back to it. */
function circularIn(found: ReadonlyMap<string, ComponentFound>, byName: ReadonlyMap<string, string>, root: string | undefined): string[] {
  const circular = new Set<string>()
  const done = new Set<string>()
  const above = new Set<string>(root === undefined ? [] : [root])
  const visit = (id: string) => {
    above.add(id)
    for (const name of found.get(id)?.uses ?? []) {
      const target = byName.get(name) ?? ''
      if (above.has(target)) circular.add(name)
      else if (found.has(target) && !done.has(target)) visit(target)
    }
    above.delete(id)
    done.add(id)
  }
  for (const id of found.keys()) if (!done.has(id) && id !== root) visit(id)
  return [...circular]
}
