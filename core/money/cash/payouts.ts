import type { Context } from '../../context.ts'
import { type PageOf, readKeysetPage } from '../../http/resource/page.ts'
import { listRemittancesOfProject } from '../remittances/remittances.queries.ts'
import { presentRemittance } from '../remittances/remittances.ts'
import type { CarrierPayout, CarrierPayoutsQuery } from './payouts.model.ts'

/** Separates the connection from the carrier's id of the payout in a cursor. No id of ours has a space. */
const SEPARATOR = ' '

/** Returns a page of the payouts of all carriers of a project, newest first, as they are stored. */
export async function listCarrierPayouts({ sql }: Context, projectId: string, query: CarrierPayoutsQuery): Promise<PageOf<CarrierPayout>> {
  const found = await readKeysetPage(
    query,
    (after, take) => listRemittancesOfProject(sql, projectId, query, afterOf(after), take),
    ({ connectionId, id }) => connectionId + SEPARATOR + id,
  )
  return { ...found, data: found.data.map((row) => ({ ...presentRemittance(row), connectionId: row.connectionId, carrier: row.carrier })) }
}

function afterOf(cursor: string | null) {
  if (cursor === null) return null
  const at = cursor.indexOf(SEPARATOR)
  return { connectionId: cursor.slice(0, Math.max(at, 0)), id: cursor.slice(at + 1) }
}
