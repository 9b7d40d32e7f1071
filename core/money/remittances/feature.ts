import { eraseBySearch } from '../../data/personal-data/search-person.ts'
import { feature } from '../../feature.ts'
import { remittanceChecks } from './checks.ts'
import { confirmRemittance, reverseRemittance } from './confirm.ts'
import { syncCash } from './pull-remittances.ts'
import { remittances } from './remittances.routes.ts'
import { readRemittance, readRemittances } from './remittances.ts'
import { countDraftRemittances } from './waiting.queries.ts'

/** Declares carriers' remittances: the import of their sheets, adapter operations and the nightly check. */
export default feature('remittances', {
  routes: [remittances],
  operations: {
    // These operations work while the connection is switched off: the carrier still owes its money.
    carrier: {
      cashBatches: { worksWhenDisabled: (context, { connection, query }) => readRemittances(context, connection, query) },
      cashBatch: {
        worksWhenDisabled: (context, { connection, params, query }) => readRemittance(context, connection, params.batchId, query),
      },
      cashConfirm: { worksWhenDisabled: (context, { connection, body }) => confirmRemittance(context, connection, body.batchId) },
      cashReverse: { worksWhenDisabled: (context, { connection, body }) => reverseRemittance(context, connection, body.batchId) },
      syncCash: { worksWhenDisabled: (context, { connection }) => syncCash(context, connection) },
    },
  },
  checks: remittanceChecks,
  attention: [
    {
      kind: 'payouts_to_confirm',
      meaning: 'Payouts of carriers that are not confirmed: compare them with the bank, then confirm.',
      group: 'money',
      right: ['admin', 'cash:write'],
      count: countDraftRemittances,
    },
  ],
  personalData: [
    eraseBySearch({
      table: 'remittances',
      owner: 'project',
      key: ['connection_id', 'id'],
      columns: { file_name: 'text', carrier_status: 'text' },
      created: 'created_at',
    }),
  ],
})
