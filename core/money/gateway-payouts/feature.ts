import { searched } from '../../data/personal-data/search-person.ts'
import { feature } from '../../feature.ts'
import { type DataOf, eventOfStore } from '../../platform/webhooks/events.ts'
import { learnFee } from './lines/learn-fee.ts'
import { personalPayoutLines } from './lines/lines.queries.ts'
import { GatewayPayout } from './payouts.model.ts'
import { payouts } from './payouts.routes.ts'
import { pullDue, pullPayouts } from './pull.ts'
import { forgetPull } from './pulls.queries.ts'
import { logDifferences } from './verify.ts'

const events = {
  'payout.needs_attention': eventOfStore(
    'A payout of a gateway has lines that wait for a person, or came to nothing after it had arrived',
    {
      payout: GatewayPayout,
    },
  ),
}

declare module '../../platform/webhooks/events.ts' {
  interface Events extends DataOf<typeof events> {}
}

/** Declares gateway payouts: transfers to the bank of what customers paid, reconciled line by line with payments and refunds. */
export default feature('payouts', {
  routes: [payouts],
  events,
  jobs: {
    'payouts.pullDue': { at: '*/10 * * * *', work: pullDue },
    'payouts.pull': { work: (context, { connectionId }, signal) => pullPayouts(context, connectionId, signal) },
    'payouts.verify': { at: '37 4 * * *', work: logDifferences },
  },
  subscribers: {
    'payment.feeLearnt': learnFee,
    // Deletes the polling state only. Payouts stay in the ledger.
    'connection.leaving': async (tx, { connection }) => void (await forgetPull(tx, connection.id)),
  },
  personalData: [
    searched({ table: 'gateway_payouts', owner: 'store', key: ['id'], columns: { message: 'text' }, created: 'created_at' }),
    personalPayoutLines,
    searched({ table: 'payout_pulls', owner: 'store', key: ['connection_id'], columns: { message: 'text' } }),
  ],
})
