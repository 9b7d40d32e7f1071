import { eraseBySearch } from '../../data/personal-data/search-person.ts'
import { feature } from '../../feature.ts'
import { type DataOf, eventOfStore } from '../../platform/webhooks/events.ts'
import { payoutChecks } from './checks.ts'
import { payoutLinePersonalData } from './lines/lines.queries.ts'
import { postLateFee } from './lines/post-late-fee.ts'
import { GatewayPayout } from './payouts.model.ts'
import { gatewayPayouts } from './payouts.routes.ts'
import { enqueueDuePulls, pullPayouts } from './pull-payouts.ts'
import { deletePull } from './pulls.queries.ts'
import { countPayoutsToReview } from './waiting.queries.ts'

const events = {
  'payout.needs_attention': eventOfStore(
    'Lines of a gateway’s transfer wait for a decision, or the bank rejected it after it had arrived',
    {
      payout: GatewayPayout,
    },
  ),
}

declare module '../../platform/webhooks/events.ts' {
  interface Events extends DataOf<typeof events> {}
}

/** Declares gateway payouts: transfers to the bank of what customers paid, reconciled line by line with payments and refunds. */
export default feature('gateway-payouts', {
  routes: [gatewayPayouts],
  events,
  jobs: {
    'payouts.pullDue': { schedule: '*/10 * * * *', work: enqueueDuePulls },
    'payouts.pull': { work: (context, { connectionId }, signal) => pullPayouts(context, connectionId, signal) },
  },
  checks: payoutChecks,
  subscribers: {
    'payment.fee_reported': postLateFee,
    // Deletes the polling state only. Payouts stay in the ledger.
    'connection.removed': async (tx, { connection }) =>
      void (await deletePull(tx, { projectId: connection.projectId, connectionId: connection.id })),
  },
  attention: [
    {
      kind: 'gateway_payouts_to_review',
      meaning: 'Payouts of gateways with lines that match no payment: accept or correct them.',
      group: 'money',
      right: ['admin', 'cash:write'],
      count: countPayoutsToReview,
    },
  ],
  personalData: [
    eraseBySearch({ table: 'gateway_payouts', owner: 'project', key: ['id'], columns: { message: 'text' }, created: 'created_at' }),
    payoutLinePersonalData,
    eraseBySearch({ table: 'payout_pulls', owner: 'project', key: ['connection_id'], columns: { message: 'text' } }),
  ],
})
