// biome-ignore-all lint/suspicious/noTemplateCurlyInString: source texts

import type { Mutations } from '../plant.ts'

/** Faults in refunding, capturing and closing. */
export const refundFaults: Mutations = {
  'refunded twice': [
    ['paypal', 'refunds.ts', 'id: `refund-${refundId}`', 'id: crypto.randomUUID()'],
    ['satim', 'refunds.ts', 'assertLeft(await orderOf(context, externalId), amount)', ''],
  ],
  'full refund instead of a partial one': [
    ['stripe', 'refunds.ts', '    amount,\n', ''],
    [
      'paypal',
      'refunds.ts',
      'JSON.stringify({ amount: moneyFor(amount, currency), invoice_id: refundId })',
      'JSON.stringify({ invoice_id: refundId })',
    ],
    ['satim', 'refunds.ts', 'orderId: externalId, amount, language', 'orderId: externalId, amount: amount / 100, language'],
  ],
  'held amount captured twice, or capture not reported': [
    [
      'sandbox-payment',
      'checkouts.ts',
      "    if (one.status === 'paid') return one\n    if (one.status !== 'authorized')",
      "    if (one.status !== 'authorized')",
    ],
  ],
  'reported as closed although payable': [
    ['stripe', 'checkouts.ts', 'if (!closed.includes(status)) throw error', ''],
    [
      'chargily',
      'checkouts.ts',
      '  const { status } = await read(context, externalId)\n  if (closed.includes(status)) return\n',
      '  const { status } = await read(context, externalId)\n  return\n',
    ],
    ['chargily', 'checkouts.ts', "call(context, 'POST', `${pathOf(externalId)}/expire`)", 'Promise.resolve()'],
    [
      'sandbox-payment',
      'checkouts.ts',
      "    if (one.status === 'paid') return refuse('paid', `The sandbox cannot close ${externalId}: it is paid.`)\n",
      '',
    ],
  ],
}
