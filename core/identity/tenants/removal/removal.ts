import type { Context } from '../../../context.ts'
import { enqueue } from '../../../data/jobs.ts'
import { type Sql, transaction } from '../../../data/sql.ts'
import { publish } from '../../../data/subscribers.ts'
import { DomainError } from '../../../lib/errors/domain-error.ts'
import {
  deleteTenantAndProjects,
  deleteTenantRows,
  type ForeignKey,
  findTenantOwnerIds,
  listDueTenants,
  listForeignKeys,
  listOwningTables,
  lockDueTenant,
  markRemoving,
  OWNER_COLUMNS,
  postponeRemoval,
  type RemovalTable,
} from './removal.queries.ts'

declare module '../../../data/jobs.ts' {
  interface Jobs {
    'tenants.removeDue': Record<string, unknown>
    'tenants.remove': { tenantId: number }
  }
}

const DUE_MAX = 100
const BATCH = 500
/** Tables of users and their apps, whose rows outlive a tenant even when they refer to it. */
const KEPT_TABLES = new Set(['users', 'session_tokens', 'apps', 'tenants', 'projects', 'revocations'])

/** Enqueues the removal of each tenant whose 30 days have passed. */
export async function enqueueDueRemovals({ sql }: Pick<Context, 'sql'>) {
  for (const { id } of await listDueTenants(sql, DUE_MAX))
    await enqueue(sql, 'tenants.remove', { tenantId: id }, { key: `tenant:${id}`, owner: '' })
}

/**
 * Removes a tenant with all its rows, in batches. When a subscriber refuses, it tries again a day later. A removal that has started
 * continues to the end, in any process.
 */
export async function removeTenant({ sql, log }: Pick<Context, 'sql' | 'log'>, tenantId: number, signal: AbortSignal): Promise<void> {
  if (!(await startRemoval({ sql, log }, tenantId))) return
  const [whose, parts] = await Promise.all([findTenantOwnerIds(sql, tenantId), listRemovalTables(sql)])
  for (const part of parts)
    for (let left = true; left; ) {
      signal.throwIfAborted()
      left = (await transaction(sql, (tx) => deleteTenantRows(tx, part, whose, BATCH))) > 0
    }
  await transaction(sql, (tx) => deleteTenantAndProjects(tx, tenantId))
  log.info({ tenantId }, 'a tenant was removed, thirty days after it was deleted')
}

/** Starts the removal of a tenant. Returns false when it is not due or a subscriber refuses. */
async function startRemoval({ sql, log }: Pick<Context, 'sql' | 'log'>, tenantId: number): Promise<boolean> {
  try {
    return await transaction(sql, async (tx) => {
      const due = await lockDueTenant(tx, tenantId)
      if (!due || due.removing) return due !== undefined
      await publish(tx, 'tenant.deleted', { tenantId })
      await markRemoving(tx, tenantId)
      return true
    })
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    log.warn({ tenantId, because: error.message }, 'a tenant cannot be removed yet; it is tried again tomorrow')
    await postponeRemoval(sql, tenantId)
    return false
  }
}

/** Lists the tables with rows of tenants, each before the tables to which it refers. */
async function listRemovalTables(sql: Sql): Promise<RemovalTable[]> {
  const [owning, references] = await Promise.all([listOwningTables(sql, OWNER_COLUMNS), listForeignKeys(sql)])
  const toItself = (table: string) => references.filter(({ child, parent }) => child === table && parent === table)
  const parts = owning
    .filter(({ root }) => !KEPT_TABLES.has(root))
    .map(({ name, root, columns }): RemovalTable => ({ name, root, columns, own: toItself(root) }))
  const partOf = (table: string) => parts.find(({ root }) => root === table)
  const hangsOn = ({ child, parent, isMust }: ForeignKey) => isMust && !KEPT_TABLES.has(child) && !partOf(child) && partOf(parent)
  for (let reference = references.find(hangsOn); reference; reference = references.find(hangsOn)) {
    const [name, parent] = [reference.child, partOf(reference.parent)]
    if (parent) parts.push({ name, root: name, columns: [], through: { reference, parent }, own: toItself(name) })
  }
  return sortChildrenFirst(parts, references)
}

function sortChildrenFirst(parts: readonly RemovalTable[], references: readonly ForeignKey[]): RemovalTable[] {
  const tables = new Set<string>()
  const visit = (table: string, way: readonly string[]) => {
    if (tables.has(table) || way.includes(table)) return
    for (const { child, parent } of references) if (parent === table) visit(child, [...way, table])
    tables.add(table)
  }
  for (const { root } of parts) visit(root, [])
  return [...tables].flatMap((table) => parts.filter(({ root }) => root === table))
}
