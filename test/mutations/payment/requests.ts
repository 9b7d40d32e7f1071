// biome-ignore-all lint/suspicious/noTemplateCurlyInString: source texts

import type { Mutations } from '../plant.ts'

/** Faults in requests to the gateway. */
export const requestFaults: Mutations = {
  'creation repeated although it may have succeeded': [
    [
      'chargily',
      'checkouts.ts',
      "const row = await call(context, 'POST', 'checkouts', { json: bodyOf(context, asked), makes: true })",
      "const make = () => call(context, 'POST', 'checkouts', { json: bodyOf(context, asked), makes: true })\n  const row = await make().catch(make)",
    ],
    [
      'slickpay',
      'invoices.ts',
      "const row = await call(context, 'POST', 'invoices', bodyOf(context, asked))",
      "const make = () => call(context, 'POST', 'invoices', bodyOf(context, asked))\n  const row = await make().catch(make)",
    ],
    [
      'guiddini',
      'payments.ts',
      "const { id, attributes } = await call(context, 'POST', 'payment/initiate', { json: { amount: String(amount), language } })",
      "const make = () => call(context, 'POST', 'payment/initiate', { json: { amount: String(amount), language } })\n  const { id, attributes } = await make().catch(make)",
    ],
  ],
  'error with status 200 read as success': [
    ['satim', 'checkouts.ts', '  if (codeOf(row) !== OK) throw problemIn(row)\n', ''],
    ['satim', 'checkouts.ts', 'if (!hasStatus(row) && HOPELESS.includes(codeOf(row))) throw problemIn(row)', ''],
    ['satim', 'api.ts', "if (code === '5' && ACCESS.test(said ?? ''))", 'if (false)'],
  ],
  'empty or unreadable answer accepted': [
    ['chargily', 'checkouts.ts', "if (externalId === undefined || url === undefined) throw unreadable(LABEL, 'no checkout')", ''],
    ['satim', 'api.ts', "if (codeOf(answer.value) === undefined) throw unreadable(LABEL, 'no code')", ''],
    ['slickpay', 'news.ts', 'isNo(completed) ? {', 'true ? {'],
  ],
  'server error reported as a refusal': [
    [
      'chargily',
      'api.ts',
      "throw problemOf(context, LABEL, answer, { method: makes ? 'POST' : 'GET' })",
      "throw new AdapterError('refused', LABEL)",
    ],
    [
      'guiddini',
      'api.ts',
      'if (!answer.ok) throw problemIn(context, answer, method)',
      'if (!answer.ok) throw problemIn(context, { ...answer, status: 400 }, method)',
    ],
  ],
  'secret in a URL': [
    [
      'satim',
      'api.ts',
      '`https://${context.settings.host}/payment/rest/${path}`',
      '`https://${context.settings.host}/payment/rest/${path}?${body}`',
    ],
    ['guiddini', 'api.ts', '`https://${HOST}/api/${path}`', '`https://${HOST}/api/${path}?key=${appSecret.trim()}`'],
    ['stripe', 'api.ts', '`https://${HOST}/v1/${path}`', '`https://${HOST}/v1/${path}?key=${context.credentials.secretKey}`'],
  ],
  'secret in a message': [
    ['satim', 'api.ts', "throw unreadable(LABEL, 'no object')", 'throw unreadable(LABEL, `no object for ${password}`)'],
  ],
}
