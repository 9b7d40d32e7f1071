// biome-ignore-all lint/suspicious/noTemplateCurlyInString: source texts

import type { Mutations } from '../plant.ts'

/** Faults in creating checkouts. */
export const createFaults: Mutations = {
  'amount in the wrong unit': [
    ['chargily', 'checkouts.ts', '    amount,\n    currency', '    amount: amount * 100,\n    currency'],
    ['guiddini', 'payments.ts', 'amount: String(amount)', 'amount: String(amount * 100)'],
    ['satim', 'checkouts.ts', '    amount,\n    currency', '    amount: amount / DINAR,\n    currency'],
    ['slickpay', 'invoices.ts', '    amount,\n    url', '    amount: amount / 100,\n    url'],
    ['stripe', 'checkouts.ts', "unit_amount]': amount", "unit_amount]': amount * 100"],
    [
      'paypal',
      'money.ts',
      "const placesOf = (currency: string): number => (currency === 'JPY' ? 0 : 2)",
      'const placesOf = (_: string): number => 2',
    ],
  ],
  'amount rounded': [['paypal', 'money.ts', 'value: isWhole ? whole : `${whole}.${fraction}`', 'value: whole']],
  'wrong currency': [
    ['stripe', 'checkouts.ts', "[currency]': currency.toLowerCase()", "[currency]': 'usd'"],
    ['paypal', 'money.ts', 'return { currency_code: currency,', "return { currency_code: 'USD',"],
    ['chargily', 'checkouts.ts', "if (asked.currency !== 'DZD')", 'if (false)'],
    ['satim', 'checkouts.ts', "currency: '012'", "currency: '978'"],
  ],
  'our reference left out': [
    ['chargily', 'checkouts.ts', 'metadata: { paymentId, reference },', 'metadata: { reference },'],
    ['stripe', 'checkouts.ts', "    'metadata[paymentId]': paymentId,\n    'metadata[reference]'", "    'metadata[reference]'"],
    ['paypal', 'checkouts.ts', '    custom_id: paymentId,\n', ''],
    ['slickpay', 'invoices.ts', 'webhook_meta_data: { paymentId, reference },', ''],
    ['satim', 'checkouts.ts', '...placesOf(paymentId),', ''],
  ],
  'return URLs exchanged or lost': [
    [
      'chargily',
      'checkouts.ts',
      'success_url: returnUrl,\n    failure_url: cancelUrl',
      'success_url: cancelUrl,\n    failure_url: returnUrl',
    ],
    ['stripe', 'checkouts.ts', 'cancel_url: cancelUrl', 'cancel_url: returnUrl'],
    ['paypal', 'checkouts.ts', 'return_url: returnUrl', 'return_url: cancelUrl'],
    ['satim', 'checkouts.ts', 'failUrl: cancelUrl', 'failUrl: returnUrl'],
    ['chargily', 'checkouts.ts', 'webhook_endpoint: webhookUrl,', ''],
  ],
  'idempotency key left out, or new each time': [['paypal', 'api.ts', "...(id !== undefined && { 'paypal-request-id': id }),", '']],
  'order number used twice': [
    [
      'satim',
      'order-number.ts',
      'lettersOf(seconds, SECONDS_LETTERS) + lettersOf(chance, CHANCE_LETTERS)',
      'lettersOf(seconds, SECONDS_LETTERS + CHANCE_LETTERS)',
    ],
  ],
  'wrong mode (test or live)': [
    ['chargily', 'api.ts', "mode === 'live' ? roots.live : roots.test", "mode === 'test' ? roots.live : roots.test"],
  ],
}
