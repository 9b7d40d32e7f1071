import type { Context } from '../../context.ts'
import { queueByOwner } from '../../http/concurrency.ts'
import { listConnectionsOfKinds } from '../../integrations/connections/connections.queries.ts'
import { decimal, decimalNumber } from '../../lib/money/decimal.ts'
import type { Store } from '../../shop/stores/stores.model.ts'
import { sumMissingPaymentsByConnection, sumPayoutsByConnection } from '../gateway-payouts/payouts.queries.ts'
import { sumBalancesByConnection, sumOwedByConnection } from '../ledger/owed.queries.ts'
import { AGED_DAYS } from '../ledger/owed.ts'
import { sumRemittancesByConnection } from '../remittances/remittances.queries.ts'
import { type CashHolder, holderKinds } from './overview.model.ts'

/** Overviews add up the whole ledger of a store: few run at once. */
const queueOverview = queueByOwner({ own: 1, all: 2, waiting: 20 }, 'Too many overviews of this cash are waiting.')

/** Maximum number of connections that an overview lists. */
const HOLDERS_MAX = 500

interface Totals {
  readonly connectionId: string
}

/**
 * Lists the carriers and gateways of a store with the money that each holds, the largest debt first. Includes connections that were removed
 * while they owed money. What is unpaid is aged after `agedDays` days.
 */
export const listCashHolders = (context: Context, store: Store, agedDays = AGED_DAYS, signal?: AbortSignal): Promise<CashHolder[]> =>
  queueOverview(store.projectId, () => readHolders(context, store, agedDays), signal)

async function readHolders({ sql, plugins }: Context, { projectId, currencyCode }: Store, agedDays: number): Promise<CashHolder[]> {
  const [connections, balances, parcels, payments, remittances, payouts] = await Promise.all([
    listConnectionsOfKinds(sql, projectId, holderKinds, HOLDERS_MAX),
    byConnection(sumBalancesByConnection(sql, projectId)),
    byConnection(sumOwedByConnection(sql, projectId, agedDays)),
    byConnection(sumMissingPaymentsByConnection(sql, projectId, agedDays)),
    byConnection(sumRemittancesByConnection(sql, projectId)),
    byConnection(sumPayoutsByConnection(sql, projectId)),
  ])
  const holders = connections.map(({ id, kind, key, name, enabled, isRemoved }): CashHolder => {
    const unpaid = parcels.get(id) ?? payments.get(id)
    const paid = remittances.get(id) ?? payouts.get(id)
    return {
      connectionId: id,
      kind,
      key,
      name,
      enabled: enabled && !isRemoved,
      removed: isRemoved,
      currency: (kind === 'carrier' && plugins.find('carrier', key)?.carrier.currency) || currencyCode,
      owed: decimalNumber(decimal(balances.get(id)?.owed ?? 0)),
      unpaid: unpaid?.unpaid ?? 0,
      since: unpaid?.since ?? null,
      agedUnpaid: unpaid?.agedUnpaid ?? 0,
      aged: decimalNumber(decimal(unpaid?.aged ?? 0)),
      waitingPayouts: paid?.waiting ?? 0,
      lastPayoutAt: paid?.lastAt ?? null,
    }
  })
  return holders
    .filter(({ removed, owed, unpaid, waitingPayouts }) => !removed || owed !== 0 || unpaid > 0 || waitingPayouts > 0)
    .sort((a, b) => b.owed - a.owed || a.key.localeCompare(b.key))
}

const byConnection = async <Row extends Totals>(rows: Promise<Row[]>): Promise<ReadonlyMap<string, Row>> =>
  new Map((await rows).map((row) => [row.connectionId, row]))
