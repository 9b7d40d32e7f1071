import { storeIdOf } from '../../data/project-ids.ts'
import { feature } from '../../feature.ts'
import { callerOf } from '../../http/auth/auth-context.ts'
import { readStatistics } from '../../logistics/parcels/figures/statistics.ts'
import { hasRightInStore } from '../../shop/stores/access.ts'
import { ledgerChecks } from './checks.ts'
import { applyCarrierFee, postParcelMove, restateCodAmount } from './entries/post-parcel-moves.ts'
import { ledgerExport } from './ledger.routes.ts'
import { previewOwed, readCashTotals, summarizeFinance } from './owed.ts'
import { tenantDeletionGuard } from './tenant-deletion.ts'

const READ_CASH = ['viewer', 'cash:read'] as const
const FINAL = `Entries of the ledger are never changed or deleted, only undone by others: the database refuses it, whatever code asks.`

/** Declares the double-entry cash ledger: its export, what carriers owe, the entries of parcels' moves and the nightly check. */
export default feature('ledger', {
  routes: [ledgerExport],
  operations: {
    // These operations work while the connection is switched off: the carrier still owes its money.
    carrier: {
      statistics: {
        worksWhenDisabled: async (context, { connection, caller }) => ({
          ...(await readStatistics(context, connection)),
          ...((await hasRightInStore(context, callerOf({ caller }), storeIdOf(connection.row.projectId), READ_CASH)) && {
            cash: await readCashTotals(context, connection),
          }),
        }),
      },
      finance: { worksWhenDisabled: (context, { connection, query }) => summarizeFinance(context, connection, query) },
      cashPreview: { worksWhenDisabled: (context, { connection, query }) => previewOwed(context, connection, query) },
    },
  },
  checks: ledgerChecks,
  subscribers: {
    ...tenantDeletionGuard,
    async 'parcels.moved'(tx, { moves }) {
      for (const { parcel, ...move } of moves) await postParcelMove(tx, parcel, move)
    },
    'parcel.cod_amount_changed': (tx, { parcel }) => restateCodAmount(tx, parcel),
    'parcel.fee_reported': (tx, { parcel, fee }) => applyCarrierFee(tx, parcel, fee),
  },
  triggers: [
    { table: 'ledger_entries', name: 'final', before: true, on: ['delete', 'truncate'], function: 'cash_refuse_change', why: FINAL },
    { table: 'ledger_entries', name: 'kept', before: true, on: ['update'], function: 'cash_refuse_change', why: FINAL },
  ],
})
