import { isDeepStrictEqual } from 'node:util'
import { sendWithCommit, type Tx } from '../../data/sql.ts'
import { publish } from '../../data/subscribers.ts'
import { type Actor, currentActor } from '../../data/tenant-context.ts'
import { newId } from '../../lib/ids.ts'
import { type AuditedStore, insertAuditEntries } from './audit.queries.ts'
import { auditedFields, type ChangeName } from './changes.ts'

/** Change to record. */
export interface AuditEntry {
  readonly what: ChangeName
  /** Id of what was changed. */
  readonly thing: string
  /** Values before the change; absent if it was created. Only the fields listed in `auditedFields` are stored. */
  readonly before?: object
  /** Values after the change; absent if it was deleted. */
  readonly after?: object
}

declare module '../../data/subscribers.ts' {
  interface DomainEvents {
    /** Published with the recorded changes of one store or project. */
    'audit.recorded': { readonly of: AuditedStore; readonly changes: readonly Pick<AuditEntry, 'what' | 'thing'>[] }
  }
}

/**
 * Records a change in its transaction, in the name of the current actor unless another is given. Stores only the fields that differ, and
 * nothing if none does.
 */
export const recordAudit = (tx: Tx, of: AuditedStore, entry: AuditEntry, by?: Actor | null): Promise<void> =>
  recordAuditAll(tx, of, [entry], by)

/** Records many changes of one store in one statement, which leaves with the next one or with the commit. */
export async function recordAuditAll(
  tx: Tx,
  of: AuditedStore,
  entries: readonly AuditEntry[],
  by: Actor | null = currentActor() ?? null,
): Promise<void> {
  const changed = entries.flatMap(diffEntry)
  if (changed.length === 0) return
  const actor = { byId: by?.id ?? '', byKind: by?.kind ?? 'system', appId: by?.appId ?? null, adminId: by?.adminId ?? null }
  const entriesToInsert = changed.map((entry) => ({ id: newId('aud'), ...actor, ...entry }))
  sendWithCommit(tx, [insertAuditEntries(tx, of, entriesToInsert)])
  await publish(tx, 'audit.recorded', { of, changes: changed })
}

/** Returns the differing fields of an entry; an empty list if no recorded field differs. */
function diffEntry({ what, thing, before, after }: AuditEntry) {
  const [was, is] = [pick(what, before), pick(what, after)]
  const differing = Object.keys({ ...was, ...is }).filter((field) => !isDeepStrictEqual(was?.[field], is?.[field]))
  if (was && is && differing.length === 0) return []
  const only = (values: Values | null) =>
    values && Object.fromEntries(differing.flatMap((field) => (field in values ? [[field, values[field]]] : [])))
  return [{ what, thing, before: only(was), after: only(is) }]
}

type Values = Record<string, unknown>

/** Picks the recorded fields, converted to JSON, so that values are compared in their stored form. */
function pick(what: ChangeName, from: object | undefined): Values | null {
  if (!from) return null
  const values = from as Values
  const named = (auditedFields[what] as readonly string[]).filter((field) => values[field] !== undefined)
  return JSON.parse(JSON.stringify(Object.fromEntries(named.map((field) => [field, values[field]])))) as Values
}
