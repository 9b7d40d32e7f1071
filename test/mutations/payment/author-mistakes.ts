// biome-ignore-all lint/suspicious/noTemplateCurlyInString: source texts

import type { Mutations } from '../plant.ts'

/** Mistakes of authors who wrote a gateway with only the guide. */
export const authorMistakes: Mutations = {
  'calls repeated after the quota is exceeded': [
    [
      'chargily',
      'api.ts',
      "return ask(context, LABEL, `${mode === 'live' ? roots.live : roots.test}/${path}`, { method, headers, ...question })",
      "const once = () => ask(context, LABEL, `${mode === 'live' ? roots.live : roots.test}/${path}`, { method, headers, ...question })\n  return once().then((first) => (first.status === 429 ? once() : first))",
    ],
    [
      'guiddini',
      'api.ts',
      'return ask(context, LABEL, `https://${HOST}/api/${path}`, { method, headers, ...question })',
      'const once = () => ask(context, LABEL, `https://${HOST}/api/${path}`, { method, headers, ...question })\n  return once().then((first) => (first.status === 429 ? once() : first))',
    ],
    [
      'slickpay',
      'api.ts',
      'const answer = await ask(context, LABEL, url, { method, headers, ...(json !== undefined && { json }) })',
      'const once = () => ask(context, LABEL, url, { method, headers, ...(json !== undefined && { json }) })\n  let answer = await once()\n  if (answer.status === 429) answer = await once()',
    ],
    [
      'satim',
      'api.ts',
      "const answer = await ask(withFormBody(context, body), LABEL, `https://${context.settings.host}/payment/rest/${path}`, { method: 'POST' })",
      "const once = () => ask(withFormBody(context, body), LABEL, `https://${context.settings.host}/payment/rest/${path}`, { method: 'POST' })\n  let answer = await once()\n  if (answer.status === 429) answer = await once()",
    ],
    [
      'stripe',
      'api.ts',
      'const answer = await ask(withFormBody(context, form), LABEL, `https://${HOST}/v1/${path}`, { method, headers, ...(query && { query }) })',
      'const once = () => ask(withFormBody(context, form), LABEL, `https://${HOST}/v1/${path}`, { method, headers, ...(query && { query }) })\n  let answer = await once()\n  if (answer.status === 429) answer = await once()',
    ],
  ],
  'dispute missing or read wrongly': [
    [
      'stripe',
      'payouts.ts',
      "source?.object === 'dispute' ? 'dispute' : (entryOf(kinds, row.type) ?? 'adjustment')",
      "entryOf(kinds, row.type) ?? 'adjustment'",
    ],
    ['stripe', 'payouts.ts', "source?.object === 'dispute' ? 'dispute' :", "source?.object === 'dispute' ? 'refund' :"],
    [
      'paypal',
      'news.ts',
      "...(refunds && isReversed(capture, amount, amountsOf(refunds, ['COMPLETED', 'PENDING'])) && { takenBack: true }),",
      '',
    ],
    [
      'paypal',
      'news.ts',
      "...(refunds && isReversed(capture, amount, amountsOf(refunds, ['COMPLETED', 'PENDING'])) && { takenBack: true }),",
      '...(refunds && { takenBack: true }),',
    ],
    ['paypal', 'webhook.ts', "return isReversed && news.status === 'paid' ? { ...news, takenBack: true } : news", 'return news'],
  ],
  'wrong checkout returned': [['guiddini', 'payments.ts', ' || named !== externalId', '']],
  'unknown status guessed': [
    [
      'paypal',
      'news.ts',
      'if (capture) return entryOf(captures, capture.status)',
      "if (capture) return entryOf(captures, capture.status) ?? 'processing'",
    ],
    ['paypal', 'news.ts', 'const status = entryOf(orders, order.status)', "const status = entryOf(orders, order.status) ?? 'open'"],
    ['stripe', 'news.ts', 'const status = entryOf(sessions, session.status)', "const status = entryOf(sessions, session.status) ?? 'open'"],
    [
      'stripe',
      'news.ts',
      'entryOf(intents, session.payment_intent.status) :',
      "(entryOf(intents, session.payment_intent.status) ?? 'processing') :",
    ],
  ],
  'expired signature accepted': [
    ['stripe', 'webhook.ts', 'TOLERANCE_SECONDS = 300', 'TOLERANCE_SECONDS = 7200'],
    [
      'stripe',
      'webhook.ts',
      'Math.abs(now() / 1000 - Number(time)) > TOLERANCE_SECONDS',
      'Number(time) - now() / 1000 > TOLERANCE_SECONDS',
    ],
  ],
  'pending or failed refund reported as done': [
    ['stripe', 'refunds.ts', "requires_action: 'pending'", "requires_action: 'done'"],
    ['stripe', 'refunds.ts', "canceled: 'failed'", "canceled: 'done'"],
    ['stripe', 'refunds.ts', 'statuses[row.status] : undefined', "'done' as const : undefined"],
    ['paypal', 'refunds.ts', 'statuses[row.status] : undefined', "'done' as const : undefined"],
    ['paypal', 'refunds.ts', 'if (externalId === undefined || status === undefined) throw', 'if (externalId === undefined) throw'],
  ],
}
