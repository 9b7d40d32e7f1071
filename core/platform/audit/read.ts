import type { Sql } from '../../data/sql.ts'
import { list } from '../../http/resource/list.ts'
import { momentOfIds } from '../../lib/ids.ts'
import { auditList } from './audit.model.ts'
import { listEntries } from './audit.queries.ts'

/** A page of what was changed in a store, newest first. */
export function listChanges(sql: Sql, storeId: string, query: Record<string, unknown> & { readonly from?: string; readonly to?: string }) {
  const moment = (at: string | undefined) => (at === undefined ? null : momentOfIds('aud', Date.parse(at)))
  const within = { first: moment(query.from), beyond: moment(query.to) }
  return list(sql, auditList, query, (reader, asked) => listEntries(reader, storeId, asked, within))
}
