import { PLATFORM_PROJECT_ID } from '../../../data/project-ids.ts'
import type { Queryable } from '../../../data/sql.ts'
import { notFound } from '../../../lib/errors/domain-error.ts'
import { actionErrors } from '../actions.errors.ts'
import { COMPONENTS_MAX, type ComponentsRequest, DEPTH_MAX, type ResolvedComponent, type ResolvedComponents } from './components.model.ts'
import { findTemplate, findTemplatesById, findTemplatesByName, type TemplateRow } from './components.queries.ts'

const NAME_MAX = 200
/** Values of a template's data that are searched. */
const NODES_MAX = 20_000

/** Finds the component names in a template's data: each string under a key `component`, at any depth. */
function findComponentNames(data: unknown): string[] {
  const names = new Set<string>()
  const pending: unknown[] = [data]
  for (let seen = 0; pending.length > 0 && seen < NODES_MAX; seen += 1) {
    const node = pending.pop()
    if (typeof node !== 'object' || node === null) continue
    const own: unknown = Array.isArray(node) ? undefined : (node as Record<string, unknown>).component
    if (typeof own === 'string' && own.length > 0 && own.length <= NAME_MAX) names.add(own)
    pending.push(...Object.values(node).toReversed())
  }
  return [...names]
}

/**
 * Resolves the components of a template or of names, level by level, and reads each once. Throws `invalid_request`, `not_found`, and
 * `limit_reached` for too many components or levels.
 */
export async function resolveComponents(
  sql: Queryable,
  projectId: string,
  { templateId, names }: ComponentsRequest,
): Promise<ResolvedComponents> {
  if ((templateId === undefined) === (names === undefined)) throw actionErrors.templateOrNames({ field: [] })
  const root = templateId === undefined ? undefined : await findTemplate(sql, projectId, templateId)
  if (templateId !== undefined && !root) throw notFound('The template')
  const found = new Map<string, ResolvedComponent>()
  const byName = new Map<string, string>()
  const missing: string[] = []
  let wanted = root ? findComponentNames(root.data) : [...(names ?? [])]
  for (let depth = 0; wanted.length > 0; depth += 1) {
    if (depth === DEPTH_MAX) throw actionErrors.componentsTooDeep({ depthMax: DEPTH_MAX })
    if (byName.size + wanted.length > COMPONENTS_MAX) throw actionErrors.tooManyComponents({ componentsMax: COMPONENTS_MAX })
    const rows = await findTemplates(sql, projectId, wanted)
    for (const name of wanted) {
      const row = rows.get(name)
      if (!row) missing.push(name)
      byName.set(name, row?.id ?? '')
      if (row && !found.has(row.id)) found.set(row.id, presentComponent(row))
    }
    const next = [...found.values()].flatMap(({ uses }) => uses).filter((name) => !byName.has(name))
    wanted = [...new Set(next)]
  }
  return { components: [...found.values()], missing, circular: circularIn(found, byName, root?.id) }
}

/** Finds templates by id or name. An id takes precedence over a name, and a template of the store over one of the platform. */
async function findTemplates(sql: Queryable, projectId: string, wanted: readonly string[]): Promise<Map<string, TemplateRow>> {
  const [named, byId] = await Promise.all([findTemplatesByName(sql, projectId, wanted), findTemplatesById(sql, projectId, wanted)])
  return new Map([...named.toReversed().map((row) => [row.name, row] as const), ...byId.map((row) => [row.id, row] as const)])
}

const presentComponent = ({ id, projectId, name, data }: TemplateRow): ResolvedComponent => ({
  id,
  name,
  of: projectId === PLATFORM_PROJECT_ID ? 'platform' : 'store',
  data,
  uses: findComponentNames(data),
})

/** Returns the names by which a component is reached again below itself (depth-first search). */
function circularIn(
  found: ReadonlyMap<string, ResolvedComponent>,
  byName: ReadonlyMap<string, string>,
  root: string | undefined,
): string[] {
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
