import type { Context } from '../../context.ts'
import { isStatementTimeout, withCustomPlan } from '../../data/keyset-page.ts'
import type { Tx } from '../../data/sql.ts'
import { queueByOwner } from '../../http/concurrency.ts'
import { listConnectionsOfKinds } from '../../integrations/connections/connections.queries.ts'
import { decimal, decimalNumber } from '../../lib/money/decimal.ts'
import type { Store } from '../../shop/stores/stores.model.ts'
import { sumMissingPaymentsByConnection, sumPayoutsByConnection } from '../gateway-payouts/payouts.queries.ts'
import { sumBalancesByConnection, sumOwedByConnection } from '../ledger/owed.queries.ts'
import { AGED_DAYS } from '../ledger/owed.ts'
import { sumRemittancesByConnection } from '../remittances/remittances.queries.ts'
import { cashErrors } from './cash.errors.ts'
import { type CashHolder, holderKinds } from './overview.model.ts'

/** Overviews add up the whole ledger of a store: few run at once. */
const queueOverview = queueByOwner({ own: 1, all: 2, waiting: 20 }, 'Too many overviews of this cash are waiting.')

/** Milliseconds that the database may take for one of its sums. */
const STATEMENT_MS = 10_000

/** Maximum number of connections that an overview lists. */
const HOLDERS_MAX = 500

interface Totals {
  readonly connectionId: string
}

/**
 * Lists the carriers and gateways of a store with the money that each holds, the largest debt first. Includes connections that were removed
 * while they owed money. What is unpaid is aged after `agedDays` days. Throws `unavailable` for a ledger that takes too long to add up.
 */
export const listCashHolders = (context: Context, store: Store, agedDays = AGED_DAYS, signal?: AbortSignal): Promise<CashHolder[]> =>
  queueOverview(store.projectId, () => readHolders(context, store, agedDays), signal)

async function readHolders({ sql, plugins }: Context, { projectId, currencyCode }: Store, agedDays: number): Promise<CashHolder[]> {
  // One after the other on one connection: other requests need the others.
  const read = async (tx: Tx) => ({
    connections: await listConnectionsOfKinds(tx, projectId, holderKinds, HOLDERS_MAX),
    balances: byConnection(await sumBalancesByConnection(tx, projectId)),
    parcels: byConnection(await sumOwedByConnection(tx, projectId, agedDays)),
    payments: byConnection(await sumMissingPaymentsByConnection(tx, projectId, agedDays)),
    remittances: byConnection(await sumRemittancesByConnection(tx, projectId)),
    payouts: byConnection(await sumPayoutsByConnection(tx, projectId)),
  })
  const { connections, balances, parcels, payments, remittances, payouts } = await withCustomPlan(sql, read, {
    timeoutMs: STATEMENT_MS,
  }).catch((error: unknown) => {
    throw isStatementTimeout(error) ? cashErrors.overviewTooSlow() : error
  })
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

const byConnection = <Row extends Totals>(rows: readonly Row[]): ReadonlyMap<string, Row> =>
  new Map(rows.map((row) => [row.connectionId, row]))
