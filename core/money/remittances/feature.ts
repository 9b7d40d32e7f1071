import { searched } from '../../data/personal-data/search-person.ts'
import { feature } from '../../feature.ts'
import { statistics } from '../../logistics/parcels/figures/figures.ts'
import { cash, cashExport } from './cash.routes.ts'
import { confirmPayout, reversePayout } from './confirm.ts'
import { followCash, learnFee, restateAmount } from './follow-parcel.ts'
import { keepBooks } from './leaving.ts'
import { cashOf, finance, previewOwed } from './owed.ts'
import { listPayouts, readPayout } from './payouts.ts'
import { syncCash } from './pull.ts'
import { logDifferences } from './verify.ts'

const FINAL = `Entries of the ledger are never changed or deleted, only undone by others: the database refuses it, whatever code asks.`
/** Declares the cash ledger and carriers' remittances: routes, adapter operations, subscribers and the nightly check. */

/** Declares the cash ledger and carriers' remittances: routes, adapter operations, subscribers and the nightly check. */
export default feature('cash', {
  routes: [cash, cashExport],
  operations: {
    // These operations work while the connection is switched off: the carrier still owes its money.
    carrier: {
      statistics: {
        evenOff: async (context, { connection }) => ({
          ...(await statistics(context, connection)),
          cash: await cashOf(context, connection),
        }),
      },
      finance: { evenOff: (context, { connection, query }) => finance(context, connection, query) },
      cashPreview: { evenOff: (context, { connection, query }) => previewOwed(context, connection, query) },
      cashBatches: { evenOff: (context, { connection, query }) => listPayouts(context, connection, query) },
      cashBatch: { evenOff: (context, { connection, params, query }) => readPayout(context, connection, params.batchId, query) },
      cashConfirm: { evenOff: (context, { connection, body }) => confirmPayout(context, connection, body.batchId) },
      cashReverse: { evenOff: (context, { connection, body }) => reversePayout(context, connection, body.batchId) },
      syncCash: { evenOff: (context, { connection }) => syncCash(context, connection) },
    },
  },
  jobs: { 'cash.verify': { at: '27 4 * * *', work: logDifferences } },
  subscribers: {
    ...keepBooks,
    async 'parcels.moved'(tx, { moves }) {
      for (const { parcel, ...move } of moves) await followCash(tx, parcel, move)
    },
    'parcel.restated': (tx, { parcel }) => restateAmount(tx, parcel),
    'carrier.fee_learnt': (tx, { parcel, fee }) => learnFee(tx, parcel, fee),
  },
  triggers: [
    { table: 'cash_entries', name: 'final', before: true, on: ['delete', 'truncate'], function: 'cash_refuse_change', why: FINAL },
    { table: 'cash_entries', name: 'kept', before: true, on: ['update'], function: 'cash_refuse_change', why: FINAL },
  ],
  personalData: [
    searched({
      table: 'cash_remittances',
      owner: 'project',
      key: ['connection_id', 'id'],
      columns: { file_name: 'text', carrier_status: 'text' },
      created: 'created_at',
    }),
  ],
})
