import type { Kept } from '../../../../adapters/payment/offline/store.ts'
import { checkout, type Desk, openDesk, type Rig, type SeenCheckout } from '../../../../plugins/payment/acceptance.ts'
import type { PaymentAdapter, Settlement } from '../../../../plugins/payment/index.ts'

const seenIn = ({
  externalId,
  paymentId,
  reference,
  description,
  amount,
  currency,
  language,
  returnUrl,
  cancelUrl,
  status,
  paid,
}: Kept): SeenCheckout => ({
  externalId,
  paymentId,
  reference,
  description,
  amount,
  unit: 'minor',
  currency,
  language,
  returnUrl,
  cancelUrl,
  webhookUrl: null,
  status,
  paid: status === 'paid' ? (paid ?? null) : null,
  fee: null,
})

/** It is its own other side: its books are the connection's notes, and people say what becomes of them. */
export function rig(gateway: PaymentAdapter): Rig {
  const desks: Desk[] = []
  const all = async () => {
    const notes = await Promise.all([...new Set(desks.map(({ context }) => context.storage))].map((storage) => storage.list('checkout:')))
    return notes.flat().map(({ value }) => value as Kept)
  }
  const settings = { account: '00799999000123456789', holder: 'Boutique Lina' }
  return {
    credentials: {},
    settings,
    open(options) {
      const desk = openDesk(gateway, {}, { settings, ...options })
      desks.push(desk)
      return desk
    },
    checkout,
    calm: () => {},
    limits: { windows: [] },
    lacks: {
      webhookUrl: 'nobody calls back',
      authorized: 'nothing is held',
      cancelled: 'a payer who gives up says nothing',
      fee: 'nobody keeps anything of it',
    },
    seen: async (paymentId) => ({
      checkouts: (await all()).filter((one) => one.paymentId === paymentId).map(seenIn),
      refunds: [],
      calls: [],
    }),
    async become({ context }, externalId, status, amount) {
      if (status === 'expired') return void (await gateway.expire?.(context, externalId))
      await gateway.settle?.(context, { externalId, status: status as Settlement['status'], ...(amount !== undefined && { amount }) })
    },
  }
}
