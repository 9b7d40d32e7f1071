// biome-ignore-all lint/suspicious/noTemplateCurlyInString: source texts

import type { Mutations } from '../plant.ts'

/** Faults in reading payments. */
export const readFaults: Mutations = {
  'status read wrongly': [
    ['chargily', 'news.ts', "processing: 'processing'", "processing: 'paid'"],
    ['chargily', 'news.ts', "expired: 'expired'", "expired: 'failed'"],
    ['satim', 'news.ts', "1: 'processing'", "1: 'paid'"],
    ['satim', 'news.ts', "6: 'failed'", "6: 'open'"],
    ['paypal', 'news.ts', "APPROVED: 'authorized'", "APPROVED: 'paid'"],
    ['paypal', 'news.ts', "PENDING: 'processing'", "PENDING: 'paid'"],
    ['stripe', 'news.ts', "session.payment_status !== 'unpaid'", "session.payment_status !== 'x'"],
    ['stripe', 'news.ts', "if (status !== 'complete') return status\n", "if (status !== 'complete') return status\n  return 'paid'\n"],
    ['guiddini', 'payments.ts', "?? 'open'\n", "?? 'failed'\n"],
    ['slickpay', 'news.ts', 'if (!yes(completed))\n', 'if (completed === undefined)\n'],
  ],
  'unknown status guessed': [
    [
      'chargily',
      'news.ts',
      "typeof said === 'string' && Object.hasOwn(statuses, said) ? statuses[said] : undefined",
      "typeof said === 'string' && Object.hasOwn(statuses, said) ? statuses[said] : 'open'",
    ],
  ],
  'requested amount read as paid': [['stripe', 'news.ts', 'whole(session.amount_total)', 'whole(session.amount_subtotal)']],
  'amount read in the wrong unit': [
    ['chargily', 'news.ts', 'const [amount, fee] = [whole(row.amount)', 'const [amount, fee] = [whole(Number(row.amount) * 100)'],
    ['slickpay', 'news.ts', 'const amount = dinars(invoice.amount)', 'const amount = dinars(Number(invoice.amount) * 100)'],
    ['guiddini', 'payments.ts', 'const found = number(amount)', 'const found = number(Number(amount) * 100)'],
    ['paypal', 'money.ts', "Number(whole + fraction.slice(0, places).padEnd(places, '0'))", 'Number(whole)'],
    ['stripe', 'news.ts', 'const amount = whole(session.amount_total)', 'const amount = whole(Number(session.amount_total) / 100)'],
    ['slickpay', 'news.ts', 'GROUPED.test(value.trim()) ?', 'false ?'],
  ],
  'refund not reported': [
    ['stripe', 'news.ts', ', refunded: whole(charge?.amount_refunded)', ''],
    ['paypal', 'news.ts', '...(given.length > 0 && { refunded: given.reduce((sum, each) => sum + each, 0) }),', ''],
    ['paypal', 'news.ts', "REFUNDED: 'paid',\n  PENDING", "REFUNDED: 'failed',\n  PENDING"],
  ],
  'times in the wrong unit': [
    ['chargily', 'news.ts', 'new Date(seconds * 1000)', 'new Date(seconds)'],
    ['stripe', 'news.ts', 'new Date(seconds * 1000)', 'new Date(seconds)'],
  ],
}
