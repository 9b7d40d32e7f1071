// biome-ignore-all lint/suspicious/noTemplateCurlyInString: source texts

import type { Mutations } from '../plant.ts'

/** Faults in verifying and reading callbacks. */
export const callbackFaults: Mutations = {
  'signature not compared': [
    ['chargily', 'webhook.ts', 'isHmacSha256(keyOf(context), body, hexBytes(signature))', 'true'],
    ['stripe', 'webhook.ts', 'return proven.includes(true)', 'return proven.length > 0'],
    ['paypal', 'webhook.ts', "    return said === 'SUCCESS'\n", '    return true\n'],
    [
      'slickpay',
      'webhook.ts',
      "isSameSecret(credentials.webhookSecret, new URL(url, 'https://here.invalid').searchParams.get('token'))",
      "new URL(url, 'https://here.invalid').searchParams.has('token')",
    ],
    ['sandbox-payment', 'webhook.ts', ' || !isSameSecret(one.proof, text(row.proof))', ''],
  ],
  'signature over the parsed body': [
    [
      'chargily',
      'webhook.ts',
      'isHmacSha256(keyOf(context), body, ',
      'isHmacSha256(keyOf(context), JSON.stringify(jsonIn(new TextDecoder().decode(body))), ',
    ],
    [
      'paypal',
      'webhook.ts',
      'return isRow(JSON.parse(words)) ? words : undefined',
      'return isRow(JSON.parse(words)) ? JSON.stringify(JSON.parse(words)) : undefined',
    ],
    ['stripe', 'webhook.ts', '...body])', '...new TextEncoder().encode(new TextDecoder().decode(body).trim())])'],
  ],
  'expired signature accepted': [
    ['stripe', 'webhook.ts', 'if (Math.abs(now() / 1000 - Number(time)) > TOLERANCE_SECONDS) return false', ''],
    ['stripe', 'webhook.ts', 'if (Math.abs(now() / 1000 - Number(time)) >', 'if (Math.abs(now() - Number(time)) >'],
  ],
  'empty secret accepted': [['stripe', 'webhook.ts', '|| !secret || body', '|| body']],
  'callback read as another status': [
    ['chargily', 'webhook.ts', 'const status = statusOf(TYPE.exec(String(event.type))?.[1])', 'const status = statusOf(event.data.status)'],
    ['paypal', 'webhook.ts', "'PAYMENT.CAPTURE.DENIED': 'failed'", "'PAYMENT.CAPTURE.DENIED': 'paid'"],
    ['stripe', 'webhook.ts', "'checkout.session.completed': statusOf", "'checkout.session.completed': () => 'paid'"],
    ['stripe', 'webhook.ts', "'checkout.session.expired': () => 'expired'", "'checkout.session.expired': () => 'failed'"],
  ],
  'unknown event throws, or has an effect': [
    [
      'stripe',
      'webhook.ts',
      'Object.hasOwn(ofSessions, type) ? ofSessions[type]?.(data.object) : undefined',
      "(ofSessions[type] ?? (() => 'open'))(data.object)",
    ],
    ['chargily', 'webhook.ts', 'if (!isRow(event) || !isRow(event.data)) return undefined', ''],
    [
      'stripe',
      'webhook.ts',
      'const event = jsonIn(new TextDecoder().decode(body))\n',
      'const event = JSON.parse(new TextDecoder().decode(body))\n',
    ],
  ],
}
