import { checkout, openDesk, type Rig, type SeenCall, type SeenCheckout } from '../../../../plugins/payment/acceptance.ts'
import type { PaymentAdapter } from '../../../../plugins/payment/index.ts'
import type { Checkout, CheckoutStatus } from '../../../../plugins/payment/model.ts'
import type { Call, SimulatorOptions } from '../../../support/simulator/simulator.ts'
import { misbehaving, spelled, words } from '../simulated.ts'
import { type Kept, POOR_CARD, type Satim, type State, startSatim } from './simulator.ts'

const spellings: Readonly<Record<string, Partial<Satim['state']>>> = {
  'codes as text': { codesAs: 'text' },
  'amounts as text': { amountsAs: 'text' },
  'the currency as a number': { currencyAs: 'number' },
  'no deposit': { depositAs: 'without' },
  'a refusal to confirm again': { repeatedAs: 'refusal' },
}

/** Of what the bank approved and nobody confirmed nothing is taken. */
const ours: Readonly<Record<State, CheckoutStatus>> = {
  registered: 'open',
  approved: 'authorized',
  held: 'processing',
  deposited: 'paid',
  declined: 'failed',
  reversed: 'expired',
  refunded: 'paid',
}

function seenIn({ orderId, asked, params, amount, state }: Kept): SeenCheckout {
  const { currency, language = '', returnUrl = '' } = asked
  return {
    externalId: orderId,
    paymentId: `${params.udf2 ?? ''}${params.udf3 ?? ''}${params.udf4 ?? ''}${params.udf5 ?? ''}`,
    reference: words(params.udf1),
    description: words(asked.description),
    amount: Number(asked.amount),
    unit: 'minor',
    currency: currency === '012' ? 'DZD' : String(currency),
    language: language.toLowerCase(),
    returnUrl,
    cancelUrl: words(asked.failUrl),
    webhookUrl: null,
    status: ours[state],
    paid: ours[state] === 'paid' ? amount : null,
    fee: null,
  }
}

const callIn = ({ at, method, path, query, headers, body }: Call): SeenCall => ({
  at,
  method,
  path,
  query: String(query),
  headers: Object.fromEntries(headers),
  body,
})

const LEAST = 5000

/** SATIM takes whole dinars: an amount with centimes is meant in dinars here. */
function whole(change: Partial<Checkout> = {}): Checkout {
  const asked = checkout(change)
  return asked.amount % 100 === 0 || asked.amount < LEAST ? asked : { ...asked, amount: asked.amount * 100 }
}

export type SatimRig = Rig & { readonly simulator: Satim }

export function rig(gateway: PaymentAdapter, simulator = startSatim()): SatimRig {
  const { credentials } = simulator
  const origins = Object.fromEntries(gateway.net.map((host) => [host, simulator.url]))
  const settings = {}
  const seen = (paymentId: string) => simulator.orders().filter((one) => seenIn(one).paymentId === paymentId)
  return {
    simulator,
    credentials: { ...credentials },
    settings,
    badCredentials: { password: 'another-password-99' },
    open: (options) => openDesk(gateway, origins, { credentials: { ...credentials }, settings, ...options }),
    checkout: whole,
    refusable: () => ({ checkout: whole({ amount: 200_000_000 }), words: 'amount is over the maximum of the terminal' }),
    calls: {
      testConnection: '^POST /payment/rest/confirmOrder.do$',
      createCheckout: '^POST /payment/rest/register.do$',
      read: '^POST /payment/rest/confirmOrder.do$',
      refund: '^POST /payment/rest/refund.do$',
    },
    ...misbehaving(simulator, simulator.state),
    spellings: spelled(simulator.state, spellings),
    statusAt: 'OrderStatus',
    lacks: {
      takenBack: 'no answer says so',
      otherCheckout: 'an answer does not have the number by which it is asked',
      'refund.pending': 'it gives back at once, or says no',
      webhookUrl: 'it calls nobody',
      fee: 'what SATIM keeps is settled with the bank, and no answer has it',
      authorized: 'what the payer’s bank approved is taken by the very call that reads it',
      cancelled: 'a payer who gives up is declined, or runs out of time',
      otherAmount: 'an order is paid as it was registered',
    },
    // No quota is published; others keep to this one.
    limits: { windows: [{ calls: 60, seconds: 60 }] },
    seen: async (paymentId) => ({
      checkouts: seen(paymentId).map(seenIn),
      refunds: seen(paymentId).flatMap(({ orderId, refunds }) =>
        refunds.map((amount) => ({ externalId: orderId, amount, currency: 'DZD' })),
      ),
      calls: simulator.requests.map(callIn),
    }),
    async become(desk, externalId, status) {
      if (status === 'failed') simulator.pay(externalId, POOR_CARD)
      if (status === 'processing') simulator.move(externalId, 'held')
      if (status === 'expired') simulator.move(externalId, 'reversed')
      if (status !== 'paid') return
      // At SATIM nothing is paid before the shop confirmed it.
      simulator.pay(externalId)
      await gateway.read(desk.context, externalId)
    },
    close: () => simulator.stop(),
  }
}

const open: SatimRig[] = []
export const stopAll = () => Promise.all(open.map((one) => one.close?.()))

/** A connection to a simulator of its own. */
export function connected(gateway: PaymentAdapter, options: SimulatorOptions = {}): SatimRig {
  const one = rig(gateway, startSatim(options))
  open.push(one)
  return one
}
