import type { Sql } from '../../data/sql.ts'
import { readList } from '../../http/resource/list.ts'
import { lowestIdAt } from '../../lib/ids.ts'
import { auditList } from './audit.model.ts'
import { listAuditEntries } from './audit.queries.ts'

/** Reads a page of the changes in a store, newest first. `from` is inclusive, `to` is exclusive. */
export function listChanges(sql: Sql, storeId: string, query: Record<string, unknown> & { readonly from?: string; readonly to?: string }) {
  const moment = (at: string | undefined) => (at === undefined ? null : lowestIdAt('aud', Date.parse(at)))
  const within = { first: moment(query.from), beyond: moment(query.to) }
  return readList(sql, auditList, query, (reader, asked) => listAuditEntries(reader, storeId, asked, within))
}
