import type { Context } from '../../context.ts'
import { listConnectionsOfKinds } from '../../integrations/connections/connections.queries.ts'
import { decimal, decimalNumber } from '../../lib/money/decimal.ts'
import type { Store } from '../../shop/stores/stores.model.ts'
import { sumMissingPaymentsByConnection, sumPayoutsByConnection } from '../gateway-payouts/payouts.queries.ts'
import { sumBalancesByConnection, sumOwedByConnection } from '../ledger/owed.queries.ts'
import { AGED_DAYS } from '../ledger/owed.ts'
import { sumRemittancesByConnection } from '../remittances/remittances.queries.ts'
import { type CashHolder, holderKinds } from './overview.model.ts'

/** Maximum number of connections that an overview lists. */
const HOLDERS_MAX = 500

interface Totals {
  readonly connectionId: string
}

/**
 * Lists the carriers and gateways of a store with the money that each holds, the largest debt first. Includes connections that were removed
 * while they owed money. What is unpaid is aged after `agedDays` days.
 */
export async function listCashHolders(
  { sql, plugins }: Context,
  { projectId, currencyCode }: Store & { readonly projectId: string },
  agedDays = AGED_DAYS,
): Promise<CashHolder[]> {
  const [connections, balances, parcels, payments, remittances, payouts] = await Promise.all([
    listConnectionsOfKinds(sql, projectId, holderKinds, HOLDERS_MAX),
    byConnection(sumBalancesByConnection(sql, projectId)),
    byConnection(sumOwedByConnection(sql, projectId, agedDays)),
    byConnection(sumMissingPaymentsByConnection(sql, projectId, agedDays)),
    byConnection(sumRemittancesByConnection(sql, projectId)),
    byConnection(sumPayoutsByConnection(sql, projectId)),
  ])
  const holders = connections.map(({ id, kind, key, name, enabled, isRemoved }): CashHolder & { isRemoved: boolean } => {
    const unpaid = parcels.get(id) ?? payments.get(id)
    const paid = remittances.get(id) ?? payouts.get(id)
    return {
      connectionId: id,
      kind,
      key,
      name,
      enabled: enabled && !isRemoved,
      currency: (kind === 'carrier' && plugins.find('carrier', key)?.carrier.currency) || currencyCode,
      owed: decimalNumber(decimal(balances.get(id)?.owed ?? 0)),
      unpaid: unpaid?.unpaid ?? 0,
      since: unpaid?.since ?? null,
      agedUnpaid: unpaid?.agedUnpaid ?? 0,
      aged: decimalNumber(decimal(unpaid?.aged ?? 0)),
      waitingPayouts: paid?.waiting ?? 0,
      lastPayoutAt: paid?.lastAt ?? null,
      isRemoved,
    }
  })
  return holders
    .filter(({ isRemoved, owed, unpaid, waitingPayouts }) => !isRemoved || owed !== 0 || unpaid > 0 || waitingPayouts > 0)
    .sort((a, b) => b.owed - a.owed || a.key.localeCompare(b.key))
    .map(({ isRemoved: _, ...holder }) => holder)
}

const byConnection = async <Row extends Totals>(rows: Promise<Row[]>): Promise<ReadonlyMap<string, Row>> =>
  new Map((await rows).map((row) => [row.connectionId, row]))
