import type { Context } from '../../../context.ts'
import { enqueue } from '../../../data/jobs.ts'
import { type Sql, transaction } from '../../../data/sql.ts'
import { publish } from '../../../data/subscribers.ts'
import { ApiError } from '../../../http/errors/errors.ts'
import {
  deleteTenantRow,
  findWhose,
  listDue,
  listOwning,
  listReferences,
  lockDue,
  markRemoving,
  OWNING,
  type Part,
  postpone,
  type Reference,
  removeSlice,
} from './removal.queries.ts'

declare module '../../../data/jobs.ts' {
  interface Jobs {
    'tenants.removeDue': Record<string, unknown>
    'tenants.remove': { tenantId: number }
  }
}

const DUE_MAX = 100
const SLICE = 500
/** People and their programs: they may say where they were last, and stay. */
const STAYS = new Set(['users', 'session_tokens', 'apps', 'tenants', 'projects', 'revocations'])

/** Begins to remove each tenant whose thirty days are over. */
export async function removeDue({ sql }: Pick<Context, 'sql'>) {
  for (const { id } of await listDue(sql, DUE_MAX))
    await enqueue(sql, 'tenants.remove', { tenantId: id }, { key: `tenant:${id}`, owner: '' })
}

/**
 * Removes a tenant with every row of it, in slices. Where somebody still needs it (a parcel that came to life again, money), it is tried again a
 * day later; once begun it goes on to the end, whatever process does it.
 */
export async function removeTenant({ sql, log }: Pick<Context, 'sql' | 'log'>, tenantId: number, signal: AbortSignal): Promise<void> {
  if (!(await begin({ sql, log }, tenantId))) return
  const [whose, parts] = await Promise.all([findWhose(sql, tenantId), partsOfTenants(sql)])
  for (const part of parts)
    for (let left = true; left; ) {
      signal.throwIfAborted()
      left = (await transaction(sql, (tx) => removeSlice(tx, part, whose, SLICE))) > 0
    }
  await transaction(sql, (tx) => deleteTenantRow(tx, tenantId))
  log.info({ tenantId }, 'a tenant was removed, thirty days after it was deleted')
}

/** Whether it goes now. */
async function begin({ sql, log }: Pick<Context, 'sql' | 'log'>, tenantId: number): Promise<boolean> {
  try {
    return await transaction(sql, async (tx) => {
      const due = await lockDue(tx, tenantId)
      if (!due || due.removing) return due !== undefined
      await publish(tx, 'tenant.leaving', { tenantId })
      await markRemoving(tx, tenantId)
      return true
    })
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    log.warn({ tenantId, because: error.message }, 'a tenant cannot be removed yet; it is tried again tomorrow')
    await postpone(sql, tenantId)
    return false
  }
}

/** What of each table goes with a tenant; what refers to others before those. */
export async function partsOfTenants(sql: Sql): Promise<Part[]> {
  const [owning, references] = await Promise.all([listOwning(sql, OWNING), listReferences(sql)])
  const toItself = (table: string) => references.filter(({ child, parent }) => child === table && parent === table)
  const parts = owning
    .filter(({ root }) => !STAYS.has(root))
    .map(({ name, root, columns }): Part => ({ name, root, columns, own: toItself(root) }))
  const partOf = (table: string) => parts.find(({ root }) => root === table)
  const hangsOn = ({ child, parent, isMust }: Reference) => isMust && !STAYS.has(child) && !partOf(child) && partOf(parent)
  for (let reference = references.find(hangsOn); reference; reference = references.find(hangsOn)) {
    const [name, parent] = [reference.child, partOf(reference.parent)]
    if (parent) parts.push({ name, root: name, columns: [], through: { reference, parent }, own: toItself(name) })
  }
  return childrenFirst(parts, references)
}

function childrenFirst(parts: readonly Part[], references: readonly Reference[]): Part[] {
  const tables = new Set<string>()
  const visit = (table: string, way: readonly string[]) => {
    if (tables.has(table) || way.includes(table)) return
    for (const { child, parent } of references) if (parent === table) visit(child, [...way, table])
    tables.add(table)
  }
  for (const { root } of parts) visit(root, [])
  return [...tables].flatMap((table) => parts.filter(({ root }) => root === table))
}
