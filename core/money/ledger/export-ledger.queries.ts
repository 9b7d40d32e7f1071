import { equalsCondition, keysetPage } from '../../data/keyset-page.ts'
import type { Queryable } from '../../data/sql.ts'
import type { LedgerLine, LedgerQuery } from './export-ledger.ts'

/** Lists a page of a project's cash ledger, newest first, with the connection and the parcel of each line. */
export const listLedgerLines = (sql: Queryable, projectId: string, { filter: { from, to, ...equal }, page: part }: LedgerQuery) =>
  sql<LedgerLine[]>`
    select e.id::text as id, e.at, e.kind, i.key as connection, p.reference, p.tracking_id as tracking, e.carrier, e.sales, e.fees, e.bank, e.difference,
      e.stands, e.remittance_id, e.payment_id, e.payout_id
    from (select * from ledger_entries where project_id = ${projectId} ${equalsCondition(sql, { kind: equal.kind, connection_id: equal.connectionId })}
      ${from === undefined ? sql`` : sql`and at >= ${from}`} ${to === undefined ? sql`` : sql`and at < ${to}`} ${keysetPage(sql, part)}) e
    left join parcels p on p.project_id = ${projectId} and p.id = e.parcel_id
    left join integrations i on i.project_id = ${projectId} and i.id = e.connection_id
    order by e.id ${part.isDescending ? sql`desc` : sql`asc`}`
