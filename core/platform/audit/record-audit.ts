import { isDeepStrictEqual } from 'node:util'
import type { Tx } from '../../data/sql.ts'
import { type Actor, currentActor } from '../../data/tenant-context.ts'
import { newId } from '../../lib/ids.ts'
import { insertEntries, type Of } from './audit.queries.ts'
import { type Change, changes } from './changes.ts'

export interface AuditEntry {
  readonly what: Change
  /** The id of what was changed. */
  readonly thing: string
  /** As it was, and as it is now; left out where it was not there, or is not any more. Only fields that `changes` names are kept. */
  readonly before?: object
  readonly after?: object
}

/**
 * Writes down, in the transaction of a change, who changed what in a store: the current actor, unless another one is named. Of what changed only
 * the fields that differ are kept; where none does, nothing is.
 */
export const recordAudit = (tx: Tx, of: Of, entry: AuditEntry, by?: Actor | null): Promise<void> => recordAuditAll(tx, of, [entry], by)

/** Writes down many changes of one store in one statement. */
export async function recordAuditAll(
  tx: Tx,
  of: Of,
  entries: readonly AuditEntry[],
  by: Actor | null = currentActor() ?? null,
): Promise<void> {
  const changed = entries.flatMap(differenceOf)
  if (changed.length === 0) return
  const actor = { byId: by?.id ?? '', byKind: by?.kind ?? 'system', appId: by?.appId ?? null, adminId: by?.adminId ?? null }
  await insertEntries(
    tx,
    of,
    changed.map((entry) => ({ id: newId('aud'), ...actor, ...entry })),
  )
}

/** None where nothing that is kept differs. */
function differenceOf({ what, thing, before, after }: AuditEntry) {
  const [was, is] = [pick(what, before), pick(what, after)]
  const differing = Object.keys({ ...was, ...is }).filter((field) => !isDeepStrictEqual(was?.[field], is?.[field]))
  if (was && is && differing.length === 0) return []
  const only = (values: Values | null) =>
    values && Object.fromEntries(differing.flatMap((field) => (field in values ? [[field, values[field]]] : [])))
  return [{ what, thing, before: only(was), after: only(is) }]
}

type Values = Record<string, unknown>

/** As JSON holds it, so that what is compared is what would be kept. */
function pick(what: Change, from: object | undefined): Values | null {
  if (!from) return null
  const values = from as Values
  const named = (changes[what] as readonly string[]).filter((field) => values[field] !== undefined)
  return JSON.parse(JSON.stringify(Object.fromEntries(named.map((field) => [field, values[field]])))) as Values
}
