import type { Kept } from '../../../../adapters/payment/sandbox-payment/store.ts'
import { DAY_MS } from '../../../../core/lib/durations.ts'
import { answerTo, eventsIn } from '../../../../plugins/acceptance/webhooks.ts'
import type { Desk, Rig, SeenCheckout, SeenPayoutLine } from '../../../../plugins/payment/acceptance.ts'
import { checkout, openDesk } from '../../../../plugins/payment/acceptance.ts'
import type { InboundRequest, PaymentAdapter } from '../../../../plugins/payment/index.ts'
import type { CheckoutStatus } from '../../../../plugins/payment/model.ts'

export const request = (method: string, url: string, value?: unknown): InboundRequest => ({
  method,
  // As a server hears it: without its host.
  url: url.replace(/^https?:\/\/[^/]+/, ''),
  headers: { 'content-type': 'application/json' },
  body: new TextEncoder().encode(value === undefined ? '' : JSON.stringify(value)),
})

/** What stands in the page as a browser reads it. */
export function dataIn(page: string): Readonly<Record<string, string>> {
  const unescaped = (text: string) =>
    text.replace(/&(amp|lt|gt|quot|#39);/g, (_, name) => ({ amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" })[String(name)] ?? '')
  return Object.fromEntries([...page.matchAll(/ data-([a-z]+)="([^"]*)"/g)].map(([, name = '', value = '']) => [name, unescaped(value)]))
}

/** A payer with a browser: opens the page, presses a button; its request is what tells the news. */
export async function press(
  gateway: PaymentAdapter,
  { context }: Desk,
  url: string,
  choice: string,
  amount?: number,
): Promise<InboundRequest> {
  const page = await answerTo(gateway, request('GET', url), context)
  const { checkout, proof } = dataIn(page?.body ?? '')
  return request('POST', url, { checkout, proof, choice, ...(amount !== undefined && { amount }) })
}

const choices: Partial<Readonly<Record<CheckoutStatus | 'unknown', string>>> = {
  paid: 'pay',
  authorized: 'pay',
  failed: 'decline',
  cancelled: 'cancel',
}

function seenIn({ externalId, paymentId, reference, amount, currency, language, doneUrl, backUrl, status, paid, fee }: Kept): SeenCheckout {
  const isPaid = status === 'paid'
  return {
    externalId,
    paymentId,
    reference,
    description: null,
    amount,
    unit: 'minor',
    currency,
    language,
    returnUrl: without(doneUrl),
    cancelUrl: without(backUrl),
    webhookUrl: null,
    status,
    paid: isPaid ? (paid ?? null) : null,
    fee: isPaid ? fee : null,
  }
}

/** The address as it was given, without the name of the checkout that is added. */
function without(address: string): string {
  const url = new URL(address)
  url.searchParams.delete('checkout')
  return url.href
}

/** The sandbox is its own other side: its books are the connection's notes, and its page makes what becomes of them. */
export function rig(gateway: PaymentAdapter): Rig {
  const desks: Desk[] = []
  const all = async () => {
    const notes = await Promise.all([...new Set(desks.map(({ context }) => context.storage))].map((storage) => storage.list('checkout:')))
    return notes.flat().map(({ value }) => value as Kept)
  }
  const urlOf = async (externalId: string) => {
    const one = (await all()).find((kept) => kept.externalId === externalId)
    return `/webhook?checkout=${externalId}&page=${one?.pageKey}`
  }
  const settings = { feePercent: 2 }
  /** Time passes when it is said to. */
  let passed = 0
  const now = () => Date.now() + passed
  /** What happened in the span of a payout, by the notes alone. */
  async function linesIn(externalId: string): Promise<SeenPayoutLine[]> {
    const [, , place, currency] = externalId.split('_')
    const isIn = (at: string) => Math.floor(Date.parse(at) / DAY_MS) === Number(place)
    const ofOne = (one: Kept): SeenPayoutLine[] => {
      const { externalId: checkoutId, paid = 0, fee, refunds } = one
      const of = { currency: one.currency, checkoutId, payoutId: null }
      const payment = {
        ...of,
        externalId: `sbl_${checkoutId}`,
        kind: 'payment' as const,
        gross: paid,
        fee,
        net: paid - fee,
        refundId: null,
      }
      const given = refunds
        .filter(({ at = one.at }) => isIn(at))
        .map(({ externalId, refundId, amount }) => {
          const line = { ...of, externalId: `sbl_${externalId}`, kind: 'refund' as const, refundId }
          return { ...line, gross: -amount, fee: 0, net: -amount }
        })
      return [...(isIn(one.at) ? [payment] : []), ...given]
    }
    return (await all()).filter((one) => one.status === 'paid' && one.currency === currency).flatMap(ofOne)
  }
  return {
    credentials: {},
    settings,
    holding: { holds: true },
    open(options) {
      const desk = openDesk(gateway, {}, { settings, now, ...options })
      desks.push(desk)
      return desk
    },
    checkout,
    calm: () => {},
    limits: { windows: [] },
    lacks: {
      description: 'its page shows the order, and no description',
      webhookUrl: 'its page stands at the address, which it keeps nowhere else',
      processing: 'it decides at once',
      several: 'a payer presses one button',
      'payout.pending': 'its payouts are told when they are paid',
      'payout.in_transit': 'its payouts are told when they are paid',
      'payout.failed': 'its payouts do not fail',
      'payout.cancelled': 'its payouts do not fail',
    },
    async seen(paymentId) {
      const checkouts = (await all()).filter((one) => one.paymentId === paymentId)
      const refunds = checkouts.flatMap(({ externalId, currency, refunds }) =>
        refunds.map(({ amount }) => ({ externalId, amount, currency })),
      )
      return { checkouts: checkouts.map(seenIn), refunds, calls: [] }
    },
    async become(desk, externalId, status, amount) {
      if (status === 'expired') return void (await gateway.expire?.(desk.context, externalId))
      const pressed = await press(gateway, desk, await urlOf(externalId), choices[status] ?? status, amount)
      await eventsIn(gateway, pressed, desk.context)
    },
    async payOut() {
      const place = Math.floor(now() / DAY_MS)
      passed += 3 * DAY_MS
      return `sbp_${DAY_MS}_${place}_DZD`
    },
    async seenPayout(_, externalId) {
      const lines = await linesIn(externalId)
      const [, , place, currency = ''] = externalId.split('_')
      const arrivesAt = new Date((Number(place) + 2) * DAY_MS).toISOString()
      const amount = lines.reduce((sum, { net }) => sum + net, 0)
      return { payout: { externalId, amount, currency, lines: 'ready', status: 'paid', arrivesAt }, lines }
    },
    async movePayout() {
      throw new Error('Its payouts do not change.')
    },
    tells: ['paid', 'failed', 'cancelled'],
    proof: { in: 'body', name: 'proof', signs: false },
    async callback(desk, [event]) {
      if (!event) return request('POST', '/webhook', 'nonsense')
      return press(gateway, desk, await urlOf(event.externalId), choices[event.status] ?? 'dance')
    },
    async challenge({ context }) {
      const { externalId, url } = await gateway.createCheckout(context, checkout())
      return { request: request('GET', url), holds: externalId }
    },
  }
}
