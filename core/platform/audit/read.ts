import type { Sql } from '../../data/sql.ts'
import { list } from '../../http/resource/list.ts'
import { momentOfIds } from '../../lib/ids.ts'
import { auditList } from './audit.model.ts'
import { listEntries } from './audit.queries.ts'

/** Reads a page of the changes in a store, newest first. `from` is inclusive, `to` is exclusive. */
export function listChanges(sql: Sql, storeId: string, query: Record<string, unknown> & { readonly from?: string; readonly to?: string }) {
  const moment = (at: string | undefined) => (at === undefined ? null : momentOfIds('aud', Date.parse(at)))
  const within = { first: moment(query.from), beyond: moment(query.to) }
  return list(sql, auditList, query, (reader, asked) => listEntries(reader, storeId, asked, within))
}
