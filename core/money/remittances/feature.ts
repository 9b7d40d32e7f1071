import { eraseBySearch } from '../../data/personal-data/search-person.ts'
import { feature } from '../../feature.ts'
import { readStatistics } from '../../logistics/parcels/figures/statistics.ts'
import { previewOwed, readCashTotals, summarizeFinance } from '../ledger/owed.ts'
import { applyCarrierFee, postParcelMove, restateCodAmount } from '../ledger/post-parcel-moves.ts'
import { tenantDeletionGuard } from '../ledger/tenant-deletion.ts'
import { logCashDifferences } from '../ledger/verify.ts'
import { confirmRemittance, reverseRemittance } from './confirm.ts'
import { syncCash } from './pull-remittances.ts'
import { ledgerExport, remittances } from './remittances.routes.ts'
import { readRemittance, readRemittances } from './remittances.ts'

const FINAL = `Entries of the ledger are never changed or deleted, only undone by others: the database refuses it, whatever code asks.`
/** Declares the cash ledger and carriers' remittances: routes, adapter operations, subscribers and the nightly check. */

/** Declares the cash ledger and carriers' remittances: routes, adapter operations, subscribers and the nightly check. */
export default feature('cash', {
  routes: [remittances, ledgerExport],
  operations: {
    // These operations work while the connection is switched off: the carrier still owes its money.
    carrier: {
      statistics: {
        evenOff: async (context, { connection }) => ({
          ...(await readStatistics(context, connection)),
          cash: await readCashTotals(context, connection),
        }),
      },
      finance: { evenOff: (context, { connection, query }) => summarizeFinance(context, connection, query) },
      cashPreview: { evenOff: (context, { connection, query }) => previewOwed(context, connection, query) },
      cashBatches: { evenOff: (context, { connection, query }) => readRemittances(context, connection, query) },
      cashBatch: { evenOff: (context, { connection, params, query }) => readRemittance(context, connection, params.batchId, query) },
      cashConfirm: { evenOff: (context, { connection, body }) => confirmRemittance(context, connection, body.batchId) },
      cashReverse: { evenOff: (context, { connection, body }) => reverseRemittance(context, connection, body.batchId) },
      syncCash: { evenOff: (context, { connection }) => syncCash(context, connection) },
    },
  },
  jobs: { 'cash.verify': { schedule: '27 4 * * *', work: logCashDifferences } },
  subscribers: {
    ...tenantDeletionGuard,
    async 'parcels.moved'(tx, { moves }) {
      for (const { parcel, ...move } of moves) await postParcelMove(tx, parcel, move)
    },
    'parcel.restated': (tx, { parcel }) => restateCodAmount(tx, parcel),
    'carrier.fee_learnt': (tx, { parcel, fee }) => applyCarrierFee(tx, parcel, fee),
  },
  triggers: [
    { table: 'cash_entries', name: 'final', before: true, on: ['delete', 'truncate'], function: 'cash_refuse_change', why: FINAL },
    { table: 'cash_entries', name: 'kept', before: true, on: ['update'], function: 'cash_refuse_change', why: FINAL },
  ],
  personalData: [
    eraseBySearch({
      table: 'cash_remittances',
      owner: 'project',
      key: ['connection_id', 'id'],
      columns: { file_name: 'text', carrier_status: 'text' },
      created: 'created_at',
    }),
  ],
})
